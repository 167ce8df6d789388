// SPDX-License-Identifier: BSD-3-Clause
//
// map_legend.js: what the colours of a map mean.
import { robustLimits } from "../colour.js";
import { baseOf } from "../orbit.js";
import { make } from "./dom.js";
import { fixed } from "./format.js";
import { rampBar } from "./legend.js";

const SENTENCES = {
  u8: "Bright cells have a point that is not ground.",
  i32: "Cells have the colours of their clusters.",
};

// Returns the heights between which the ramp of a map runs, in coordinates of the file, upwards.
function mapLimits(map, { up, flip, origin }) {
  const axis = up === "y" ? 1 : 2;
  return robustLimits(map.values, null).map((height) => height + baseOf(up, flip).up[axis] * origin[axis]);
}

export function mapLegend(map, header, ramp) {
  if (map.kind !== "f32") return [make("p", { class: "about-map" }, SENTENCES[map.kind])];
  const [low, high] = mapLimits(map, header).map((height) => `${fixed(height)} m`);
  return [rampBar(ramp, `Heights from ${low} to ${high}`), make("div", { class: "about-map" }, make("span", {}, low), make("span", {}, high))];
}
