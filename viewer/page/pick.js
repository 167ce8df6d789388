// SPDX-License-Identifier: BSD-3-Clause
//
// pick.js: the point under the cursor. The points around the cursor are drawn once more, with their row numbers as colours,
// so that the answer is the point that is seen.
const REACH = 6; // CSS pixels

// Returns the row of the drawn point nearest to a pixel, or -1. target: the texture of the points, which is drawn over.
// draw(): draws the row numbers into the target. x, y: pixels from the lower left corner of the target; ratio: device
// pixels per CSS pixel; part: the pixels of the view.
export function pickRow(renderer, target, part, x, y, ratio, draw) {
  const reach = Math.ceil(REACH * ratio);
  const left = Math.max(part.x, Math.floor(x) - reach);
  const bottom = Math.max(part.y, Math.floor(y) - reach);
  const width = Math.min(part.x + part.width, Math.floor(x) + reach + 1) - left;
  const height = Math.min(part.y + part.height, Math.floor(y) + reach + 1) - bottom;
  if (width <= 0 || height <= 0) return -1;
  target.viewport.set(part.x, part.y, part.width, part.height);
  target.scissor.set(left, bottom, width, height);
  target.scissorTest = true;
  renderer.setRenderTarget(target);
  renderer.setClearColor(0x000000, 0);
  renderer.clear(true, true, false);
  draw();
  const bytes = new Uint8Array(4 * width * height);
  renderer.readRenderTargetPixels(target, left, bottom, width, height, bytes);
  renderer.setRenderTarget(null);
  return nearestId(bytes, width, height, x - left, y - bottom, REACH * ratio) - 1;
}

// The id of the pixel nearest to (x, y), 0 where all pixels within `reach` are empty.
export function nearestId(bytes, width, height, x, y, reach) {
  let best = (reach + 0.5) ** 2;
  let id = 0;
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const at = 4 * (row * width + column);
      const here = (bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)) >>> 0;
      const away = (column + 0.5 - x) ** 2 + (row + 0.5 - y) ** 2;
      if (here !== 0 && away < best) {
        best = away;
        id = here;
      }
    }
  return id;
}
