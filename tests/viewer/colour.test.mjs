// SPDX-License-Identifier: BSD-3-Clause
//
// colour.test.mjs: the colours of points in the page are those of pictures. The six points are those of test_view_paint.c:
// core and border of one cluster, another cluster twice, noise, ground.
import assert from "node:assert/strict";
import { test } from "node:test";
import { colourPoints, rampPlace, robustLimits } from "../../viewer/page/colour.js";

const grey = (v) => `#${v.toString(16).padStart(2, "0").repeat(3)}`;
const special = {
  noise: "#0a0000", ground: "#0b0000", core: "#0c0000", border: "#0d0000", differs: "#0e0000",
  clouds: ["#010000", "#020000"],
};
const SCENE = {
  palette: ["#a00000", "#a10000", "#a20000"], special: { dark: special, light: special },
  ramp: Array.from({ length: 256 }, (_, i) => grey(i)),
};

// A frame as far as colours need it.
function frameOf(changes = {}) {
  const columns = {
    label0: [8, 8, 3, 3, -1, -2], label1: [8, 8, 3, -1, -1, -2], core0: [1, 0, 1, 0, 0, 0], differs: [0, 0, 0, 1, 0, 0],
    "field:intensity": [5, NaN, 10, 0, 7.5, 2.5],
  };
  const table = { label: [3, 8], colour: [2, 1] };
  return {
    rows: 6, firstOfSecondCloud: 6, x: [6, 5, 4, 3, 2, 1], y: [0, 0, 0, 0, 0, 0], z: [0, 0.01, 0.02, 0.03, 0.04, 0.05],
    header: { up: "z", flip: false, origin: [0, 0, 0], sensor: [0, 0, 0], clouds: [{ name: "a" }, { name: "b" }] },
    clusters: [{ get: (name) => table[name] }, { get: (name) => table[name] }],
    column: (name) => columns[name] && { values: columns[name], copyTo: () => Float64Array.from(columns[name]) },
    ...changes,
  };
}

// The first bytes (red) of all points; "-" where a point is not drawn.
function reds(frame, mode, labeling = 0, options = {}) {
  const { rgba } = colourPoints(frame, mode, labeling, SCENE, true, options);
  return Array.from({ length: frame.rows }, (_, i) => (rgba[4 * i + 3] === 255 ? rgba[4 * i] : "-"));
}

test("labels have the colours of their clusters", () => {
  assert.deepEqual(reds(frameOf(), "label"), [0xa1, 0xa1, 0xa2, 0xa2, 0x0a, 0x0b]);
  assert.deepEqual(reds(frameOf(), "label", 1), [0xa1, 0xa1, 0xa2, 0x0a, 0x0a, 0x0b]);
  assert.deepEqual(reds(frameOf(), "ground"), [0xa0, 0xa0, 0xa0, 0xa0, 0x0a, 0x0b]);
  assert.deepEqual(reds(frameOf(), "core"), [0x0c, 0x0d, 0x0c, 0x0d, 0x0a, 0x0b]);
  assert.deepEqual(reds(frameOf(), "difference"), [0x0a, 0x0a, 0x0a, 0x0e, 0x0a, 0x0a]);
});

test("numbers follow the ramp", () => {
  const up = [0, 51, 102, 153, 204, 255];
  const flipped = frameOf();
  flipped.header.flip = true;
  assert.deepEqual(reds(frameOf(), "height"), up);
  assert.deepEqual(reds(flipped, "height"), up.toReversed());
  assert.deepEqual(reds(frameOf(), "range"), up.toReversed());
  assert.deepEqual(reds(frameOf(), "field:intensity"), [128, 0x0a, 255, 0, 191, 64]);
  assert.deepEqual(reds(frameOf(), "field:intensity", 0, { low: 0, high: 5 }), [255, 0x0a, 255, 0, 255, 128]);
});

test("a single number is in the middle of the ramp", () => {
  assert.deepEqual(reds(frameOf({ z: [7, 7, 7, 7, 7, 7] }), "height"), Array(6).fill(128));
  assert.deepEqual(robustLimits([7, 7], null), [6.5, 7.5]);
  assert.equal(rampPlace(3, 3, 3, 256), 128);
});

test("limits are the 2nd and the 98th percentile of what is finite", () => {
  const values = Float64Array.from({ length: 101 }, (_, i) => i);
  assert.deepEqual(robustLimits(values, null), [2, 98]);
  assert.deepEqual(robustLimits(Float64Array.of(NaN, 1e9, ...values), Uint8Array.from({ length: 103 }, (_, i) => i !== 1)),
    [2, 98]);
  assert.deepEqual(robustLimits([NaN], null), [0, 1]);
});

test("points of a second cloud have the colour of that cloud", () => {
  const frame = frameOf({ firstOfSecondCloud: 4 });
  assert.deepEqual(reds(frame, "cloud"), [1, 1, 1, 1, 2, 2]);
  assert.deepEqual(reds(frame, "label"), [0xa1, 0xa1, 0xa2, 0xa2, 2, 2]);
});

test("points of the filter are not drawn", () => {
  const hidden = (...keys) => ({ filter: new Set(keys) });
  assert.deepEqual(reds(frameOf(), "height", 0, hidden(3)), [0, 51, "-", "-", 204, 255]);
  assert.deepEqual(reds(frameOf(), "core", 0, hidden("border", -1)), [0x0c, "-", 0x0c, "-", "-", 0x0b]);
});
