// SPDX-License-Identifier: BSD-3-Clause
//
// decode.mjs CLUMP [DATA]: the numbers in a page equal those of the input. Writes clouds, lets the program make pages of
// them, and decodes the pages with a decoder of its own, written from viewer/README.md. With the folder DATA (or CLUMP_DATA),
// a scan of KITTI too.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";

const [clump, usual] = process.argv.slice(2);
const data = process.env.CLUMP_DATA || usual;
const folder = mkdtempSync(join(tmpdir(), "clump-decode-"));
let failures = 0;

function check(condition, sentence) {
  if (condition) return;
  if (failures++ < 20) console.log(`failed: ${sentence}`);
}

// --- the decoder ---------------------------------------------------------------------------------------------------

function decodeIntegers(body, column, rows) {
  const bytes = column.planes ? inflateRawSync(body.subarray(column.at, column.at + column.size)) : Buffer.alloc(0);
  check(bytes.length === column.planes * rows, `${column.name}: ${bytes.length} bytes in ${column.planes} planes`);
  const values = new Array(rows);
  for (let i = 0; i < rows; i++) {
    let u = 0n;
    for (let k = column.planes - 1; k >= 0; k--) u = (u << 8n) | BigInt(bytes[k * rows + i]);
    const d = Number(u & 1n ? -(u >> 1n) - 1n : u >> 1n);
    values[i] = column.back > 0 && i >= column.back ? d + values[i - column.back] : d;
  }
  return values;
}

function undoSweep({ back, cos, sin, apex }, x, y, z) {
  const round = (v) => Math.floor(v + 0.5);
  for (let i = 0; i < x.length; i++) {
    const P = i < back ? [0, 0, 0] : [x[i - back] - apex[0], y[i - back] - apex[1], z[i - back] - apex[2]];
    const q = [P[0] * cos - P[1] * sin, P[0] * sin + P[1] * cos];
    const large = Math.abs(q[0]) >= Math.abs(q[1]) ? 0 : 1;
    const Q = [0, 0, 0];
    Q[large] = round(q[large]) + x[i];
    Q[1 - large] = round(Q[large] * (q[large] === 0 ? 0 : q[1 - large] / q[large])) + y[i];
    const k = Math.sqrt(Q[0] * Q[0] + Q[1] * Q[1]) / Math.sqrt(P[0] * P[0] + P[1] * P[1]);
    Q[2] = round(P[2] * (k <= 16 ? k : 1)) + z[i];
    [x[i], y[i], z[i]] = Q.map((v, a) => v + apex[a]);
  }
}

// Returns the header and the table of points: name -> numbers.
function decodePacket(packet) {
  check(packet.toString("latin1", 0, 4) === "CLV1", "the packet does not begin with CLV1");
  const size = packet.readUInt32LE(4);
  const header = JSON.parse(inflateRawSync(packet.subarray(8, 8 + size)).toString());
  const body = packet.subarray(8 + size);
  const { rows, columns, sweep } = header.tables.points;
  const integers = new Map(columns.map((column) => [column.name, decodeIntegers(body, column, rows)]));
  if (sweep) undoSweep(sweep, integers.get("x"), integers.get("y"), integers.get("z"));
  const points = {};
  for (const { name, offset, scale, nan } of columns)
    points[name] = integers.get(name).map((v) => (v === nan ? NaN : offset + scale * v));
  return { header, rows, sweep, points };
}

function decodePage(path) {
  const page = readFileSync(path, "latin1");
  const frames = [...page.matchAll(/<script type="text\/plain" class="clump-frame">([^<]*)<\/script>/g)];
  const scene = JSON.parse(/<script type="application\/json" id="clump-scene">([^<]*)<\/script>/.exec(page)[1]);
  check(scene.frames.length === frames.length, "the scene lists other frames than the page has");
  return frames.map((frame) => decodePacket(Buffer.from(frame[1], "base64")));
}

// --- clouds --------------------------------------------------------------------------------------------------------

function makeRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

// A spinning sensor of 16 beams in a room; some points are missing, some are NaN: float32 x y z intensity.
function makeScan() {
  const random = makeRandom(7);
  const numbers = [];
  for (let beam = 0; beam < 16; beam++)
    for (let step = 0; step < 1400; step++) {
      if (random() < 0.05) continue;
      const azimuth = ((step + 0.02 * random()) / 1400) * 2 * Math.PI;
      const range = 8 + 4 * Math.sin(5 * azimuth) + 0.02 * random();
      const elevation = (beam - 8) * 0.03;
      const lost = random() < 0.01 ? NaN : 0;
      numbers.push(lost + range * Math.cos(azimuth), range * Math.sin(azimuth), 0.2 + range * Math.tan(elevation));
      numbers.push(Math.floor(100 * random()) / 100);
    }
  return Float32Array.from(numbers);
}

function runClump(...words) {
  execFileSync(clump, words, { stdio: ["ignore", "ignore", "inherit"] });
}

// Makes a page and the labels of a cloud and compares both with the points [[x, y, z], ..].
function checkPage(name, path, points, fields) {
  const page = join(folder, "page.html"), labels = join(folder, "out.labels");
  runClump("ec", path, "-d", "0.5", "-o", page);
  runClump("ec", path, "-d", "0.5", "-o", labels);
  const frames = decodePage(page);
  check(frames.length === 1, `${name}: ${frames.length} frames`);
  const { header, rows, sweep, points: table } = frames[0];
  check(rows === points.length && header.of === rows, `${name}: ${rows} rows for ${points.length} points`);
  const wanted = readFileSync(labels);
  for (let i = 0; i < rows; i++) {
    const finite = points[i].every(Number.isFinite);
    check((table.hidden?.[i] ?? 0) === (finite ? 0 : 1), `${name}: point ${i}: hidden is wrong`);
    for (let a = 0; finite && a < 3; a++) {
      const value = table["xyz"[a]][i] + header.origin[a];
      check(Math.abs(value - points[i][a]) <= 0.0010001, `${name}: point ${i}: ${"xyz"[a]} is ${value}, not ${points[i][a]}`);
    }
    check(table.label0[i] === wanted.readInt32LE(4 * i), `${name}: point ${i}: label ${table.label0[i]}`);
  }
  for (const [field, { values, error = 0, round = (v) => v }] of Object.entries(fields)) {
    const found = table[`field:${field}`];
    check(found, `${name}: no field ${field}`);
    for (let i = 0; found && i < rows; i++) {
      const same = Number.isFinite(values[i]) ? Math.abs(round(found[i]) - values[i]) <= error : Number.isNaN(found[i]);
      check(same, `${name}: point ${i}: ${field} is ${found[i]}, not ${values[i]}`);
    }
  }
  return { sweep, header };
}

function checkScan(name, numbers) {
  const path = join(folder, "scan.bin");
  writeFileSync(path, Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength));
  const points = [], intensity = [];
  for (let i = 0; i < numbers.length; i += 4) {
    points.push([numbers[i], numbers[i + 1], numbers[i + 2]]);
    intensity.push(numbers[i + 3]);
  }
  const { sweep } = checkPage(name, path, points, { intensity: { values: intensity, round: Math.fround } });
  check(sweep, `${name}: no sweep, although the sensor spins`);
}

// Coordinates near 1e6, NaN, integers of several types, an exact and a rounded field.
function checkFields() {
  const random = makeRandom(11), rows = 3000;
  const points = [], ring = [], count = [], time = [], noise = [];
  for (let i = 0; i < rows; i++) {
    points.push([1e6 + Number((40 * random()).toFixed(3)), -2e6 + Number((40 * random()).toFixed(3)), Number((5 * random()).toFixed(3))]);
    if (i % 97 === 5) points[i] = [NaN, NaN, NaN];
    ring.push(i % 32);
    count.push(Math.floor((random() - 0.5) * 4294967295));
    time.push(1700000000 + i / 1024);
    noise.push(i % 11 === 3 ? NaN : Math.fround(random() * 7));
  }
  const lines = points.map((p, i) => [...p, ring[i], count[i], time[i], noise[i]].map((v) => (Number.isNaN(v) ? "nan" : v)).join(" "));
  const head = `VERSION 0.7\nFIELDS x y z ring count time noise\nSIZE 8 8 8 2 4 8 4\nTYPE F F F U I F F\nCOUNT 1 1 1 1 1 1 1\n`;
  const path = join(folder, "fields.pcd");
  writeFileSync(path, `${head}WIDTH ${rows}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS ${rows}\nDATA ascii\n${lines.join("\n")}\n`);
  const { header } = checkPage("fields", path, points, {
    ring: { values: ring },
    count: { values: count },
    time: { values: time },
    noise: { values: noise, error: 7 / 65534 },
  });
  check(Math.abs(header.origin[0] - 1e6) < 100 && Math.abs(header.origin[1] + 2e6) < 100, "the origin is not near the points");
}

try {
  checkScan("scan", makeScan());
  checkFields();
  const kitti = data && join(data, "kitti", "semkitti_00_000000.bin");
  if (kitti && existsSync(kitti)) {
    const bytes = readFileSync(kitti);
    checkScan("kitti", new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
  } else {
    console.log("skipped: kitti: set CLUMP_DATA to a folder with the real scans");
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.log(failures ? `${failures} failures` : "all numbers came back");
process.exit(failures ? 1 : 0);
