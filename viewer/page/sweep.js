// SPDX-License-Identifier: BSD-3-Clause
//
// sweep.js: x, y and z of a packet with a "sweep" are corrections of a prediction (README.md, "Sweeps"). The arithmetic is
// float64 in exactly this order, because the program that wrote the packet computed the same.

// Writes the integers of all rows to X, Y, Z. Returns false where one does not fit in their type.
function predict(e, f, g, sweep, X, Y, Z) {
  const { back, cos, sin } = sweep;
  const [ax, ay, az] = sweep.apex;
  for (let i = 0; i < e.length; i++) {
    const j = i - back;
    const px = j < 0 ? 0 : X[j] - ax;
    const py = j < 0 ? 0 : Y[j] - ay;
    const pz = j < 0 ? 0 : Z[j] - az;
    const qx = px * cos - py * sin;
    const qy = px * sin + py * cos;
    let x;
    let y;
    if (Math.abs(qx) >= Math.abs(qy)) {
      x = Math.floor(qx + 0.5) + e[i];
      y = Math.floor(x * (qx === 0 ? 0 : qy / qx) + 0.5) + f[i];
    } else {
      y = Math.floor(qy + 0.5) + e[i];
      x = Math.floor(y * (qx / qy) + 0.5) + f[i];
    }
    const ratio = Math.sqrt(x * x + y * y) / Math.sqrt(px * px + py * py);
    const z = Math.floor(pz * (ratio <= 16 ? ratio : 1) + 0.5) + g[i];
    X[i] = x + ax;
    Y[i] = y + ay;
    Z[i] = z + az;
    if (X[i] !== x + ax || Y[i] !== y + ay || Z[i] !== z + az) return false;
  }
  return true;
}

// Replaces the corrections of three columns by their integers.
export function undoSweep(x, y, z, sweep) {
  const corrections = [x.values, y.values, z.values];
  for (const Type of [Int32Array, Float64Array]) {
    const integers = corrections.map((values) => new Type(values.length));
    if (!predict(...corrections, sweep, ...integers)) continue;
    [x, y, z].forEach((column, axis) => column.replace(integers[axis]));
    return;
  }
  throw new Error('The "sweep" of the packet leads to numbers that are not finite.');
}
