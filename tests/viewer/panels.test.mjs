// SPDX-License-Identifier: BSD-3-Clause
//
// panels.test.mjs: the parts of the page's panels that need no browser: filter, sorting, address, numbers as text, the tour
// of differences, the state, and which live frames are fetched. Run by: node --test tests/viewer/panels.test.mjs
import assert from "node:assert/strict";
import test from "node:test";
import { bytesOfBase64, Frames } from "../../viewer/page/frames.js";
import { valuesOfHash } from "../../viewer/page/hash.js";
import { Live } from "../../viewer/page/live.js";
import { hasClusters, State } from "../../viewer/page/state.js";
import { differences } from "../../viewer/page/ui/compare.js";
import { linesOf } from "../../viewer/page/ui/facts.js";
import { brief, count, labelText, plural, shortened, stampText } from "../../viewer/page/ui/format.js";
import { choose, parseQuery } from "../../viewer/page/ui/query.js";
import { Body, headerOf, packetOf } from "./sample.mjs";

const NUMBERS = {
  count: 5,
  label: [0, 1, 2, 3, 12],
  points: [50, 500, 5, 500, 70],
  distance: [10, 20, 30, 40, 5],
  height: [1, NaN, 3, 2, NaN],
};

function filtered(text, sort = "label", descending = false) {
  const { conditions, error } = parseQuery(text);
  assert.equal(error, null);
  return choose(NUMBERS, conditions, sort, descending).map((i) => NUMBERS.label[i]);
}

test("a filter has conditions that must all hold", () => {
  assert.deepEqual(filtered(""), [0, 1, 2, 3, 12]);
  assert.deepEqual(filtered("points>100"), [1, 3]);
  assert.deepEqual(filtered("points >= 70, distance<= 20"), [1, 12]);
  assert.deepEqual(filtered("dist<20 and count!=70"), [0]);
  assert.deepEqual(filtered("height>0"), [0, 2, 3]);
  assert.deepEqual(filtered("speed>0"), []);
});

test("numbers alone are labels", () => {
  assert.deepEqual(filtered("12"), [12]);
  assert.deepEqual(filtered("#3 12 99"), [3, 12]);
  assert.deepEqual(filtered("1 3 distance>30"), [3]);
});

test("a filter that is not understood is named", () => {
  for (const text of ["foo", "points>", "foo>3", "points>>3", "<script>"]) assert.match(parseQuery(text).error, /not understood/);
});

test("numbers alone are tracks where there are some", () => {
  const { conditions } = parseQuery("3 12", "track");
  assert.deepEqual(choose({ ...NUMBERS, track: [12, 5, 6, 7, 8] }, conditions, "label", false), [0]);
});

test("sorting puts unknown numbers last and keeps the order of equal ones", () => {
  assert.deepEqual(filtered("", "points", true), [1, 3, 12, 0, 2]);
  assert.deepEqual(filtered("", "height", false), [0, 3, 2, 1, 12]);
  assert.deepEqual(filtered("", "height", true), [2, 3, 0, 1, 12]);
});

test("the address gives only values that exist", () => {
  assert.deepEqual(valuesOfHash("#frame=2&colour=field%3Ax&view=top", 3), { number: 2, colour: "field:x", view: "top" });
  assert.deepEqual(valuesOfHash("#frame=3&view=under", 3), {});
  assert.deepEqual(valuesOfHash("#frame=1.5", 3), {});
});

test("numbers as text", () => {
  assert.equal(count(1234567), "1\u202f234\u202f567");
  assert.equal(plural(1, "point"), "1 point");
  assert.equal(brief(0.1 + 0.2), "0.3");
  assert.equal(brief(NaN), "NaN");
  assert.equal(labelText(-2), "ground");
  assert.equal(stampText(1317384506.4), "2011-09-30 12:08:26.40");
});

test("base64 becomes bytes", () => assert.deepEqual([...bytesOfBase64("AP+A")], [0, 255, 128]));

test("a page has a list where some frame has clusters", () => {
  const frame = (...clusters) => ({ header: { labelings: clusters.map((count) => ({ clusters: count })) } });
  assert.ok(hasClusters({ frame: null, clustered: false }), "before the first frame");
  assert.ok(hasClusters({ frame: frame(0, 3), clustered: false }));
  assert.ok(hasClusters({ frame: frame(0), clustered: true }), "other frames have some");
  assert.ok(!hasClusters({ frame: frame(0), clustered: false }), "only ground and noise");
  assert.ok(!hasClusters({ frame: frame(), clustered: true }));
});

test("listeners hear of changes only", () => {
  const state = new State({ a: 1, b: 2 });
  const heard = [];
  state.on(["a"], (values, changed) => heard.push([...changed]));
  state.set({ a: 1, b: 3 });
  state.set({ a: 2 });
  assert.deepEqual(heard, [["a"]]);
});

test("the tour of differences begins with the largest group", () => {
  const columns = {
    differs: { values: [1, 1, 0, 1, 1] },
    label0: { value: (row) => [4, 4, 4, 4, -1][row] },
    label1: { value: (row) => [-1, -1, 4, -1, 7][row] },
  };
  const frame = {
    rows: 5, header: { up: "z" }, column: (name) => columns[name] ?? null,
    x: [1, 2, 3, 100, 1], y: [1, 3, 1, 1, 1], z: [0, 1, 0, 0, 0],
  };
  const stops = differences(frame);
  assert.deepEqual(stops.map((stop) => stop.count), [2, 1, 1]);
  assert.deepEqual([stops[0].a, stops[0].b, stops[0].low, stops[0].high], [4, -1, [1, 1, 0], [2, 3, 1]]);
});

// A packet with one point and this number.
function onePoint(number) {
  const body = new Body();
  const columns = ["x", "y", "z"].map((name) => body.column([0], { name, scale: 1 }));
  return packetOf(headerOf({ number, tables: { points: body.table(1, columns) } }), body);
}

test("long names lose their middle", () => {
  assert.equal(shortened("scan.pcd"), "scan.pcd");
  assert.equal(shortened("abcdefghijklmnopqrstuvwxyz.pcd", 11), "abcde…z.pcd");
});

test("frames are as far apart as their stamps say", () => {
  const times = (...stamps) => Frames.prototype.times.call({ elements: stamps, list: stamps.map((stamp) => ({ stamp })) });
  assert.deepEqual(times(7, 7.5, 9), [0, 0.5, 2]);
  assert.deepEqual(times(null, null, null), [0, 0.1, 0.2]);
  assert.deepEqual(times(7, 6, 8), [0, 0.1, 0.2]);
  assert.deepEqual(times(null, null), [0, 1], "before and after do not flicker");
});

test("live frames are fetched one at a time, and always the newest", async () => {
  let source = null;
  const fetches = [];
  globalThis.EventSource = class {
    constructor() {
      source = this;
      this.listeners = {};
    }
    addEventListener(name, listener) { this.listeners[name] = listener; }
    close() {}
  };
  globalThis.fetch = (_address, { signal }) => new Promise((resolve) => fetches.push((number) => {
    assert.ok(signal instanceof AbortSignal, "a fetch without an answer is given up");
    resolve({ ok: true, arrayBuffer: async () => onePoint(number) });
  }));
  const shown = [];
  let status = null;
  const live = new Live({ events: "/events", frame: "/frame" }, async (frame) => { shown.push(frame.header.number); },
    (told) => { status = told; });
  const say = (frame) => source.onmessage({ data: JSON.stringify({ frame }) });
  const until = async (done) => { for (let i = 0; i < 200 && !done(); ++i) await new Promise((resolve) => setTimeout(resolve, 5)); };
  [1, 2, 3].forEach(say);
  assert.equal(fetches.length, 1);
  fetches[0](1);
  await until(() => fetches.length === 2);
  assert.deepEqual([shown, status.skipped], [[1], 1]);
  live.setPaused(true);
  fetches[1](3);
  await until(() => !live.busy);
  say(4);
  assert.deepEqual([shown, status.phase, fetches.length], [[1], "paused", 2]);
  live.setPaused(false);
  fetches[2](4);
  await until(() => shown.length === 2);
  source.listeners.end();
  assert.deepEqual([shown, status.phase], [[1, 4], "ended"]);
});

test("facts show objects, and objects in lists, as text", () => {
  const boxes = [{ length: 6, least_top: null, fits: "car" }, { length: 13, least_top: 2.2, fits: "truck" }];
  const deep = { a: { b: { c: { d: { e: 1, f: [{ g: 2 }] } } } } };
  const lines = linesOf({ distance: 0.5, levels: [0.5, 1], parameters: { boxes, crop: null, host: 2048 }, deep });
  assert.deepEqual(lines.slice(0, 7), [
    { name: "distance", text: "0.5", depth: 0 },
    { name: "levels", text: "0.5, 1", depth: 0 },
    { name: "parameters", text: "", depth: 0 },
    { name: "boxes", text: "", depth: 1 },
    { name: "1", text: "length 6, fits car", depth: 2 },
    { name: "2", text: "length 13, least top 2.2, fits truck", depth: 2 },
    { name: "crop", text: "none", depth: 1 },
  ]);
  for (const { text } of lines) assert.doesNotMatch(text, /object Object/);
  assert.equal(lines.at(-1).text, "d e 1, f g 2");
});
