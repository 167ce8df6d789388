// SPDX-License-Identifier: BSD-3-Clause
//
// sample.mjs: packets made by hand, byte by byte as viewer/README.md defines them, for tests of the page's decoder.
import { deflateRawSync } from "node:zlib";

// Integers (numbers or BigInts) as byte planes of zigzag numbers. Returns {planes, bytes}; bytes are not deflated.
export function planesOf(values, back) {
  const zigzag = Array.from(values, (value, i) => {
    const difference = BigInt(value) - (back > 0 && i >= back ? BigInt(values[i - back]) : 0n);
    return BigInt.asUintN(64, (difference << 1n) ^ (difference >> 63n));
  });
  let planes = 0;
  for (const number of zigzag) while (planes < 8 && number >> BigInt(8 * planes)) planes++;
  const bytes = new Uint8Array(planes * zigzag.length);
  for (let plane = 0; plane < planes; plane++)
    zigzag.forEach((number, i) => (bytes[plane * zigzag.length + i] = Number((number >> BigInt(8 * plane)) & 255n)));
  return { planes, bytes };
}

// Collects the deflated columns of a packet.
export class Body {
  parts = [];
  size = 0;

  // Adds a column and returns its description. about: name, and scale, offset, nan .. where they are not 1 and 0.
  column(values, about, back = 1) {
    const { planes, bytes } = planesOf(values, back);
    const deflated = planes > 0 ? deflateRawSync(bytes) : new Uint8Array(0);
    const at = this.size;
    this.parts.push(deflated);
    this.size += deflated.length;
    return { scale: 1, offset: 0, exact: true, ...about, back, planes, at, size: deflated.length };
  }

  table(rows, columns) {
    return { rows, columns };
  }
}

// A header that the decoder takes, with `changes`.
export function headerOf(changes) {
  const view = { eye: [-10, 0, 5], target: [0, 0, 0], up: [0, 0, 1] };
  return {
    name: "sample", number: 0, stamp: null, origin: [0, 0, 0], up: "z", flip: false, sensor: [0, 0, 0], of: 0, clouds: [],
    views: { home: view, top: { eye: [0, 0, 10], target: [0, 0, 0], up: [1, 0, 0] }, side: view, sensor: view },
    low: [-1, -1, -1], high: [1, 1, 1], labelings: [], differs: null, facts: null, tables: {}, maps: [], ...changes,
  };
}

export function packetOf(header, body) {
  const deflated = deflateRawSync(Buffer.from(JSON.stringify(header)));
  const start = Buffer.alloc(8);
  start.write("CLV1", "latin1");
  start.writeUInt32LE(deflated.length, 4);
  return new Uint8Array(Buffer.concat([start, deflated, ...body.parts]));
}
