// SPDX-License-Identifier: BSD-3-Clause
//
// stage.test.mjs: the parts of the stage that need no browser: boxes, pairs, picked pixels, how many points are drawn while
// the camera moves, and when frames are due.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boxLines, groundHeight, pairLines } from "../../viewer/page/boxes.js";
import { Frames } from "../../viewer/page/frames.js";
import { Pace } from "../../viewer/page/pace.js";
import { nearestId } from "../../viewer/page/pick.js";
import { Player } from "../../viewer/page/play.js";
import { highlightColours } from "../../viewer/page/points.js";
import { State } from "../../viewer/page/state.js";
import { trackLines } from "../../viewer/page/tracks.js";
import { choose, parseQuery, quantities } from "../../viewer/page/ui/query.js";

const SCENE = { ramp: ["#000000", "#000010", "#000020"] };

// A box of length 4 along y (yaw 90), width 2, from 5 to 8 upwards, in the middle of 10 and 20.
function tableOf(up, more = {}) {
  const [low, high] = up === "y" ? ["ly", "uy"] : ["lz", "uz"];
  const columns = {
    label: [7], count: [3], colour: [1], bx: [10], by: [20], length: [4], width: [2], yaw: [90], distance: [1],
    height: [2], lx: [0], ly: [0], lz: [0], ux: [0], uy: [0], uz: [0], [low]: [5], [high]: [8], ...more,
  };
  return { count: 1, get: (name) => columns[name], has: (name) => name in columns };
}

// The least and the greatest coordinate along each axis.
function extent({ places }) {
  return [0, 1, 2].map((axis) => {
    const along = [...places].filter((_, i) => i % 3 === axis).map((v) => Math.round(v * 1e4) / 1e4);
    return [Math.min(...along), Math.max(...along)];
  });
}

test("boxes have their corners", () => {
  for (const up of ["z", "y"]) {
    const frame = { header: { up }, clusters: [tableOf(up)] };
    const lines = boxLines(frame, 0, [0], () => "#000002");
    const [first, second, upwards] = [[9, 11], [18, 22], [5, 8]];
    assert.deepEqual(extent(lines), up === "y" ? [first, upwards, second] : [first, second, upwards]);
    assert.equal(lines.colours.length, 4 * 12);
    assert.deepEqual([...lines.colours.subarray(0, 4)], [0, 0, 2, 255]);
    const lengths = Array.from({ length: 12 }, (_, i) => {
      const [a, b, c, d, e, f] = lines.places.subarray(6 * i, 6 * i + 6);
      return Math.round(Math.hypot(a - d, b - e, c - f));
    });
    assert.deepEqual(lengths.toSorted(), [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
  }
});

test("boxes that are not asked for or not finite are left out", () => {
  const frame = { header: { up: "z" }, clusters: [tableOf("z")] };
  assert.equal(boxLines(frame, 0, [], () => "#000002").colours.length, 0);
  const broken = { header: { up: "z" }, clusters: [tableOf("z", { yaw: [NaN] })] };
  assert.equal(boxLines(broken, 0, [0], () => "#000002").colours.length, 0);
});

test("what moves has an arrow and a trail in its colour, the sensor a path", () => {
  const table = (columns) => ({
    count: Object.values(columns)[0].length, get: (name) => columns[name], has: (name) => name in columns,
  });
  const trails = table({
    x: [0, 1, 5, 6, 7, 9], y: [0, 0, 2, 2, 2, 9], z: [0, 0, 0, 0, 0, 0], track: [0, 0, 41, 41, 41, 50],
    time: [-9, 0, -5, -2.5, 0, 0], joined: [0, 1, 0, 1, 0, 1],
  });
  const clusters = tableOf("z", { moving: [2], track: [41], vx: [0], vy: [3], vz: [0] });
  const frame = { header: { up: "z", pose: [] }, clusters: [clusters], trails };
  const { places, colours } = trackLines(frame, 0, [0], () => "#000002", { text: "#040404" });
  assert.equal(colours.length / 4, 5, "an arrow of three lines, one line of the trail, one of the path; track 50 is not here");
  assert.deepEqual([...places.subarray(0, 6)].map((v) => Math.round(v * 1e4) / 1e4), [10, 20, 6.5, 10, 23, 6.5]);
  assert.deepEqual([...colours.subarray(12)], [4, 4, 4, 255, 0, 0, 2, 158], "an older part is fainter");
  assert.deepEqual([...places.subarray(24)], [5, 2, 0, 6, 2, 0]);
  const still = { ...frame, clusters: [tableOf("z", { moving: [1], track: [41], vx: [0], vy: [0], vz: [0] })] };
  assert.equal(trackLines(still, 0, [0], () => "#000002", { text: "#040404" }).colours.length / 4, 1, "only the path");
});

test("pairs join their points and have a colour by length", () => {
  const frame = { pairs: { a: [0, 0, 0], b: [1, 2, 3] }, x: [1, 1, 2, NaN], y: [2, 2, 2, 2], z: [3, 3, 3, 3] };
  const { places, colours } = pairLines(frame, SCENE);
  assert.deepEqual([...places.subarray(6, 12)], [1, 2, 3, 2, 2, 3]);
  assert.deepEqual([...colours], [0, 0, 0, 220, 0, 0, 0x20, 220, 0, 0, 0, 0]);
});

test("the ground is below", () => {
  const header = { up: "z", flip: false, low: [0, 0, -2], high: [0, 0, 5] };
  assert.equal(groundHeight({ header, rows: 0, column: () => null }), -2);
  assert.equal(groundHeight({ header: { ...header, flip: true }, rows: 0, column: () => null }), 5);
  const z = Array.from({ length: 301 }, (_, i) => i / 100);
  assert.equal(groundHeight({ header, rows: 301, z, column: () => ({ values: z.map(() => -2) }) }), 1.5);
});

test("the nearest pixel with a point is picked", () => {
  const bytes = new Uint8Array(4 * 9 * 9);
  const put = (x, y, id) => new DataView(bytes.buffer).setUint32(4 * (9 * y + x), id, true);
  assert.equal(nearestId(bytes, 9, 9, 4.5, 4.5, 4), 0);
  put(0, 0, 5);
  assert.equal(nearestId(bytes, 9, 9, 4.5, 4.5, 4), 0, "too far away");
  put(4, 8, 0x81000002);
  put(6, 4, 7);
  assert.equal(nearestId(bytes, 9, 9, 4.5, 4.5, 4), 7);
  assert.equal(nearestId(bytes, 9, 9, 4.5, 8.5, 4), 0x81000002);
});

test("the points of one label stand out, hidden ones stay hidden", () => {
  const alpha = highlightColours(Uint8Array.of(1, 1, 1, 255, 2, 2, 2, 255, 3, 3, 3, 0), [7, 8, 7], 7).filter((_, i) => i % 4 === 3);
  assert.ok(alpha[0] > alpha[1] && alpha[1] > 0 && alpha[2] === 0);
});

test("slow devices draw fewer points while the camera moves", () => {
  const pace = new Pace();
  pace.moved(0);
  assert.equal(pace.next(0, 1e6, false), 1);
  pace.moved(130);
  assert.equal(pace.next(130, 1e6, false), 4, "130 ms are more than twice 60 ms");
  pace.moved(140);
  assert.equal(pace.next(140, 1e6, false), 2, "quick again");
  assert.equal(pace.next(1000, 1e6, false), 1, "the camera rests");
  assert.equal(pace.next(1130, 1e6, true) > 1, true, "a finger is down");
  assert.equal(pace.next(1200, 1000, true), 1, "few points");
});

// Frames with these stamps, without a page.
function framesOf(stamps) {
  globalThis.document = { querySelectorAll: () => stamps };
  return new Frames(stamps.map((stamp) => ({ stamp })));
}

test("frames are due by their stamps", () => {
  assert.deepEqual(framesOf([100, 100.5, 102]).times(), [0, 0.5, 2]);
  assert.deepEqual(framesOf([100, null, 102]).times(), [0, 0.1, 0.2]);
  assert.deepEqual(framesOf([100, 99, 101]).times(), [0, 0.1, 0.2]);
  assert.deepEqual(framesOf([null, null]).times(), [0, 1], "two, such as before and after");
  const player = new Player({ state: new State({}), frames: framesOf([0, 1, 2, 3]) });
  assert.equal(player.lastBefore(0.5, 1), 1);
  assert.equal(player.lastBefore(2, 1), 2);
  assert.equal(player.lastBefore(9, 1), 3);
});

test("clusters have a height of their own and a speed", () => {
  for (const up of ["z", "y"]) {
    const numbers = quantities(tableOf(up, { track: [4], vx: [2], vy: [3], vz: [6] }), up);
    assert.deepEqual([numbers.tall, numbers.speed, numbers.points, numbers.track], [[3], [7], [3], [4]]);
  }
  assert.ok(!("speed" in quantities(tableOf("z"), "z")));
  assert.ok(!("score" in quantities(tableOf("z"), "z")));
  const scored = quantities(tableOf("z", { object: [1], fits: [3], score: [0.25] }), "z");
  assert.deepEqual([scored.object, scored.fits, scored.score], [[1], [3], [0.25]]);
  assert.deepEqual(choose(scored, parseQuery("score>0.2 object=1").conditions, "score", true), [0]);
  assert.deepEqual(choose(scored, parseQuery("score>0.3").conditions, "score", true), []);
});
