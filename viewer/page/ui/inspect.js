// SPDX-License-Identifier: BSD-3-Clause
//
// inspect.js: all that is known of one point.
import { fileCoordinates } from "../packet.js";
import { copyButton } from "./copy.js";
import { iconButton, make } from "./dom.js";
import { brief, count, fitText, fixed, labelText } from "./format.js";

// Returns which cloud a row belongs to, and its index there.
function place(frame, row) {
  let first = 0;
  for (let cloud = 0; cloud < frame.header.clouds.length; ++cloud) {
    const rows = frame.header.clouds[cloud].points;
    if (row < first + rows) return { cloud, index: frame.column("index")?.value(row) ?? row - first };
    first += rows;
  }
  return { cloud: 0, index: row };
}

// Returns the facts of a point as a list of {name, text, value, rounded, label, swatch}.
function pointFacts(frame, row) {
  const { header } = frame;
  const facts = [];
  const { cloud } = place(frame, row);
  if (header.clouds.length > 1) {
    const { name } = header.clouds[cloud];
    facts.push({ name: "cloud", text: name, value: name });
  }
  const coordinates = fileCoordinates(frame, row);
  "xyz".split("").forEach((name, i) => {
    const { exact, scale } = frame.column(name);
    const decimals = Math.min(9, Math.max(3, Math.ceil(-Math.log10(scale)))); // millimetres, or what the page holds
    facts.push({ name, text: coordinates[i].toFixed(decimals), value: Number(coordinates[i].toFixed(9)), rounded: !exact });
  });
  const sensor = header.sensor ?? [0, 0, 0];
  const range = Math.hypot(frame.x[row] - sensor[0], frame.y[row] - sensor[1], frame.z[row] - sensor[2]);
  facts.push({ name: "range", text: `${range.toFixed(3)}`, value: Number(range.toFixed(3)), rounded: true });
  if (cloud === 0) facts.push(...labelFacts(frame, row));
  const rgb = frame.column("rgb")?.value(row);
  if (Number.isFinite(rgb)) {
    const text = `#${(rgb & 0xffffff).toString(16).padStart(6, "0")}`;
    facts.push({ name: "colour", text, value: text, swatch: text });
  }
  for (const name of frame.fieldNames) {
    const column = frame.column(`field:${name}`);
    const value = column.value(row);
    const text = brief(value, column.exact ? 7 : 5);
    facts.push({ name, text, value: Number.isFinite(value) ? value : null, rounded: !column.exact });
  }
  return facts;
}

function labelFacts(frame, row) {
  const facts = [];
  const several = frame.header.labelings.length > 1;
  frame.header.labelings.forEach((labeling, i) => {
    const label = frame.column(`label${i}`)?.value(row);
    if (label === undefined) return;
    const name = several ? labeling.name : "label";
    facts.push({ name, text: labelText(label), value: label, label, labeling: i });
    const core = frame.column(`core${i}`)?.value(row);
    if (core !== undefined) facts.push({ name: "core point", text: core ? "yes" : "no", value: core === 1 });
    facts.push(...objectFacts(frame.clusters[i], label));
  });
  const differs = frame.column("differs")?.value(row);
  if (differs !== undefined) facts.push({ name: "labels differ", text: differs ? "yes" : "no", value: differs === 1 });
  return facts;
}

// What `clump objects` says of the cluster with this label.
function objectFacts(table, label) {
  const at = table.has("score") ? [...table.get("label")].indexOf(label) : -1;
  if (at < 0) return [];
  const [object, fits, score] = ["object", "fits", "score"].map((name) => table.get(name)[at]);
  const text = fitText(object, fits);
  return [{ name: "size of", text, value: text }, { name: "score", text: fixed(score, 2), value: Number(score.toFixed(3)) }];
}

export function makeInspect({ state, flyToCluster }) {
  let facts = [];
  const title = make("h2", {});
  const list = make("dl", { class: "facts" });
  const copy = copyButton("Copy all of it", () => JSON.stringify(asObject(), null, 1));
  const close = iconButton("close", "Close", "Esc", () => state.set({ picked: -1, selected: null }));
  const element = make("section", { id: "clump-inspect", class: "card inspect", "aria-label": "Point", hidden: true },
    make("header", {}, title, copy, close), list);

  function asObject() {
    const object = { frame: state.values.frame.header.name, index: place(state.values.frame, state.values.picked).index };
    for (const { name, value } of facts) object[name in object ? `field ${name}` : name] = value;
    return object;
  }

  function valueElement({ text, rounded, label, labeling, swatch }) {
    const about = rounded ? make("span", { class: "about", title: "Rounded in this page" }, "≈") : null;
    const colour = swatch ? make("span", { class: "swatch" }) : null;
    if (colour) colour.style.background = swatch;
    if (label === undefined || label < 0) return make("dd", {}, about, colour, text);
    return make("dd", {}, make("button", {
      type: "button", class: "link", title: "Fly to this cluster",
      onclick: () => {
        state.set({ labeling, selected: label });
        flyToCluster(label);
      },
    }, text));
  }

  function show({ frame, picked }) {
    element.hidden = !frame || picked < 0 || picked >= frame.rows;
    if (element.hidden) return;
    facts = pointFacts(frame, picked);
    title.textContent = `Point ${count(place(frame, picked).index)}`;
    list.replaceChildren(...facts.flatMap((fact) => [make("dt", {}, fact.name), valueElement(fact)]));
  }

  state.on(["picked", "frame"], show);
  return { element };
}
