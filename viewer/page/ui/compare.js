// SPDX-License-Identifier: BSD-3-Clause
//
// compare.js: two labellings side by side: their names, how many points differ, and a tour through the differences.
import { icon, make } from "./dom.js";
import { labelText, plural } from "./format.js";

const REGION = 8; // metres; differing points nearer than this are one stop of the tour

// Returns the stops of the tour, largest first: {count, row, a, b, low, high}. Points with the same two labels in the same
// square seen from above are one stop.
export function differences(frame) {
  const differs = frame.column("differs");
  const [first, second] = [frame.column("label0"), frame.column("label1")];
  if (!differs || !first || !second) return [];
  const stops = new Map();
  const across = frame.header.up === "y" ? frame.z : frame.y;
  for (let row = 0; row < frame.rows; ++row) {
    if (differs.values[row] !== 1) continue;
    const [a, b] = [first.value(row), second.value(row)];
    const key = `${a} ${b} ${Math.floor(frame.x[row] / REGION)} ${Math.floor(across[row] / REGION)}`;
    const point = [frame.x[row], frame.y[row], frame.z[row]];
    const stop = stops.get(key);
    if (!stop) {
      stops.set(key, { count: 1, row, a, b, low: point, high: [...point] });
      continue;
    }
    stop.count += 1;
    for (let k = 0; k < 3; ++k) {
      stop.low[k] = Math.min(stop.low[k], point[k]);
      stop.high[k] = Math.max(stop.high[k], point[k]);
    }
  }
  return [...stops.values()].sort((x, y) => y.count - x.count || x.row - y.row);
}

// Returns the row of a stop that is nearest to its centre.
function nearestRow(frame, { a, b, row }, centre) {
  const [differs, first, second] = ["differs", "label0", "label1"].map((name) => frame.column(name));
  let [nearest, least] = [row, Infinity];
  for (let i = 0; i < frame.rows; ++i) {
    if (differs.values[i] !== 1 || first.value(i) !== a || second.value(i) !== b) continue;
    const distance = Math.hypot(frame.x[i] - centre[0], frame.y[i] - centre[1], frame.z[i] - centre[2]);
    if (distance < least) [nearest, least] = [i, distance];
  }
  return nearest;
}

export function makeCompare({ scene, state, stage }) {
  let stops = null;
  let at = -1;
  const left = make("span", { class: "side left" });
  const right = make("span", { class: "side right" });
  const said = make("span", { class: "said", role: "status" });
  const next = make("button", {
    id: "clump-next", type: "button", class: "button", title: "Next difference (x)", onclick: () => go(),
  }, "Next difference", icon("arrow"));
  const swatch = make("span", { class: "swatch" });
  const mark = make("button", {
    type: "button", class: "entry", title: "Paint the points that differ", onclick: () => state.toggle("marks"),
  }, swatch, said);
  const bar = make("div", { class: "card differences" }, mark, next);
  const element = make("div", { class: "compare", hidden: true }, left, right, bar);

  function go() {
    const { frame } = state.values;
    stops ??= differences(frame);
    if (stops.length === 0) return;
    at = (at + 1) % stops.length;
    const { count, a, b, low, high } = stops[at];
    const centre = low.map((value, k) => (value + high[k]) / 2);
    said.textContent = `${at + 1} of ${stops.length}: ${plural(count, "point")}, ${labelText(a)} left, ${labelText(b)} right`;
    stage.flyTo({ centre, size: Math.max(4, Math.hypot(...low.map((value, k) => high[k] - value))) });
    state.set({ picked: -1, spot: nearestRow(frame, stops[at], centre) });
  }

  function showMarks({ marks, dark }) {
    mark.setAttribute("aria-pressed", marks);
    swatch.style.background = scene.special[dark ? "dark" : "light"].differs;
  }

  function show({ frame, compare }, changed) {
    const able = frame !== null && frame.header.labelings.length > 1;
    element.hidden = !able || !compare;
    if (!able || !(changed.has("frame") || changed.has("compare"))) return;
    if (changed.has("frame")) [stops, at] = [null, -1];
    left.textContent = frame.header.labelings[0].name;
    right.textContent = frame.header.labelings[1].name;
    const { differs } = frame.header;
    said.textContent = differs > 0 ? `${plural(differs, "point")} differ${differs === 1 ? "s" : ""}` : "No point differs";
    next.hidden = !(differs > 0);
  }

  state.on(["frame", "compare"], show);
  state.on(["marks", "dark"], showMarks);
  showMarks(state.values);
  return { element, next: go };
}
