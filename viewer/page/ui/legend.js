// SPDX-License-Identifier: BSD-3-Clause
//
// legend.js: what points are coloured by, and what the colours mean.
import { iconButton, make } from "./dom.js";
import { brief, count } from "./format.js";

export function makeLegend({ state, scene }) {
  const select = make("select", {
    id: "clump-colour", "aria-label": "Colour points by",
    onchange: () => state.set({ colour: select.value, limits: null }),
  });
  const body = make("div", { id: "clump-legend" });
  const fold = iconButton("fold", "Meaning of the colours", null, () => setFolded(!element.classList.contains("folded")),
    { class: "icon-button fold" });
  const element = make("section", { class: "card legend", "aria-label": "Colours" },
    make("div", { class: "choose" }, make("span", {}, "Colour"), select, fold), body);

  // Only a narrow screen has the button.
  function setFolded(folded) {
    element.classList.toggle("folded", folded);
    fold.setAttribute("aria-expanded", !folded);
  }

  function limitInput(label, value, change) {
    const input = make("input", {
      type: "text", inputmode: "decimal", "aria-label": label, title: `${label}; empty: from the points`, value: brief(value, 4),
      onchange: () => {
        const number = Number(input.value.replace(",", "."));
        if (input.value.trim() === "") state.set({ limits: null });
        else if (Number.isFinite(number)) change(number);
        else input.value = brief(value, 4);
      },
      onkeydown: (event) => event.stopPropagation(),
    });
    return input;
  }

  function rampBody({ low, high, unit }) {
    const stops = scene.ramp.filter((_, i) => i % 16 === 0 || i === scene.ramp.length - 1);
    const bar = make("div", { class: "ramp", role: "img", "aria-label": `From ${brief(low, 4)} to ${brief(high, 4)} ${unit ?? ""}` });
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    const setLow = (number) => state.set({ limits: [number, Math.max(high, number)] });
    const setHigh = (number) => state.set({ limits: [Math.min(low, number), number] });
    return [bar, make("div", { class: "limits" }, limitInput("Lower limit of the colours", low, setLow),
      make("span", { class: "unit" }, unit ?? ""), limitInput("Upper limit of the colours", high, setHigh))];
  }

  function toggleKey(key) {
    const { hidden } = state.values;
    state.set({ hidden: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key] });
  }

  function listBody({ entries }) {
    return entries.map(({ key, title, colour, colours, count: points }) => {
      const hidden = state.values.hidden.includes(key);
      const swatch = make("span", { class: "swatch" });
      swatch.style.background = colours ? `conic-gradient(${colours.slice(0, 6).join(", ")})` : colour;
      return make("button", {
        type: "button", class: "entry", "aria-pressed": !hidden, "data-key": String(key),
        title: hidden ? "Draw these points" : "Hide these points", onclick: () => toggleKey(key),
      }, swatch, make("span", { class: "grow title", title }, title), make("span", { class: "number" }, count(points)));
    });
  }

  // Shows the legend that colourPoints() returned.
  function show(legend) {
    const focused = body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    body.replaceChildren(...(legend.kind === "ramp" ? rampBody(legend) : listBody(legend)));
    if (focused !== undefined) body.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  function setModes(modes, colour) {
    select.replaceChildren(...modes.map(({ id, title }) => make("option", { value: id }, title)));
    select.value = colour;
  }

  setFolded(window.innerWidth <= 760);
  return { element, show, setModes };
}
