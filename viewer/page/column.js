// SPDX-License-Identifier: BSD-3-Clause
//
// column.js: one column of a packet: inflated bytes, then integers, then values (README.md, "A packet"). The integers are
// made when a column is first read, because most columns of a frame are never looked at.

// Returns the inflated bytes, which must be `size` in number.
export async function inflate(bytes, size, what) {
  const stream = new DecompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  // A failure of the writer reaches the reader too, which reports it.
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const all = new Uint8Array(size);
  let used = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (used + value.length > size) throw new Error("more bytes than expected");
      all.set(value, used);
      used += value.length;
    }
  } catch (error) {
    reader.cancel().catch(() => {});
    throw new Error(`${what} cannot be inflated: ${error.message || "damaged bytes"}.`);
  }
  if (used !== size) throw new Error(`${what} has ${used} bytes instead of ${size}.`);
  return all;
}

// Joins the byte planes of up to 4 bytes per row. Row i is the unsigned number u in a signed int32.
function joinPlanes(bytes, rows, planes, first) {
  const u = new Int32Array(rows);
  for (let plane = 0; plane < planes; plane++) {
    const from = (first + plane) * rows;
    const shift = 8 * plane;
    if (shift === 0) for (let i = 0; i < rows; i++) u[i] = bytes[from + i];
    else for (let i = 0; i < rows; i++) u[i] |= bytes[from + i] << shift;
  }
  return u;
}

// Zigzag and differences of numbers of 32 bits, in place. Returns false where a sum leaves the 32 bits; u is spoilt then.
function sumNarrow(u, back) {
  const rows = u.length;
  if (back === 0) {
    for (let i = 0; i < rows; i++) u[i] = (u[i] >>> 1) ^ -(u[i] & 1);
    return true;
  }
  const start = Math.min(back, rows);
  for (let i = 0; i < start; i++) u[i] = (u[i] >>> 1) ^ -(u[i] & 1);
  let inside = true;
  for (let i = start; i < rows; i++) {
    const sum = ((u[i] >>> 1) ^ -(u[i] & 1)) + u[i - back];
    u[i] = sum;
    if (sum !== (sum | 0)) inside = false;
  }
  return inside;
}

// Zigzag and differences of numbers of 64 bits as two halves. Each result is rounded once, to a double.
function sumWide(bytes, rows, planes, back) {
  const low = joinPlanes(bytes, rows, Math.min(planes, 4), 0);
  const high = joinPlanes(bytes, rows, Math.max(planes - 4, 0), 4);
  const values = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const sign = -(low[i] & 1);
    let l = ((low[i] >>> 1) | (high[i] << 31)) ^ sign;
    let h = (high[i] >>> 1) ^ sign;
    if (back > 0 && i >= back) {
      const sum = (l >>> 0) + (low[i - back] >>> 0);
      h = (h + high[i - back] + (sum > 0xffffffff ? 1 : 0)) | 0;
      l = sum | 0;
    }
    low[i] = l;
    high[i] = h;
    values[i] = h * 4294967296 + (l >>> 0);
  }
  return values;
}

function decodeIntegers(bytes, rows, planes, back) {
  if (planes === 0 || rows === 0) return new Int32Array(rows);
  if (planes <= 4) {
    const u = joinPlanes(bytes, rows, planes, 0);
    if (sumNarrow(u, back)) return u;
  }
  return sumWide(bytes, rows, planes, back);
}

export class Column {
  #bytes;
  #rows;
  #planes;
  #back;
  #values = null;

  constructor(bytes, rows, about) {
    this.name = about.name;
    this.scale = about.scale;
    this.offset = about.offset;
    this.exact = about.exact === true;
    this.type = about.type ?? null;
    this.nan = about.nan ?? null;
    this.#bytes = bytes;
    this.#rows = rows;
    this.#planes = about.planes;
    this.#back = about.back;
  }

  // The integers: Int32Array, or Float64Array where 32 bits are too few.
  get values() {
    if (this.#values === null) {
      this.#values = decodeIntegers(this.#bytes, this.#rows, this.#planes, this.#back);
      this.#bytes = null;
    }
    return this.#values;
  }

  // Takes integers that were made otherwise (sweep.js).
  replace(values) {
    this.#values = values;
    this.#bytes = null;
  }

  value(row) {
    const v = this.values[row];
    return v === this.nan ? NaN : this.offset + this.scale * v;
  }

  // Fills an array with the values of all rows.
  copyTo(array) {
    const { values, scale, offset, nan } = this;
    for (let i = 0; i < array.length; i++) array[i] = offset + scale * values[i];
    if (nan !== null) for (let i = 0; i < array.length; i++) if (values[i] === nan) array[i] = NaN;
    return array;
  }
}
