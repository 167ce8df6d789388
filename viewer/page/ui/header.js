// SPDX-License-Identifier: BSD-3-Clause
//
// header.js: what is shown, and the buttons for the whole page.
import { iconButton, make, setIcon } from "./dom.js";
import { count, plural } from "./format.js";

export function makeHeader({ state, scene, isDark, save }) {
  const name = make("span", { class: "name" });
  const figures = make("span", { class: "figures" });
  const compare = iconButton("compare", "Compare two labellings", "c", () => state.toggle("compare"), { id: "clump-compare" });
  const theme = iconButton("moon", "Dark or light", "d", () => state.set({ theme: isDark() ? "light" : "dark" }));
  const panel = iconButton("panel", "Panel", "l", () => state.toggle("open"), { class: "icon-button panel-button" });
  const element = make("header", { class: "top" },
    make("div", { class: "what" }, make("h1", { title: scene.title }, scene.title),
      make("p", {}, name, figures)),
    make("div", { class: "actions", role: "toolbar", "aria-label": "Page" }, compare,
      iconButton("camera", "Save a picture", "f", save, { id: "clump-screenshot" }), theme,
      iconButton("help", "Keys and mouse", "?", () => state.toggle("help")), panel));

  function show({ frame, labeling }) {
    if (!frame) return;
    const { header } = frame;
    name.textContent = scene.title.includes(header.name) ? "" : header.name;
    name.title = header.name;
    const thinned = header.of > frame.rows;
    const parts = [thinned ? `${count(frame.rows)} of ${plural(header.of, "point")}` : plural(frame.rows, "point")];
    const one = header.labelings[labeling];
    if (one) parts.push(plural(one.clusters, "cluster"));
    figures.textContent = parts.join(" · ");
    compare.hidden = header.labelings.length < 2;
  }

  state.on(["frame", "labeling"], show);
  state.on(["compare"], (values) => compare.setAttribute("aria-pressed", values.compare));
  state.on(["open"], (values) => panel.setAttribute("aria-pressed", values.open));
  state.on(["dark"], ({ dark }) => setIcon(theme, dark ? "sun" : "moon"));
  panel.setAttribute("aria-pressed", state.values.open);
  compare.setAttribute("aria-pressed", state.values.compare);
  compare.hidden = true;
  return { element };
}

// The buttons on the stage: views, and boxes.
export function makeTools({ state, setView }) {
  const view = (id, label, key) => iconButton(id, label, key, () => setView(id));
  const boxes = iconButton("boxes", "Boxes of clusters", "b", () => state.toggle("boxes"));
  const line = make("hr", {});
  const show = ({ boxes: on, frame }) => {
    boxes.setAttribute("aria-pressed", on);
    boxes.hidden = line.hidden = frame !== null && frame.header.labelings.length === 0;
  };
  state.on(["boxes", "frame"], show);
  show(state.values);
  return make("div", { class: "card tools", role: "toolbar", "aria-label": "Views", "aria-orientation": "vertical" },
    view("home", "Home view", "h"), view("top", "View from above", "t"), view("side", "View from the side", "s"),
    view("sensor", "View of the sensor", "e"), line, boxes);
}
