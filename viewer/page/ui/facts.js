// SPDX-License-Identifier: BSD-3-Clause
//
// facts.js: how the frame was made: parameters, device, times, the command.
import { copyButton } from "./copy.js";
import { make } from "./dom.js";
import { brief, bytes, count, milliseconds, plural, stampText } from "./format.js";

const ABOUT_RUN = ["method", "device", "reason", "threads", "passes", "memory", "memory_bytes", "approximate"];
const SHOWN_ELSEWHERE = ["command", "input", "parameters", "time_ms", ...ABOUT_RUN];

const LIVE = "The frames come from the server that sent this page.";
const OFFLINE = "This page holds all data it shows and uses no network.";

function section(title, ...children) {
  return make("section", { class: "group" }, make("h2", {}, title), ...children);
}

const isObject = (value) => value !== null && typeof value === "object";
const words = (key) => key.replaceAll("_", " ");

function valueText(key, value) {
  if (value === null) return "none";
  if (typeof value === "number") {
    if (key.endsWith("bytes") || key === "host" || key === "device") return bytes(value);
    return Number.isInteger(value) && Math.abs(value) >= 1000 ? count(value) : brief(value);
  }
  if (Array.isArray(value)) return value.map((one) => valueText(key, one)).join(", ");
  if (!isObject(value)) return String(value);
  return Object.entries(value).filter(([, one]) => one !== null)
    .map(([name, one]) => `${words(name)} ${valueText(name, one)}`).join(", ");
}

// Returns names and values as lines {name, text, depth}; what is inside of an object, and each object of a list, becomes a
// line that is set in.
export function linesOf(object, depth = 0) {
  const lines = [];
  for (const [key, value] of Object.entries(object)) {
    const objects = Array.isArray(value) && value.some(isObject);
    const nested = objects || (isObject(value) && !Array.isArray(value));
    lines.push({ name: words(key), text: nested && depth < 3 ? "" : valueText(key, value), depth });
    if (!nested || depth >= 3) continue;
    if (objects) value.forEach((one, i) => lines.push({ name: String(i + 1), text: valueText(key, one), depth: depth + 1 }));
    else lines.push(...linesOf(value, depth + 1));
  }
  return lines;
}

const listOf = (object) => linesOf(object).flatMap(({ name, text, depth }) =>
  [make("dt", { class: `depth${Math.min(depth, 2)}` }, name), make("dd", {}, text)]);
const list = (object) => make("dl", { class: "facts" }, listOf(object));
const some = (object, keys) => Object.fromEntries(keys.filter((key) => key in object).map((key) => [key, object[key]]));

function timesSection(times) {
  const stages = Object.entries(times.stages ?? {}).filter(([, value]) => typeof value === "number");
  const most = Math.max(...stages.map(([, value]) => value), 1e-9);
  const bars = stages.map(([name, value]) => {
    const bar = make("span", { class: "bar-fill" });
    bar.style.width = `${(100 * value) / most}%`;
    return make("div", { class: "stage-time" }, make("span", {}, name), make("span", { class: "bar-line" }, bar),
      make("span", { class: "number" }, milliseconds(value)));
  });
  const said = `${milliseconds(times.median)} ${times.runs > 1 ? `(median of ${times.runs} runs)` : "in all"}`;
  return section("Time", make("p", { class: "figure" }, said), ...bars);
}

function frameSection(header, rows) {
  const facts = { name: header.name };
  if (header.stamp !== null && header.stamp !== undefined) facts.time = stampText(header.stamp);
  facts.points = rows < header.of ? `${count(rows)} of ${count(header.of)}` : count(rows);
  header.clouds.length > 1 && header.clouds.forEach((cloud, i) => {
    facts[`cloud ${i + 1}`] = `${cloud.name}, ${plural(cloud.points, "point")}`;
  });
  header.labelings.forEach((one) => {
    facts[one.name] = `${plural(one.clusters, "cluster")}, ${count(one.noise)} noise, ${count(one.ground)} ground`;
  });
  if (header.differs !== null && header.differs !== undefined) facts["points that differ"] = count(header.differs);
  return section("Frame", list(facts));
}

function commandSection(command) {
  return section("Made by", make("div", { class: "command" }, make("code", {}, command),
    copyButton("Copy the command", () => command)));
}

export function makeFacts({ state, scene }) {
  const element = make("div", { id: "clump-facts", class: "facts-panel" });

  function show({ frame }) {
    const { header } = frame;
    const facts = header.facts;
    const parts = [frameSection(header, frame.rows)];
    if (facts) {
      const other = Object.keys(facts).filter((key) => !SHOWN_ELSEWHERE.includes(key));
      if (facts.time_ms) parts.push(timesSection(facts.time_ms));
      parts.push(section("Run", list(some(facts, ABOUT_RUN))));
      if (facts.parameters) parts.push(section("Parameters", list(facts.parameters)));
      if (other.length > 0) parts.push(section("Result", list(some(facts, other))));
    }
    if (scene.command) parts.push(commandSection(scene.command));
    const where = scene.live ? LIVE : OFFLINE;
    parts.push(make("p", { class: "quiet" }, `clump ${scene.version}. ${where}`));
    element.replaceChildren(...parts);
  }

  state.on(["frame"], show);
  return { element };
}
