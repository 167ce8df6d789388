// SPDX-License-Identifier: BSD-3-Clause
//
// legend.js: what points are coloured by, and what the colours mean.
import { iconButton, make } from "./dom.js";
import { brief, count, shortened } from "./format.js";

// Returns a bar with the colours of the ramp from left to right. said: for screen readers.
export function rampBar(ramp, said) {
  const stops = ramp.filter((_, i) => i % 16 === 0 || i === ramp.length - 1);
  const bar = make("div", { class: "ramp", role: "img", "aria-label": said });
  bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
  return bar;
}

export class Legend {
  constructor({ state, scene }) {
    Object.assign(this, { state, scene });
    this.select = make("select", {
      id: "clump-colour", "aria-label": "Colour points by",
      onchange: () => state.set({ colour: this.select.value, limits: null }),
    });
    this.body = make("div", { id: "clump-legend" });
    this.fold = iconButton("fold", "Meaning of the colours", null,
      () => this.setFolded(!this.element.classList.contains("folded")), { class: "icon-button fold" });
    this.element = make("section", { class: "card legend", "aria-label": "Colours" },
      make("div", { class: "choose" }, make("span", {}, "Colour"), this.select, this.fold), this.body);
    this.setFolded(window.innerWidth <= 760);
  }

  // Only a narrow screen has the button for it.
  setFolded(folded) {
    this.element.classList.toggle("folded", folded);
    this.fold.setAttribute("aria-expanded", !folded);
  }

  setModes(modes, colour) {
    this.select.replaceChildren(...modes.map(({ id, title }) => make("option", { value: id }, title)));
    this.select.value = colour;
  }

  // Shows the legend that colourPoints() returned.
  show(legend) {
    const focused = this.body.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    this.body.replaceChildren(...(legend.kind === "ramp" ? this.rampBody(legend) : this.listBody(legend)), ...this.drive());
    if (focused !== undefined) this.body.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  // What the lines of a drive are.
  drive() {
    const { frame, boxes } = this.state.values;
    if (!frame?.header.pose || !boxes) return [];
    return [make("p", { class: "drive" }, "Arrows: the next second. Trails: the last five. ",
      make("span", { class: "path" }, "━"), " the path of the sensor")];
  }

  rampBody({ low, high, unit = "" }) {
    const { state } = this;
    const { ramp } = this.scene;
    const bar = rampBar(ramp, `From ${brief(low, 4)} to ${brief(high, 4)} ${unit}`);
    const setLow = (number) => state.set({ limits: [number, Math.max(high, number)] });
    const setHigh = (number) => state.set({ limits: [Math.min(low, number), number] });
    return [bar, make("div", { class: "limits" }, this.limitInput("Lower limit", low, setLow),
      make("span", { class: "unit" }, unit), this.limitInput("Upper limit", high, setHigh))];
  }

  limitInput(label, value, change) {
    const input = make("input", {
      type: "text", inputmode: "decimal", "aria-label": label, title: `${label}; empty: from the points`,
      value: brief(value, 4), "data-key": label,
      onchange: () => {
        const number = Number(input.value.replace(",", "."));
        if (input.value.trim() === "") this.state.set({ limits: null });
        else if (Number.isFinite(number)) change(number);
        else input.value = brief(value, 4);
      },
    });
    return input;
  }

  listBody({ entries }) {
    return entries.map(({ key, title, colour, colours, count: points }) => {
      const hidden = this.state.values.hidden.includes(key);
      const swatch = make("span", { class: "swatch" });
      swatch.style.background = colours ? `conic-gradient(${colours.slice(0, 6).join(", ")})` : colour;
      return make("button", {
        type: "button", class: "entry", "aria-pressed": !hidden, "data-key": String(key),
        title: hidden ? "Draw these points" : "Hide these points", onclick: () => this.toggleKey(key),
      }, swatch, make("span", { class: "grow title", title }, shortened(title)),
      make("span", { class: "number" }, count(points)));
    });
  }

  toggleKey(key) {
    const { hidden } = this.state.values;
    this.state.set({ hidden: hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key] });
  }
}
