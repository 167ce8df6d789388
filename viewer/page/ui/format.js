// SPDX-License-Identifier: BSD-3-Clause
//
// format.js: numbers, times and labels as text. The same in every language setting of the browser.

const DASH = "–";

// Returns 1234567 as "1 234 567", with thin spaces.
export function count(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

// Returns "1 point", "2 points".
export function plural(number, word) {
  return `${count(number)} ${word}${number === 1 ? "" : "s"}`;
}

// Returns a length with the given decimals, or a dash where it is not known.
export function fixed(number, decimals = 2) {
  return Number.isFinite(number) ? number.toFixed(decimals) : DASH;
}

// Returns a number with at most `digits` digits, integers with all of theirs.
export function brief(number, digits = 7) {
  if (number === null || !Number.isFinite(number)) return number === null || Number.isNaN(number) ? "NaN" : String(number);
  if (Number.isInteger(number)) return Math.abs(number) < 1e15 ? String(number) : number.toExponential(6);
  const size = Math.abs(number);
  if (size >= 1e7 || size < 1e-4) return number.toExponential(Math.min(4, digits - 1));
  return String(Number(number.toPrecision(digits)));
}

// Returns a text whose middle is left out where it is long: names of files differ at their ends.
export function shortened(text, most = 27) {
  const half = Math.floor((most - 1) / 2);
  return text.length > most ? `${text.slice(0, half)}…${text.slice(-half)}` : text;
}

export function labelText(label) {
  if (label === -1) return "noise";
  return label === -2 ? "ground" : `cluster ${label}`;
}

// Returns whose size an object of `clump objects` has; fits is a clump_fit.
export function fitText(object, fits) {
  return object ? ["other", "a car", "a truck", "a person"][fits] ?? "other" : "background";
}

// Returns a time stamp in seconds since 1970 as text in UTC, or seconds alone where it is no date.
export function stampText(stamp) {
  if (stamp === null || stamp === undefined) return "";
  if (stamp < 1e8) return `${stamp.toFixed(2)} s`;
  const date = new Date(stamp * 1000);
  return Number.isNaN(date.getTime()) ? `${stamp} s` : date.toISOString().replace("T", " ").slice(0, 22);
}

export function bytes(number) {
  if (number < 1024) return `${number} B`;
  const power = Math.min(4, Math.floor(Math.log2(number) / 10));
  return `${(number / 2 ** (10 * power)).toFixed(1)} ${["", "KiB", "MiB", "GiB", "TiB"][power]}`;
}

// Returns milliseconds with three digits.
export function milliseconds(number) {
  if (!Number.isFinite(number)) return DASH;
  if (number >= 1000) return `${(number / 1000).toFixed(2)} s`;
  return `${number >= 100 ? number.toFixed(0) : number.toPrecision(3)} ms`;
}
