// SPDX-License-Identifier: BSD-3-Clause
//
// tracks.js: arrows and trails of what moves over ground, and the path of the sensor. A frame has a pose, which takes places of
// the file to the ground: 12 numbers, a 3 x 4 matrix row by row. Trails grow as frames are shown, in any order.
import { parseColour } from "./colour.js";

export const MOVING = 2; // of the column "moving": 0 unknown, 1 stands
const SECONDS = 5; // length of a trail
const MOST_GAP = 1.5; // seconds between two places that are joined
const MOST_STEP = 15; // and metres: a recording that begins anew jumps
const MOST_PLACES = 4000; // of a trail; older ones are forgotten
const ARROW = 1; // seconds of motion
const SENSOR = -1; // in place of a track: the path of the sensor

// A place of the packet on the ground, and back.
export function toGround({ pose, origin }, place) {
  const p = place.map((v, i) => v + origin[i]);
  return [0, 4, 8].map((k) => pose[k] * p[0] + pose[k + 1] * p[1] + pose[k + 2] * p[2] + pose[k + 3]);
}

export function fromGround({ pose, origin }, place) {
  const d = [3, 7, 11].map((k, i) => place[i] - pose[k]);
  return [0, 1, 2].map((k) => pose[k] * d[0] + pose[4 + k] * d[1] + pose[8 + k] * d[2] - origin[k]);
}

const timeOf = ({ stamp, number }) => stamp ?? 0.1 * number;

export class Trails {
  constructor() {
    this.places = new Map(); // track -> [{time, place}], by time
  }

  #remember(track, time, place) {
    let list = this.places.get(track);
    if (!list) this.places.set(track, (list = []));
    let at = list.length;
    while (at > 0 && list[at - 1].time > time) at--;
    if (at > 0 && list[at - 1].time === time) list[at - 1].place = place;
    else list.splice(at, 0, { time, place });
    if (list.length > MOST_PLACES) list.shift();
  }

  // Takes the places of a frame.
  add({ header, clusters }) {
    if (!header.pose) return;
    const time = timeOf(header);
    this.#remember(SENSOR, time, toGround(header, header.sensor));
    const table = clusters[0];
    if (!table?.has("moving")) return;
    table.get("moving").forEach((moving, row) => {
      if (moving !== MOVING) return;
      const place = ["cx", "cy", "cz"].map((name) => table.get(name)[row]);
      if (place.every(Number.isFinite)) this.#remember(table.get("track")[row], time, toGround(header, place));
    });
    if (this.places.size > MOST_PLACES) this.#forget(time);
  }

  #forget(now) {
    for (const [track, list] of this.places)
      if (track !== SENSOR && Math.abs(list[list.length - 1].time - now) > 2 * SECONDS) this.places.delete(track);
  }

  // Calls line(from, to, alpha) for the trail of a track up to the frame; `seconds` long.
  #draw(header, track, seconds, line) {
    const now = timeOf(header);
    let before = null;
    for (const each of this.places.get(track) ?? []) {
      if (each.time > now || each.time < now - seconds) continue;
      const alpha = Math.round(60 + 195 * Math.max(0, 1 - (now - each.time) / SECONDS));
      const step = before ? Math.hypot(...each.place.map((v, i) => v - before.place[i])) : Infinity;
      if (step <= MOST_STEP && each.time - before.time <= MOST_GAP)
        line(fromGround(header, before.place), fromGround(header, each.place), alpha);
      before = each;
    }
  }

  // Arrows and trails of the rows that move, and the path of the sensor: {places, colours} as boxes.js.
  lines(frame, labeling, rows, colourOf, special) {
    const { header } = frame;
    const table = frame.clusters[labeling];
    const [places, colours] = [[], []];
    const drawn = (rgb) => (from, to, alpha) => {
      places.push(...from, ...to);
      colours.push(...rgb, alpha);
    };
    if (header.pose) {
      this.#draw(header, SENSOR, Infinity, drawn(parseColour(special.text)));
      for (const row of table?.has("moving") ? rows : []) {
        if (table.get("moving")[row] !== MOVING) continue;
        const line = drawn(parseColour(colourOf(row)));
        this.#draw(header, table.get("track")[row], SECONDS, line);
        arrow(table, row, header.up === "y", line);
      }
    }
    return { places: new Float32Array(places), colours: new Uint8Array(colours) };
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
