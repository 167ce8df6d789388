// SPDX-License-Identifier: BSD-3-Clause
//
// dom.js: makes elements. Text from files gets in as text nodes and attributes only, never as HTML.

// Returns an element. Properties: "on" + event for listeners, everything else is an attribute. null and undefined leave an
// attribute out, as does false, which "aria-" attributes need as text. Children: elements, text, or null for none.
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.startsWith("aria-")) element.setAttribute(name, String(value));
    else if (value === false) continue;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

// Outlines on a grid of 20 by 20, drawn with a line of 1.6.
const OUTLINES = {
  home: "M3 9.5 10 3.5l7 6M5 8.5V16h3.5v-4h3v4H15V8.5",
  top: "M4 4h12v12H4zM4 10h12M10 4v12",
  side: "M2.5 15.5h15M5 15.5V8h4v7.5M9 15.5V5h6v10.5",
  sensor: "M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 7.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
  boxes: "M10 3 16.5 6.5v7L10 17l-6.5-3.5v-7zM3.5 6.5 10 10l6.5-3.5M10 10v7",
  compare: "M3 4.5h14v11H3zM10 4.5v11",
  camera: "M3 6.5h3.2L7.5 4.5h5l1.3 2H17v9H3zM10 8.2a2.6 2.6 0 1 0 0 5.2 2.6 2.6 0 0 0 0-5.2z",
  sun: "M10 6.8a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4zM10 2v1.8M10 16.2V18M2 10h1.8M16.2 10H18M4.3 4.3l1.3 1.3"
    + "M14.4 14.4l1.3 1.3M15.7 4.3l-1.3 1.3M5.6 14.4l-1.3 1.3",
  moon: "M16 11.8A6.6 6.6 0 0 1 8.2 4 6.6 6.6 0 1 0 16 11.8z",
  help: "M10 2.8a7.2 7.2 0 1 0 0 14.4 7.2 7.2 0 0 0 0-14.4zM7.8 7.9a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M10 13.9v.2",
  panel: "M3 4.5h14v11H3zM12.5 4.5v11",
  close: "M5 5l10 10M15 5 5 15",
  copy: "M7 7h9v9H7zM4 13V4h9",
  check: "M4 10.5 8.2 15 16 5.5",
  play: "M6 4.5v11l9-5.5z",
  pause: "M7 4.5v11M13 4.5v11",
  previous: "M14.5 5 8 10l6.5 5zM5.5 5v10",
  next: "M5.5 5 12 10l-6.5 5zM14.5 5v10",
  arrow: "M4 10h12M11 5l5 5-5 5",
  eye: "M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 8.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z",
  fold: "M5 8l5 5 5-5",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", OUTLINES[name]);
  svg.append(path);
  return svg;
}

// Returns a button with an icon. The label is for screen readers and, with the key, for the tooltip.
export function iconButton(name, label, key, onclick, properties = {}) {
  const title = key ? `${label} (${key})` : label;
  return make("button", { class: "icon-button", type: "button", "aria-label": label, title, onclick, ...properties },
    icon(name));
}

// Replaces the icon of a button.
export function setIcon(button, name) {
  button.replaceChildren(icon(name));
}

// Returns a switch: a check box in a label, with the key at the right.
export function makeSwitch(label, key, onchange, id) {
  const input = make("input", { type: "checkbox", role: "switch", id, onchange: () => onchange(input.checked) });
  const element = make("label", { class: "switch" }, make("span", { class: "grow" }, label),
    key ? make("kbd", {}, key) : null, input);
  return { element, input };
}

export function announce(text) {
  const region = document.getElementById("clump-spoken");
  if (region) region.textContent = text;
}
