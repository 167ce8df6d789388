// SPDX-License-Identifier: BSD-3-Clause
//
// clouds.mjs: synthetic clouds for the tests of the page, the same on every machine.
import { writeFileSync } from "node:fs";
import path from "node:path";
import { folder } from "./harness.mjs";

// Numbers in [0, 1): a linear congruential generator.
export function randomNumbers(seed) {
  let state = BigInt(seed) + 1n;
  return () => {
    state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number(state >> 40n) / 2 ** 24;
  };
}

const WRITE = { f32: ["F", 4, "writeFloatLE"], f64: ["F", 8, "writeDoubleLE"], u8: ["U", 1, "writeUInt8"],
  u16: ["U", 2, "writeUInt16LE"], u32: ["U", 4, "writeUInt32LE"], i32: ["I", 4, "writeInt32LE"] };

// Writes points as a binary PCD. fields: [[name, type, values] ..], equally long.
export function writePcd(name, fields) {
  const rows = fields[0][2].length;
  const kinds = fields.map(([, type]) => WRITE[type]);
  const head = ["# .PCD v0.7", "VERSION 0.7", `FIELDS ${fields.map(([title]) => title).join(" ")}`,
    `SIZE ${kinds.map(([, size]) => size).join(" ")}`, `TYPE ${kinds.map(([letter]) => letter).join(" ")}`,
    `COUNT ${fields.map(() => 1).join(" ")}`, `WIDTH ${rows}`, "HEIGHT 1", "VIEWPOINT 0 0 0 1 0 0 0", `POINTS ${rows}`,
    "DATA binary", ""].join("\n");
  const body = Buffer.alloc(rows * kinds.reduce((sum, [, size]) => sum + size, 0));
  let at = 0;
  for (let i = 0; i < rows; ++i)
    fields.forEach(([, , values], k) => {
      body[kinds[k][2]](values[i], at);
      at += kinds[k][1];
    });
  writeFileSync(path.join(folder, name), Buffer.concat([Buffer.from(head, "utf8"), body]));
  return name;
}

// Boxes of points on a circle around the sensor, 6 m apart at least, and a plane below them. Box k has 30 + 20 k points
// and begins at label order k. Returns {x, y, z, intensity}.
export function street({ boxes = 8, ground = 3000, seed = 1, shift = [0, 0, 0], turn = 0 } = {}) {
  const random = randomNumbers(seed);
  const cloud = { x: [], y: [], z: [], intensity: [] };
  const add = (x, y, z) => {
    [cloud.x, cloud.y, cloud.z].forEach((list, k) => list.push(Math.fround([x, y, z][k] + shift[k])));
    cloud.intensity.push(Math.round(random() * 100) / 100);
  };
  for (let k = 0; k < boxes; ++k) {
    const angle = (2 * Math.PI * k) / boxes + turn;
    const range = 12 + k;
    for (let i = 0; i < 30 + 20 * k; ++i)
      add(range * Math.cos(angle) + 1.2 * random(), range * Math.sin(angle) + 1.2 * random(), -1 + 1.5 * random());
  }
  for (let i = 0; i < ground; ++i) add(60 * random() - 30, 60 * random() - 30, -1.8 + 0.02 * random());
  return cloud;
}

export function writeStreet(name, options) {
  const { x, y, z, intensity } = street(options);
  return writePcd(name, [["x", "f32", x], ["y", "f32", y], ["z", "f32", z], ["intensity", "f32", intensity]]);
}
