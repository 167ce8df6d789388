// SPDX-License-Identifier: BSD-3-Clause
//
// colour.js: a colour per point. Colours are 4 bytes per point; alpha 0 means: not drawn.
import { baseOf } from "./orbit.js";

const NOISE = -1;
export const GROUND = -2;
const MOST_SAMPLES = 1 << 17; // values that the limits of a ramp are found from

const TITLES = {
  label: "Clusters",
  height: "Height",
  range: "Range",
  ground: "Ground, clusters, noise",
  core: "Core, border, noise",
  cloud: "Cloud",
  difference: "Difference",
  rgb: "True colour",
};

// The colour modes that this frame has values for.
export function colourModes(frame) {
  const ids = [];
  if (frame.column("label0")) ids.push("label");
  if (frame.column("rgb")) ids.push("rgb");
  ids.push("height", "range");
  if (frame.column("label0")) ids.push("ground");
  if (frame.column("core0") || frame.column("core1")) ids.push("core");
  if (frame.firstOfSecondCloud < frame.rows) ids.push("cloud");
  if (frame.column("differs")) ids.push("difference");
  const modes = ids.map((id) => ({ id, title: TITLES[id] }));
  for (const name of frame.fieldNames) modes.push({ id: `field:${name}`, title: name });
  return modes;
}

// "#rrggbb" as [r, g, b], 0 to 255.
export function parseColour(text) {
  const number = parseInt(text.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

// A colour as the 4 bytes r, g, b, 255 of a little-endian number.
function packed(text) {
  const [r, g, b] = parseColour(text);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// The colour of a cluster, by its row in the table.
export function clusterColour(frame, labeling, cluster, scene) {
  const index = frame.clusters[labeling].get("colour")[cluster];
  return scene.palette[(Number.isFinite(index) ? index : cluster) % scene.palette.length];
}

// The labels of a labelling and, per label, the row of its cluster.
export function clustersByLabel(frame, labeling) {
  const names = frame.clusters[labeling].get("label");
  const rows = new Map();
  for (let i = 0; i < names.length; i++) rows.set(Number.isFinite(names[i]) ? names[i] : i, i);
  return rows;
}

// Returns the limits between which a ramp runs: the 2nd and the 98th percentile of the finite values. A single value is in
// the middle of its limits.
export function robustLimits(values, drawn) {
  const step = Math.max(1, Math.ceil(values.length / MOST_SAMPLES));
  const sample = new Float64Array(Math.ceil(values.length / step));
  let count = 0;
  for (let i = 0; i < values.length; i += step)
    if (Number.isFinite(values[i]) && (!drawn || drawn[i])) sample[count++] = values[i];
  if (count === 0) return [0, 1];
  const sorted = sample.subarray(0, count).sort();
  const low = sorted[Math.floor(0.02 * (count - 1))];
  const high = sorted[Math.ceil(0.98 * (count - 1))];
  return low < high ? [low, high] : [low - 0.5, low + 0.5];
}

// The place of a value in a ramp, which has this number of colours, as view_ramp_colour() finds it; NaN of NaN.
export function rampPlace(value, low, high, colours) {
  const share = high > low ? (value - low) / (high - low) : 0.5;
  return Math.floor(Math.min(1, Math.max(0, share)) * (colours - 1) + 0.5);
}

// The heights of all points in file coordinates, upwards.
function heights(frame) {
  const { up, flip, origin } = frame.header;
  const axis = up === "y" ? 1 : 2;
  const sign = baseOf(up, flip).up[axis];
  const from = frame[axis === 1 ? "y" : "z"];
  const values = new Float64Array(frame.rows);
  for (let i = 0; i < values.length; i++) values[i] = sign * (from[i] + origin[axis]);
  return values;
}

function ranges(frame) {
  const { x, y, z } = frame;
  const [sx, sy, sz] = frame.header.sensor;
  const values = new Float64Array(frame.rows);
  for (let i = 0; i < values.length; i++)
    values[i] = Math.sqrt((x[i] - sx) ** 2 + (y[i] - sy) ** 2 + (z[i] - sz) ** 2);
  return values;
}

// 1 per row that is finite.
function finiteRows(frame) {
  const finite = new Uint8Array(frame.rows).fill(1);
  const hidden = frame.column("hidden")?.values;
  if (hidden) for (let i = 0; i < finite.length; i++) finite[i] = hidden[i] ? 0 : 1;
  return finite;
}

// Takes out points that are not finite, and those of labels in the filter.
function takeOut(frame, labeling, finite, filter, out) {
  const labels = frame.column(`label${labeling}`)?.values;
  const end = frame.firstOfSecondCloud;
  if (labels && filter.size > 0) for (let i = 0; i < end; i++) if (filter.has(labels[i])) out[i] = 0;
  for (let i = 0; i < out.length; i++) if (!finite[i]) out[i] = 0;
}

function paintNumbers(values, finite, out, scene, special, options) {
  const limits = robustLimits(values, finite);
  const low = options.low ?? limits[0];
  const high = options.high ?? limits[1];
  const ramp = Uint32Array.from(scene.ramp, packed);
  const missing = packed(special.noise);
  for (let i = 0; i < out.length; i++)
    out[i] = Number.isFinite(values[i]) ? ramp[rampPlace(values[i], low, high, ramp.length)] : missing;
  return { kind: "ramp", low, high };
}

// Paints points by classes. kinds: per row an index into the entries {key, title, colour}. A point whose key is in the
// filter is not drawn.
function paintClasses(entries, kinds, finite, filter, out) {
  const colours = Uint32Array.from(entries, (entry) => (filter.has(entry.key) ? 0 : packed(entry.colour)));
  const counts = new Float64Array(entries.length);
  for (let i = 0; i < out.length; i++) {
    out[i] = colours[kinds[i]];
    counts[kinds[i]] += finite[i];
  }
  return entries.map((entry, i) => ({ ...entry, count: counts[i], hidden: filter.has(entry.key) }));
}

// Per row: 0 cluster, 1 ground, 2 noise, 3 point of the second cloud.
function kindsOf(frame, labels) {
  const kinds = new Uint8Array(frame.rows).fill(3);
  const end = frame.firstOfSecondCloud;
  for (let i = 0; i < end; i++) kinds[i] = labels[i] >= 0 ? 0 : labels[i] === GROUND ? 1 : 2;
  return kinds;
}

// Where only the ground was searched, the rest is what stands on it: its colour differs more from that of the ground.
function kindEntries(frame, kinds, scene, special) {
  const groundAlone = kinds.includes(1) && !kinds.includes(0);
  const rest = groundAlone ? { title: "Not ground", colour: scene.palette[0] } : { title: "Noise", colour: special.noise };
  return [
    { key: "clusters", title: "Clusters", colour: scene.palette[0] },
    { key: GROUND, title: "Ground", colour: special.ground },
    { key: NOISE, ...rest },
    { key: "cloud1", title: frame.header.clouds?.[1]?.name ?? "", colour: special.clouds[1] },
  ];
}

function paintGround(frame, labels, scene, special, finite, filter, out) {
  const kinds = kindsOf(frame, labels);
  const entries = paintClasses(kindEntries(frame, kinds, scene, special), kinds, finite, filter, out);
  return entries.filter((entry) => entry.count > 0);
}

// The bytes r, g, b of an integer r << 16 | g << 8 | b in the order of packed().
function paintRgb(column, special, out) {
  const { values, nan } = column;
  const missing = packed(special.noise);
  for (let i = 0; i < out.length; i++) {
    const v = values[i];
    out[i] = v === nan ? missing : (255 << 24) | ((v & 255) << 16) | (v & 0xff00) | ((v >> 16) & 255);
  }
}

// Clusters by the palette; noise, ground and a second cloud by colours of their own.
function paintLabels(frame, labeling, labels, scene, special, finite, filter, out) {
  const entries = paintGround(frame, labels, scene, special, finite, filter, out);
  if (!filter.has("clusters")) {
    const colours = new Map();
    for (const [label, cluster] of clustersByLabel(frame, labeling))
      colours.set(label, packed(clusterColour(frame, labeling, cluster, scene)));
    const end = frame.firstOfSecondCloud;
    // Neighbours in the file often share their label.
    let last = NOISE;
    let colour = 0;
    for (let i = 0; i < end; i++) {
      const label = labels[i];
      if (label < 0) continue;
      if (label !== last) colour = colours.get(label) ?? packed(scene.palette[label % scene.palette.length]);
      last = label;
      out[i] = colour;
    }
  }
  return entries.map((entry) => (entry.key === "clusters" ? { ...entry, colours: scene.palette } : entry));
}

function paintCore(frame, labeling, labels, scene, special, finite, filter, out) {
  const core = frame.column(`core${labeling}`)?.values;
  const kinds = kindsOf(frame, labels);
  const [, ground, noise, cloud] = kindEntries(frame, kinds, scene, special);
  for (let i = 0; i < kinds.length; i++) if (core?.[i]) kinds[i] = 4;
  const border = { key: "border", title: "Border", colour: special.border };
  const cores = { key: "core", title: "Core", colour: special.core };
  const [borders, grounds, noises, clouds, first] =
    paintClasses([border, ground, noise, cloud, cores], kinds, finite, filter, out);
  return [first, borders, noises, grounds, clouds].filter((entry) => entry.count > 0);
}

function paintCloud(frame, special, finite, filter, out) {
  const kinds = new Uint8Array(frame.rows).fill(1, frame.firstOfSecondCloud);
  const title = (i) => frame.header.clouds?.[i]?.name ?? "";
  const entries = [0, 1].map((i) => ({ key: `cloud${i}`, title: title(i), colour: special.clouds[i] }));
  return paintClasses(entries, kinds, finite, filter, out);
}

function paintDifference(frame, special, finite, filter, out) {
  const entries = [
    { key: "same", title: "Same", colour: special.noise },
    { key: "differs", title: "Different", colour: special.differs },
  ];
  const [same, differs] = paintClasses(entries, frame.column("differs").values, finite, filter, out);
  return [differs, same];
}

function paint(frame, mode, labeling, scene, special, finite, options, out) {
  const { filter } = options;
  const numbers = (values, unit) => ({ ...paintNumbers(values, finite, out, scene, special, options), unit });
  const list = (entries) => ({ kind: "list", entries });
  if (mode.startsWith("field:")) {
    const column = frame.column(mode);
    if (!column) throw new Error(`The frame has no field "${mode.slice(6)}".`);
    return numbers(column.copyTo(new Float64Array(frame.rows)), "");
  }
  if (mode === "height") return numbers(heights(frame), "m");
  if (mode === "range") return numbers(ranges(frame), "m");
  if (mode === "rgb" && frame.column("rgb")) {
    paintRgb(frame.column("rgb"), special, out);
    return list([]);
  }
  if (mode === "cloud") return list(paintCloud(frame, special, finite, filter, out));
  if (mode === "difference" && frame.column("differs")) return list(paintDifference(frame, special, finite, filter, out));
  const labels = frame.column(`label${labeling}`)?.values;
  if (!labels) throw new Error(`The frame has no labels to colour by "${mode}".`);
  if (mode === "label") return list(paintLabels(frame, labeling, labels, scene, special, finite, filter, out));
  if (mode === "ground") return list(paintGround(frame, labels, scene, special, finite, filter, out));
  if (mode === "core") return list(paintCore(frame, labeling, labels, scene, special, finite, filter, out));
  throw new Error(`The frame cannot be coloured by "${mode}".`);
}

// Returns {rgba, legend}. labeling: 0 or 1. options: filter (Set of keys of legend entries that are not drawn; a number is
// a label, in every mode), low and high (of the ramp).
export function colourPoints(frame, mode, labeling, scene, dark, options = {}) {
  const special = scene.special[dark ? "dark" : "light"];
  const filter = options.filter ?? new Set();
  const finite = finiteRows(frame);
  const rgba = new Uint8Array(4 * frame.rows);
  const out = new Uint32Array(rgba.buffer);
  const legend = paint(frame, mode, labeling, scene, special, finite, { ...options, filter }, out);
  takeOut(frame, labeling, finite, filter, out);
  return { rgba, legend };
}
