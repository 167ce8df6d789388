// SPDX-License-Identifier: BSD-3-Clause
//
// packet.js: a packet (README.md, "A packet") becomes a Frame. Nothing in the bytes is trusted: a damaged packet is an
// Error with one sentence.
import { Column, inflate } from "./column.js";
import { undoSweep } from "./sweep.js";

const MOST_HEADER_BYTES = 1 << 28;
const MOST_ROWS = 1 << 28;
const MOST_DEFLATED = 1040; // most bytes that deflate makes out of one
// Rows without a byte in the packet: points at one place, empty maps. Clusters and pairs are never all the same.
const FREE_ROWS = 1 << 24;
const FREE_OTHERS = 1 << 16;

function isCount(value, most) {
  return Number.isInteger(value) && value >= 0 && value <= most;
}

function isPlace(value) {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
}

// Inflates bytes of unknown size.
async function inflateText(bytes) {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    const inflated = await new Response(stream).arrayBuffer();
    if (inflated.byteLength > MOST_HEADER_BYTES) throw new Error("too long");
    return new TextDecoder().decode(inflated);
  } catch {
    throw new Error("The header of the packet cannot be inflated: its bytes are damaged.");
  }
}

function checkHeader(header) {
  if (header === null || typeof header !== "object") throw new Error("The header of the packet is not an object.");
  for (const name of ["origin", "sensor", "low", "high"])
    if (!isPlace(header[name])) throw new Error(`The header of the packet has no ${name} of three numbers.`);
  if (!header.tables || typeof header.tables !== "object" || !header.tables.points)
    throw new Error("The packet has no table of points.");
  const { sweep } = header.tables.points;
  const numbers = sweep && [sweep.cos, sweep.sin, ...(Array.isArray(sweep.apex) ? sweep.apex : [])];
  if (sweep && (!(isCount(sweep.back, MOST_ROWS) && sweep.back > 0) || numbers.length !== 5 || !numbers.every(Number.isFinite)))
    throw new Error('The "sweep" of the packet has no back, cos, sin and apex.');
  for (const name of ["home", "top", "side", "sensor"]) {
    const view = header.views?.[name];
    if (!view || !isPlace(view.eye) || !isPlace(view.target) || !isPlace(view.up))
      throw new Error(`The packet has no camera for the view "${name}".`);
  }
}

// Rows take memory even where all their columns have no bytes: a small packet must not ask for gigabytes.
function checkSize(rows, columns, free, what) {
  const bytes = columns.reduce((sum, about) => sum + (about?.planes > 0 ? about.size : 0), 0);
  if (rows > free && !(rows <= MOST_DEFLATED * bytes)) throw new Error(`${what} has fewer bytes than ${rows} rows need.`);
}

async function readColumn(about, rows, body, table) {
  const what = `Column "${about?.name}" of "${table}"`;
  if (!about || typeof about.name !== "string") throw new Error(`A column of "${table}" has no name.`);
  if (!isCount(about.planes, 8)) throw new Error(`${what} has ${about.planes} byte planes; 0 to 8 are possible.`);
  if (!isCount(about.back, MOST_ROWS)) throw new Error(`${what} has a wrong "back".`);
  if (!Number.isFinite(about.scale) || !Number.isFinite(about.offset)) throw new Error(`${what} has no scale and offset.`);
  if (about.planes === 0 || rows === 0) return new Column(null, rows, { ...about, planes: 0 });
  if (!isCount(about.at, body.length) || !isCount(about.size, body.length - about.at))
    throw new Error(`${what} lies outside of the packet: the packet is cut off.`);
  if (rows * about.planes > MOST_DEFLATED * about.size) throw new Error(`${what} has fewer bytes than ${rows} rows need.`);
  const bytes = await inflate(body.subarray(about.at, about.at + about.size), rows * about.planes, what);
  return new Column(bytes, rows, about);
}

async function readTable(tables, name, body) {
  const table = tables[name];
  if (!table) return { rows: 0, columns: new Map() };
  if (!isCount(table.rows, MOST_ROWS) || !Array.isArray(table.columns))
    throw new Error(`Table "${name}" of the packet has no rows and columns.`);
  checkSize(table.rows, table.columns, name === "points" ? FREE_ROWS : FREE_OTHERS, `Table "${name}" of the packet`);
  const columns = await Promise.all(table.columns.map((about) => readColumn(about, table.rows, body, name)));
  return { rows: table.rows, columns: new Map(columns.map((column) => [column.name, column])) };
}

async function readMap(about, body) {
  const sized = about && isCount(about.rows, 16384) && isCount(about.columns, 16384);
  const known = sized && ["f32", "u8", "i32"].includes(about.kind);
  if (!known || !(about.corner?.length === 2 && about.corner.every?.(Number.isFinite)) || !(about.cell > 0))
    throw new Error(`Map "${about?.name}" of the packet is not described.`);
  const cells = about.rows * about.columns;
  checkSize(cells, [about.column], FREE_ROWS, `Map "${about.name}" of the packet`);
  const column = await readColumn(about.column, cells, body, `map ${about.name}`);
  const { name, kind, rows, columns, corner, cell } = about;
  let values = null;
  return {
    name, kind, rows, columns, corner, cell,
    get values() {
      values ??= column.copyTo(kind === "f32" ? new Float64Array(cells) : new Int32Array(cells));
      return values;
    },
  };
}

// A small table, such as the clusters of one labelling: a value per row and name.
class NumberTable {
  #columns;
  #arrays = new Map();

  constructor(table) {
    this.count = table.rows;
    this.#columns = table.columns;
  }

  has(name) {
    return this.#columns.has(name);
  }

  // All values of a column; NaN where the packet does not have the column.
  get(name) {
    let array = this.#arrays.get(name);
    if (!array) {
      array = new Float64Array(this.count).fill(NaN);
      this.#columns.get(name)?.copyTo(array);
      this.#arrays.set(name, array);
    }
    return array;
  }
}

class Frame {
  #points;

  constructor(header, points, clusters, trails, pairs, maps) {
    this.header = header;
    this.rows = points.rows;
    this.#points = points;
    this.clusters = clusters.map((table) => new NumberTable(table));
    this.trails = new NumberTable(trails);
    this.maps = maps;
    this.columnNames = [...points.columns.keys()];
    this.fieldNames = this.columnNames.filter((name) => name.startsWith("field:")).map((name) => name.slice(6));
    for (const axis of ["x", "y", "z"]) this[axis] = this.column(axis).copyTo(new Float32Array(this.rows));
    const a = pairs.columns.get("a");
    const b = pairs.columns.get("b");
    this.pairs = a && b ? { a: Uint32Array.from(a.values), b: Uint32Array.from(b.values) } : null;
  }

  column(name) {
    return this.#points.columns.get(name) ?? null;
  }

  // First row of the second cloud; `rows` where there is one cloud.
  get firstOfSecondCloud() {
    return this.header.clouds?.length > 1 ? this.header.clouds[0].points : this.rows;
  }
}

// Coordinates of a row as in the file, from the exact integers.
export function fileCoordinates(frame, row) {
  return ["x", "y", "z"].map((axis, i) => frame.column(axis).value(row) + frame.header.origin[i]);
}

function checkRows(frame) {
  const first = frame.header.clouds?.[0]?.points;
  if (first !== undefined && !isCount(first, frame.rows)) throw new Error("A cloud of the packet has more points than rows.");
  if (!frame.pairs) return;
  const { a, b } = frame.pairs;
  for (let i = 0; i < a.length; i++)
    if (a[i] >= frame.rows || b[i] >= frame.rows) throw new Error(`Pair ${i} of the packet names a point that it has not.`);
}

// Returns the Frame of a packet. buffer: ArrayBuffer or Uint8Array.
export async function decodePacket(buffer) {
  const bytes = buffer instanceof Uint8Array ? buffer : new Uint8Array(buffer);
  if (bytes.length < 8 || String.fromCharCode(...bytes.subarray(0, 4)) !== "CLV1")
    throw new Error('These bytes are not a packet: they do not begin with "CLV1".');
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(4, true);
  if (size > bytes.length - 8) throw new Error("The packet is cut off inside its header.");
  const text = await inflateText(bytes.subarray(8, 8 + size));
  let header;
  try {
    header = JSON.parse(text);
  } catch {
    throw new Error("The header of the packet is not JSON.");
  }
  checkHeader(header);
  const body = bytes.subarray(8 + size);
  const { tables } = header;
  const [points, first, second, trails, pairs, maps] = await Promise.all([
    readTable(tables, "points", body),
    readTable(tables, "clusters0", body),
    readTable(tables, "clusters1", body),
    readTable(tables, "trails", body),
    readTable(tables, "pairs", body),
    Promise.all((header.maps ?? []).map((about) => readMap(about, body))),
  ]);
  for (const axis of ["x", "y", "z"])
    if (!points.columns.has(axis)) throw new Error(`The points of the packet have no column "${axis}".`);
  if (tables.points.sweep) undoSweep(...["x", "y", "z"].map((axis) => points.columns.get(axis)), tables.points.sweep);
  const frame = new Frame(header, points, [first, second], trails, pairs, maps);
  checkRows(frame);
  return frame;
}
