// SPDX-License-Identifier: BSD-3-Clause
//
// png.mjs: reads the PNGs that browsers write: 8 bits per channel, RGB or RGBA, not interlaced.
import { inflateSync } from "node:zlib";

// The byte that the filter predicts (PNG specification, section 9).
function predict(filter, left, above, corner) {
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) return 0;
  const [a, b, c] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs);
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

export function readPng(bytes) {
  const [width, height, depth, kind] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[24], bytes[25]];
  if (depth !== 8 || (kind !== 2 && kind !== 6) || bytes[28] !== 0) throw new Error("this kind of PNG is not read here");
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const step = kind === 2 ? 3 : 4;
  const stride = width * step;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y)
    for (let i = 0; i < stride; ++i) {
      const here = y * stride + i;
      const left = i < step ? 0 : pixels[here - step];
      const above = y === 0 ? 0 : pixels[here - stride];
      const corner = i < step || y === 0 ? 0 : pixels[here - stride - step];
      pixels[here] = raw[y * (stride + 1) + 1 + i] + predict(raw[y * (stride + 1)], left, above, corner);
    }
  const at = (x, y) => `#${pixels.toString("hex", y * stride + x * step, y * stride + x * step + 3)}`;
  return { width, height, at };
}
