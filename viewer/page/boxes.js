// SPDX-License-Identifier: BSD-3-Clause
//
// boxes.js: the lines of a frame: boxes of clusters, pairs, and range rings around the sensor. Each function returns
// {places, colours}: 6 numbers and 4 bytes per line.
import { GROUND, parseColour, rampPlace, robustLimits } from "./colour.js";
import { add, baseOf } from "./orbit.js";

const RADII = [1, 2, 5, 10, 20, 30, 40, 50, 75, 100, 150, 200, 300, 500, 1000];
const RING_SIDES = 96;
const RING_ALPHA = 55;

// Digits as strokes between corners: 0 1 above, 2 3 in the middle, 4 5 below.
const DIGITS = [
  "01 15 54 40", "15", "01 13 32 24 45", "01 15 54 23", "02 23 15", "10 02 23 35 54", "10 04 45 53 32", "01 15",
  "01 15 54 40 23", "32 20 01 15 54",
];

// Edges of a box as pairs of corners. Corner k: bit 0 along the length, bit 1 along the width, bit 2 upwards.
const EDGES = [0, 1, 2, 3, 4, 5, 6, 7, 0, 2, 1, 3, 4, 6, 5, 7, 0, 4, 1, 5, 2, 6, 3, 7];

// Corners of the yaw-oriented box of a cluster.
function boxCorners(frame, labeling, cluster) {
  const table = frame.clusters[labeling];
  const get = (name) => table.get(name)[cluster];
  const yUp = frame.header.up === "y";
  const yaw = (get("yaw") * Math.PI) / 180;
  const along = [(Math.cos(yaw) * get("length")) / 2, (Math.sin(yaw) * get("length")) / 2];
  const across = [(-Math.sin(yaw) * get("width")) / 2, (Math.cos(yaw) * get("width")) / 2];
  const heights = yUp ? [get("ly"), get("uy")] : [get("lz"), get("uz")];
  const corners = [];
  for (let k = 0; k < 8; k++) {
    const a = k & 1 ? 1 : -1;
    const b = k & 2 ? 1 : -1;
    const u = get("bx") + a * along[0] + b * across[0];
    const v = get("by") + a * along[1] + b * across[1];
    const h = heights[k >> 2];
    corners.push(yUp ? [u, h, v] : [u, v, h]);
  }
  return corners;
}

// Boxes of clusters, given by their rows. colourOf(cluster): as "#rrggbb".
export function boxLines(frame, labeling, clusters, colourOf) {
  const places = new Float32Array(clusters.length * 72);
  const colours = new Uint8Array(clusters.length * 48);
  let used = 0;
  for (const cluster of clusters) {
    const corners = boxCorners(frame, labeling, cluster);
    if (!corners.every((corner) => corner.every(Number.isFinite))) continue;
    const rgba = [...parseColour(colourOf(cluster)), 255];
    for (let edge = 0; edge < 12; edge++, used++) {
      places.set(corners[EDGES[2 * edge]], 6 * used);
      places.set(corners[EDGES[2 * edge + 1]], 6 * used + 3);
      colours.set(rgba, 4 * used);
    }
  }
  return { places: places.subarray(0, 6 * used), colours: colours.subarray(0, 4 * used) };
}

// Pairs, coloured by their length.
export function pairLines(frame, scene) {
  const { a, b } = frame.pairs;
  const { x, y, z } = frame;
  const places = new Float32Array(6 * a.length);
  const colours = new Uint8Array(4 * a.length);
  const lengths = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) {
    const [p, q] = [a[i], b[i]];
    lengths[i] = Math.hypot(x[p] - x[q], y[p] - y[q], z[p] - z[q]);
    places.set([x[p], y[p], z[p], x[q], y[q], z[q]], 6 * i);
  }
  const [, high] = robustLimits(lengths, null);
  const ramp = scene.ramp.map(parseColour);
  for (let i = 0; i < a.length; i++) {
    if (Number.isFinite(lengths[i])) colours.set([...ramp[rampPlace(lengths[i], 0, high, ramp.length)], 220], 4 * i);
  }
  return { places, colours };
}

// Height of the ground plane, along the up axis: the median of the ground points, or the low end of the robust box.
export function groundHeight(frame) {
  const { header } = frame;
  const yUp = header.up === "y";
  const labels = frame.column("label0")?.values;
  const heights = yUp ? frame.y : frame.z;
  const sample = [];
  const step = Math.max(1, Math.floor(frame.rows / 20000));
  if (labels) for (let i = 0; i < frame.rows; i += step) if (labels[i] === GROUND) sample.push(heights[i]);
  if (sample.length > 100) return sample.sort((a, b) => a - b)[sample.length >> 1];
  return (header.flip ? header.high : header.low)[yUp ? 1 : 2];
}

// The radii of the rings that suit the extent of a frame.
function ringRadii(header) {
  const flat = header.up === "y" ? [0, 2] : [0, 1];
  const reach = Math.max(...flat.map((i) => Math.max(header.high[i] - header.sensor[i], header.sensor[i] - header.low[i])));
  const wanted = RADII.filter((radius) => radius <= reach * 1.3 && radius >= reach / 12);
  return wanted.length > 6 ? wanted.filter((radius) => [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].includes(radius)) : wanted;
}

// Calls line(from, to) for the strokes of a number that lies on the ground. corner: where it begins; right, up: directions
// of the text, one digit wide and half a digit high.
function writeNumber(number, corner, right, up, line) {
  [...String(number)].forEach((digit, i) => {
    const at = (k) => add(add(corner, right, 1.5 * i + (k & 1)), up, 2 - (k >> 1));
    for (const stroke of DIGITS[digit].split(" ")) line(at(Number(stroke[0])), at(Number(stroke[1])));
  });
}

// Rings on the ground around the sensor with their radii in metres, and a mark at the sensor: its axes and a line down to
// the ground.
export function ringLines(frame, special) {
  const { header } = frame;
  const { first, second } = baseOf(header.up, header.flip);
  const foot = [...header.sensor];
  foot[header.up === "y" ? 1 : 2] = groundHeight(frame);
  const places = [];
  const colours = [];
  const line = (a, b, rgb, alpha) => {
    places.push(...a, ...b);
    colours.push(...rgb, alpha);
  };
  const text = parseColour(special.text);
  for (const radius of ringRadii(header)) {
    const at = (k) => {
      const angle = (2 * Math.PI * k) / RING_SIDES;
      return add(add(foot, first, radius * Math.cos(angle)), second, radius * Math.sin(angle));
    };
    for (let k = 0; k < RING_SIDES; k++) line(at(k), at(k + 1), text, RING_ALPHA);
    const size = 0.02 * radius + 0.1;
    const scaled = (direction, factor) => direction.map((v) => v * factor * size);
    writeNumber(radius, add(at(0), first, 0.6 * size), scaled(second, -1), scaled(first, 1), (a, b) => line(a, b, text, 150));
  }
  line(foot, header.sensor, text, 200);
  const axes = [[[1.5, 0, 0], [225, 75, 75]], [[0, 1.5, 0], [70, 170, 80]], [[0, 0, 1.5], [70, 130, 230]]];
  for (const [direction, rgb] of axes) line(header.sensor, add(header.sensor, direction), rgb, 255);
  return { places: new Float32Array(places), colours: new Uint8Array(colours) };
}
