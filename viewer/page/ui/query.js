// SPDX-License-Identifier: BSD-3-Clause
//
// query.js: the numbers of clusters by name, filtering them by text such as "points>100 distance<20", and sorting.

import { MOVING } from "../tracks.js";

// What can be filtered and sorted by. Names in "also" mean the same.
const QUANTITIES = {
  label: { also: ["cluster", "id"] },
  points: { also: ["count", "size"] },
  length: { also: ["long"] },
  width: { also: ["wide"] },
  tall: { also: [] },
  distance: { also: ["dist", "range"] },
  height: { also: ["above"] },
  score: { also: [] },
  object: { also: [] },
  fits: { also: [] },
  track: { also: [] },
  speed: { also: ["velocity"] },
  moving: { also: ["moves"] },
};

// Returns {count, label, points, ...}: one array per quantity that the table has.
export function quantities(table, up) {
  const numbers = { count: table.count };
  const copy = (name, column) => {
    if (table.has(column)) numbers[name] = table.get(column);
  };
  copy("label", "label");
  copy("points", "count");
  copy("length", "length");
  copy("width", "width");
  copy("distance", "distance");
  copy("height", "height");
  copy("score", "score");
  copy("object", "object");
  copy("fits", "fits");
  copy("track", "track");
  const [low, high] = up === "y" ? [table.get("ly"), table.get("uy")] : [table.get("lz"), table.get("uz")];
  numbers.tall = low.map((value, i) => high[i] - value);
  if (table.has("vx")) {
    const [vy, vz] = [table.get("vy"), table.get("vz")];
    numbers.speed = table.get("vx").map((value, i) => Math.hypot(value, vy[i], vz[i]));
  }
  if (table.has("moving")) numbers.moving = table.get("moving").map((value) => Number(value === MOVING));
  return numbers;
}

function quantityOf(word) {
  const names = Object.keys(QUANTITIES);
  return names.find((name) => name === word || QUANTITIES[name].also.includes(word))
    ?? names.find((name) => word.length > 0 && name.startsWith(word));
}

const COMPARE = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "=": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

const CONDITION = /^([a-z]+)?(<=|>=|!=|=|<|>)(-?\d*\.?\d+(?:e-?\d+)?)$/;

// Returns {conditions, error}. A number alone is a label, or another `identity`; several of them mean any of these clusters.
export function parseQuery(text, identity = "label") {
  const conditions = [];
  const labels = [];
  const terms = text.toLowerCase().replace(/\s*(<=|>=|!=|=|<|>)\s*/g, "$1").split(/[\s,;&]+/);
  for (const term of terms.filter((one) => one !== "" && one !== "and")) {
    if (/^#?\d+$/.test(term)) {
      labels.push(Number(term.replace("#", "")));
      continue;
    }
    const match = CONDITION.exec(term);
    const quantity = match && quantityOf(match[1] ?? "points");
    if (!quantity) return { conditions, error: `“${term}” is not understood. Try points>100 or distance<20.` };
    conditions.push({ quantity, test: COMPARE[match[2]], number: Number(match[3]) });
  }
  if (labels.length > 0) {
    const wanted = new Set(labels);
    conditions.push({ quantity: identity, test: (label) => wanted.has(label), number: 0 });
  }
  return { conditions, error: null };
}

// Returns the indices of the clusters that fulfil all conditions, sorted by a quantity. Unknown numbers are last.
export function choose(numbers, conditions, sort, descending) {
  const chosen = [];
  for (let i = 0; i < numbers.count; ++i) {
    const passes = ({ quantity, test, number }) => quantity in numbers && test(numbers[quantity][i], number);
    if (conditions.every(passes)) chosen.push(i);
  }
  const by = numbers[sort] ?? numbers.label;
  const sign = descending ? -1 : 1;
  chosen.sort((a, b) => {
    const [x, y] = [by[a], by[b]];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
  return chosen;
}
