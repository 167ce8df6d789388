// SPDX-License-Identifier: BSD-3-Clause
//
// display.js: what is drawn, and how: boxes, pairs, maps, rings, shading, size of the points, theme.
import { make, makeSwitch } from "./dom.js";
import { mapLegend } from "./map_legend.js";

const THEMES = [["auto", "Auto"], ["light", "Light"], ["dark", "Dark"]];

// Whether there can be clusters: so before the first frame.
export function hasLabels({ frame }) {
  return frame === null || frame.header.labelings.length > 0;
}

function section(title, ...children) {
  return make("section", { class: "group" }, make("h2", {}, title), ...children);
}

// Returns a slider with its value at the right.
function makeSlider(label, { min, max, step, unit, key }, oninput) {
  const output = make("output", {});
  const input = make("input", {
    type: "range", min, max, step, "aria-label": label, oninput: () => oninput(Number(input.value)),
  });
  const set = (value) => {
    input.value = value;
    output.textContent = unit === "%" ? `${Math.round(value * 100)} %` : `${value} ${unit}`;
  };
  const element = make("div", { class: "slider" }, make("span", { class: "grow" }, label),
    key ? make("kbd", {}, key) : null, output, input);
  return { element, set };
}

export function makeDisplay({ state, scene }) {
  const bind = (key, label, shortcut) => {
    const one = makeSwitch(label, shortcut, (on) => state.set({ [key]: on }), `clump-${key}`);
    const show = () => { one.input.checked = state.values[key]; };
    state.on([key], show);
    show();
    return one.element;
  };
  const boxes = bind("boxes", "Boxes of clusters", "b");
  const pairs = bind("pairs", "Pairs as lines", "");
  const size = makeSlider("Point size", { min: 0.5, max: 12, step: 0.5, unit: "px", key: "[ ]" },
    (pointSize) => state.set({ pointSize }));
  const map = make("select", {
    id: "clump-map", "aria-label": "Map", onchange: () => state.set({ map: map.value || null }),
  });
  const opacity = makeSlider("Opacity", { min: 0.1, max: 1, step: 0.05, unit: "%" },
    (mapOpacity) => state.set({ mapOpacity }));
  const legend = make("div", { id: "clump-map-legend" });
  const maps = section("Map", make("label", { class: "choose" }, make("span", { class: "grow" }, "On the ground"),
    make("kbd", {}, "m"), map), opacity.element, legend);
  const themes = THEMES.map(([theme, title]) =>
    make("button", { type: "button", onclick: () => state.set({ theme }) }, title));
  const element = make("div", { class: "display" },
    section("Points", size.element, bind("shading", "Shade by depth", "i")),
    section("Lines", boxes, pairs, bind("rings", "Range rings", "r")),
    maps,
    section("Colours of the page", make("div", { class: "segments", role: "group", "aria-label": "Theme" }, themes)));

  function show({ pointSize, map: name, mapOpacity, theme, frame }) {
    size.set(pointSize);
    opacity.set(mapOpacity);
    opacity.element.hidden = name === null;
    map.value = name ?? "";
    themes.forEach((button, i) => button.setAttribute("aria-pressed", THEMES[i][0] === theme));
    boxes.hidden = !hasLabels({ frame });
    pairs.hidden = !frame?.pairs;
  }

  state.on(["frame"], ({ frame }) => {
    maps.hidden = frame.maps.length === 0;
    map.replaceChildren(make("option", { value: "" }, "none"),
      ...frame.maps.map(({ name }) => make("option", { value: name }, name)));
  });
  state.on(["frame", "map"], ({ frame, map: name }) => {
    const shown = frame?.maps.find((one) => one.name === name);
    legend.replaceChildren(...(shown ? mapLegend(shown, frame.header, scene.ramp) : []));
  });
  state.on(["frame", "pointSize", "map", "mapOpacity", "theme"], show);
  show(state.values);
  return { element };
}
