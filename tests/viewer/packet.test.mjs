// SPDX-License-Identifier: BSD-3-Clause
//
// packet.test.mjs: the decoder of the page against packets made by hand: correct ones, and broken ones, which must become
// one sentence. Run by: node --test tests/viewer/packet.test.mjs
import assert from "node:assert/strict";
import test from "node:test";
import { colourModes, colourPoints } from "../../viewer/page/colour.js";
import { decodePacket, fileCoordinates } from "../../viewer/page/packet.js";
import { Body, headerOf, packetOf } from "./sample.mjs";

const SCENE = {
  palette: ["#ff0000", "#00ff00", "#0000ff"],
  ramp: ["#000000", "#808080", "#ffffff"],
  special: { dark: {
    background: "#000000", ground: "#111111", noise: "#222222", differs: "#333333", core: "#444444", border: "#555555",
    highlight: "#666666", text: "#777777", clouds: ["#888888", "#999999"],
  } },
};

// Four points with labels, a field, clusters, a pair and maps.
function sample(change = () => {}) {
  const body = new Body();
  const steps = { scale: 0.002, exact: false };
  const columns = [
    body.column([0, 500, -500, 1000], { name: "x", ...steps }),
    body.column([1, 2, 3, 4], { name: "y", ...steps }, 0),
    body.column([7, 7, 7, 9], { name: "z", ...steps, offset: -1 }, 2),
    body.column([5, -1, -2, 5], { name: "label0" }),
    body.column([0, 0, 0, 1], { name: "hidden" }),
    body.column([3, 1, 2, -1], { name: "field:intensity", scale: 0.5, nan: -1, type: "float32" }),
    body.column([0n, 1700000000123456789n, 1700000000123456790n, -5n], { name: "field:time" }),
  ];
  const clusters = ["label", "colour"].map((name, i) => body.column([[5], [2]][i], { name }));
  const pairs = [body.column([0], { name: "a" }), body.column([2], { name: "b" })];
  const header = headerOf({
    origin: [1000, 0, -3], clouds: [{ name: "sample", points: 4 }], of: 4,
    tables: { points: body.table(4, columns), clusters0: body.table(1, clusters), pairs: body.table(1, pairs) },
    maps: [
      { name: "highest", kind: "f32", rows: 1, columns: 4, corner: [0, 0], cell: 0.5,
        column: body.column([1, 2, -9, 4], { name: "highest", scale: 0.001, nan: -9 }) },
      { name: "flag", kind: "u8", rows: 1, columns: 1, corner: [0, 0], cell: 0.5, column: body.column([1], { name: "flag" }) },
    ],
  });
  change(header);
  return packetOf(header, body);
}

test("a packet gives back its numbers", async () => {
  const frame = await decodePacket(sample());
  assert.equal(frame.rows, 4);
  assert.deepEqual([...frame.x], [0, 1, -1, 2]);
  assert.ok(frame.column("label0").values instanceof Int32Array);
  assert.deepEqual([...frame.column("label0").values], [5, -1, -2, 5]);
  const [x, y, z] = fileCoordinates(frame, 1);
  assert.ok(Math.abs(x - 1001) < 1e-9 && Math.abs(y - 0.004) < 1e-9 && Math.abs(z + 3.986) < 1e-9, `${[x, y, z]}`);
  assert.deepEqual(frame.fieldNames, ["intensity", "time"]);
  assert.equal(frame.column("field:intensity").value(1), 0.5);
  assert.ok(Number.isNaN(frame.column("field:intensity").value(3)));
  assert.deepEqual([...frame.column("field:time").values], [0, 1700000000123456789, 1700000000123456790, -5]);
  assert.deepEqual([...frame.clusters[0].get("label")], [5]);
  assert.equal(frame.clusters[1].count, 0);
  assert.deepEqual(frame.pairs, { a: Uint32Array.of(0), b: Uint32Array.of(2) });
  assert.deepEqual([frame.maps[0].rows, frame.maps[0].columns], [1, 4]);
  assert.deepEqual([...frame.maps[0].values], [0.001, 0.002, NaN, 0.004]);
  assert.deepEqual(frame.maps[1].values, Int32Array.of(1));
  assert.equal(frame.column("label1"), null);
});

test("integers of every width and distance come back", async () => {
  const widths = [0, 1, 127, 128, 40000, 2 ** 31 - 1, 2 ** 31, 2 ** 40, 2 ** 52];
  for (const top of widths)
    for (const back of [0, 1, 3, 100]) {
      const values = Array.from({ length: 9 }, (_, i) => (i % 3 === 0 ? top : i % 3 === 1 ? -top : i) + 0);
      const body = new Body();
      const columns = ["x", "y", "z"].map((name) => body.column([0, 0, 0, 0, 0, 0, 0, 0, 0], { name }));
      columns.push(body.column(values, { name: "field:n" }, back));
      const frame = await decodePacket(packetOf(headerOf({ tables: { points: body.table(9, columns) } }), body));
      assert.deepEqual([...frame.column("field:n").values].map((v) => v + 0), values, `up to ${top}, back ${back}`);
    }
});

test("sums that leave 32 bits are kept", async () => {
  const values = Array.from({ length: 5 }, (_, i) => i * 1.5e9);
  const body = new Body();
  const columns = ["x", "y", "z"].map((name) => body.column(values, { name }));
  const frame = await decodePacket(packetOf(headerOf({ tables: { points: body.table(5, columns) } }), body));
  assert.deepEqual([...frame.column("z").values], values);
});

// The coder of README.md, "Sweeps".
function sweepCorrections(points, { back, cos, sin, apex }) {
  const round = (v) => Math.floor(v + 0.5);
  return points.map((point, i) => {
    const p = apex.map((a, k) => (i < back ? 0 : points[i - back][k] - a));
    const [x, y, z] = point.map((v, k) => v - apex[k]);
    const qx = p[0] * cos - p[1] * sin;
    const qy = p[0] * sin + p[1] * cos;
    const k = Math.sqrt(x * x + y * y) / Math.sqrt(p[0] * p[0] + p[1] * p[1]);
    const g = z - round(p[2] * (k <= 16 ? k : 1));
    if (Math.abs(qx) >= Math.abs(qy)) return [x - round(qx), y - round(x * (qx === 0 ? 0 : qy / qx)), g];
    return [y - round(qy), x - round(y * (qx / qy)), g];
  });
}

test("a sweep gives back its integers", async () => {
  const points = Array.from({ length: 200 }, (_, i) => {
    const range = i % 50 === 25 ? 1000 : 5000 + (i % 17) * 900; // ratios of 10 and more, too
    return [Math.round(range * Math.cos(i / 30)), Math.round(range * Math.sin(i / 30)), Math.round(range * 0.1) - 40];
  });
  for (const back of [1, 4]) {
    const sweep = { back, cos: Math.cos(back / 30), sin: Math.sin(back / 30), apex: [3, -2, 11] };
    const corrections = sweepCorrections(points, sweep);
    const body = new Body();
    const columns = ["x", "y", "z"].map((name, k) => body.column(corrections.map((c) => c[k]), { name }, 0));
    const points_table = { ...body.table(200, columns), sweep };
    const frame = await decodePacket(packetOf(headerOf({ tables: { points: points_table } }), body));
    points.forEach((point, i) => assert.deepEqual(fileCoordinates(frame, i), point));
  }
});

test("an empty frame is a frame", async () => {
  const body = new Body();
  const columns = ["x", "y", "z"].map((name) => body.column([], { name }));
  const frame = await decodePacket(packetOf(headerOf({ tables: { points: body.table(0, columns) } }), body).buffer);
  assert.equal(frame.rows, 0);
  assert.equal(colourPoints(frame, "height", 0, SCENE, true).rgba.length, 0);
});

test("broken packets become one sentence", async () => {
  const whole = sample();
  const changed = (change) => sample((header) => change(header.tables.points.columns[0], header));
  const emptied = (table, rows) => {
    table.rows = rows;
    for (const column of table.columns) Object.assign(column, { planes: 0, size: 1e9 });
  };
  const cases = [
    [new Uint8Array(0), /do not begin/],
    [Uint8Array.from([...Buffer.from("CLV2"), ...whole.subarray(4)]), /do not begin/],
    [whole.subarray(0, 20), /cut off inside its header/],
    [whole.subarray(0, whole.length - 1), /cut off|cannot be inflated/],
    [Uint8Array.from(whole, (byte, i) => (i === 10 ? byte ^ 255 : byte)), /header of the packet/],
    [changed((column) => (column.planes = 9)), /"x" of "points" has 9 byte planes/],
    [changed((column) => (column.planes = 1)), /"x" of "points" cannot be inflated/],
    [changed((column) => (column.planes = 3)), /"x" of "points" has \d+ bytes instead of 12/],
    [changed((column) => (column.size = 1e9)), /outside of the packet/],
    [changed((column) => (column.back = -1)), /wrong "back"/],
    [changed((column) => (column.scale = null)), /no scale and offset/],
    [changed((column) => (column.name = "w")), /no column "x"/],
    [changed((_, header) => (header.tables.points.rows = 2 ** 27)), /fewer bytes|has \d+ bytes/],
    [changed((_, header) => emptied(header.tables.points, 2 ** 28)), /"points" of the packet has fewer bytes/],
    [changed((_, header) => emptied(header.tables.clusters0, 2 ** 17)), /"clusters0" of the packet has fewer bytes/],
    [changed((_, { maps }) => Object.assign(maps[0], { rows: 16384, columns: 16384, column: { ...maps[0].column, planes: 0 } })), /fewer bytes/],
    [changed((_, { maps }) => (maps[0].corner = ["a", 0])), /"highest" of the packet is not described/],
    [changed((_, { maps }) => (maps[0].columns = 0.5)), /"highest" of the packet is not described/],
    [changed((_, { maps }) => (maps[0].cell = 0)), /"highest" of the packet is not described/],
    [changed((_, header) => delete header.tables.points), /no table of points/],
    [changed((_, header) => (header.origin = [1, 2])), /no origin/],
    [changed((_, header) => delete header.views.top), /no camera for the view "top"/],
    [changed((_, header) => (header.clouds[0].points = 5)), /more points than rows/],
    [changed((_, header) => (header.tables.pairs.columns[0].offset = 0) || (header.tables.points.sweep = {})), /"sweep"/],
  ];
  for (const [bytes, sentence] of cases)
    await assert.rejects(decodePacket(bytes), (error) => sentence.test(error.message) && /^[^\n]+\.$/.test(error.message)
      ? true : assert.fail(`expected ${sentence}, got: ${error.message}`));
});

test("a packet cut at every byte is refused", async () => {
  const whole = sample();
  for (let size = 0; size < whole.length; size++) await assert.rejects(decodePacket(whole.subarray(0, size)), Error);
});

test("colours follow labels, filters and numbers", async () => {
  const frame = await decodePacket(sample());
  const rgb = (mode, options) => {
    const { rgba } = colourPoints(frame, mode, 0, SCENE, true, options);
    return [0, 1, 2, 3].map((i) => (rgba[4 * i + 3] ? Buffer.from(rgba.subarray(4 * i, 4 * i + 3)).toString("hex") : "-"));
  };
  assert.deepEqual(colourModes(frame).map((mode) => mode.id),
    ["label", "height", "range", "ground", "field:intensity", "field:time"]);
  assert.deepEqual(rgb("label"), ["0000ff", "222222", "111111", "-"]);
  assert.deepEqual(rgb("label", { filter: new Set([-1]) }), ["0000ff", "-", "111111", "-"]);
  assert.deepEqual(rgb("label", { filter: new Set(["clusters"]) }), ["-", "222222", "111111", "-"]);
  assert.deepEqual(rgb("height", { filter: new Set([5]), low: 0, high: 1 })[0], "-");
  assert.deepEqual(rgb("field:intensity", { low: 0.5, high: 1.5 }), ["ffffff", "000000", "808080", "-"]);
  assert.deepEqual(rgb("ground"), ["ff0000", "222222", "111111", "-"]);
  const { legend } = colourPoints(frame, "label", 0, SCENE, true, { filter: new Set([-2]) });
  assert.deepEqual(legend.entries.map(({ key, count, hidden }) => [key, count, hidden]),
    [["clusters", 1, false], [-2, 1, true], [-1, 1, false]]);
  assert.throws(() => colourPoints(frame, "core", 1, SCENE, true), /no labels/);
});
