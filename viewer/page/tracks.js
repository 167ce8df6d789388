// SPDX-License-Identifier: BSD-3-Clause
//
// tracks.js: arrows and trails of what moves over ground, and the path of the sensor. The packet has the places.
import { parseColour } from "./colour.js";

export const MOVING = 2; // of the column "moving": 0 unknown, 1 stands
const SECONDS = 5; // of a trail
const ARROW = 1; // seconds of motion
const SENSOR = 0; // in place of a track: the path of the sensor

// Arrows and trails of the rows that move, and the path of the sensor: {places, colours} as boxes.js.
export function trackLines(frame, labeling, rows, colourOf, special) {
  const [places, colours] = [[], []];
  const drawn = (rgb) => (from, to, alpha) => {
    places.push(...from, ...to);
    colours.push(...rgb, alpha);
  };
  const table = frame.clusters[labeling];
  const moving = table?.has("moving") ? rows.filter((row) => table.get("moving")[row] === MOVING) : [];
  const lines = new Map([[SENSOR, drawn(parseColour(special.text))]]);
  for (const row of moving) {
    const line = drawn(parseColour(colourOf(row)));
    lines.set(table.get("track")[row], line);
    arrow(table, row, frame.header.up === "y", line);
  }
  trails(frame.trails, lines);
  return { places: new Float32Array(places), colours: new Uint8Array(colours) };
}

// Older parts are fainter.
function trails(table, lines) {
  const [x, y, z, track, time, joined] = ["x", "y", "z", "track", "time", "joined"].map((name) => table.get(name));
  for (let i = 1; i < table.count; ++i) {
    if (joined[i] !== 1) continue;
    const alpha = Math.round(60 + 195 * Math.max(0, 1 + time[i] / SECONDS));
    lines.get(track[i])?.([x[i - 1], y[i - 1], z[i - 1]], [x[i], y[i], z[i]], alpha);
  }
}

// An arrow from the middle of the box: where the object is after a second.
function arrow(table, row, yUp, line) {
  const get = (name) => table.get(name)[row];
  const from = yUp ? [get("bx"), (get("ly") + get("uy")) / 2, get("by")] : [get("bx"), get("by"), (get("lz") + get("uz")) / 2];
  const way = ["vx", "vy", "vz"].map((name) => ARROW * get(name));
  const length = Math.hypot(...way);
  if (!(length > 0) || !from.every(Number.isFinite)) return;
  const to = from.map((v, i) => v + way[i]);
  line(from, to, 255);
  const head = Math.min(1, 0.3 * length) / length;
  const side = yUp ? [-way[2], 0, way[0]] : [-way[1], way[0], 0];
  for (const sign of [-0.5, 0.5]) line(to, to.map((v, i) => v - head * (way[i] + sign * side[i])), 255);
}
