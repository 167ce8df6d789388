// SPDX-License-Identifier: BSD-3-Clause
//
// page_pick.mjs: the page knows every point: coordinates, labels and fields, and which one is under the pointer.
import assert from "node:assert/strict";
import test from "node:test";
import { street, writePcd } from "./clouds.mjs";
import { close, clump, open, set, shot, stateOf, until } from "./harness.mjs";

const cloud = street({ ground: 6000 });
const rows = cloud.x.length;
const ring = cloud.x.map((_, i) => i % 64);
writePcd("street.pcd", [["x", "f32", cloud.x], ["y", "f32", cloud.y], ["z", "f32", cloud.z],
  ["intensity", "f32", cloud.intensity], ["ring", "u16", ring]]);
clump("view", "street.pcd", "-o", "page.html", "--", "ec", "-d", "1", "--min-size", "10", "--remove-ground");

test("all coordinates are those of the file within 1 mm", async () => {
  const page = await open("page.html");
  const read = await page.evaluate((count) => Array.from({ length: count }, (_, row) => window.clumpView.coordinates(row)), rows);
  let worst = 0;
  read.forEach((place, i) => [cloud.x, cloud.y, cloud.z].forEach((list, k) => {
    worst = Math.max(worst, Math.abs(place[k] - list[i]));
  }));
  assert.ok(worst <= 0.001 + 1e-9, `the largest error is ${worst} m`);
  await close(page);
});

test("labels and fields are those of the file", async () => {
  clump("ec", "street.pcd", "-d", "1", "--min-size", "10", "--remove-ground", "-o", "labelled.npy", "-q");
  const page = await open("page.html");
  const column = (name) => page.evaluate(([title, count]) => {
    const values = window.clumpView.frame.column(title);
    return Array.from({ length: count }, (_, row) => values.value(row));
  }, [name, rows]);
  assert.deepEqual(await column("field:ring"), ring);
  assert.deepEqual((await column("field:intensity")).map(Math.fround), cloud.intensity.map(Math.fround));
  const labels = await column("label0");
  let first = 0;
  for (let k = 0; k < 8; first += 30 + 20 * k, ++k)
    assert.ok(labels.slice(first, first + 30 + 20 * k).every((label) => label === k), `box ${k} is cluster ${k}`);
  assert.ok(labels.slice(first).every((label) => label === -2), "the rest is ground");
  await close(page);
});

// Another point may hide the wanted one. Then the one that is picked is at the same place of the screen, and nearer.
test("a pick at the place of a point finds it", async () => {
  const page = await open("page.html");
  for (const [changes, least] of [[{ view: "home" }, 0.6], [{ view: "top" }, 0.8], [{ view: "side", pointSize: 4 }, 0]]) {
    await set(page, changes);
    const results = await page.evaluate((count) => {
      const { stage, coordinates } = window.clumpView;
      const { eye, target } = stage.camera; // what hides another point is less deep along the direction of sight
      const { header } = window.clumpView.frame;
      const depth = (row) => coordinates(row).reduce((sum, value, k) => sum + (value - header.origin[k] - eye[k]) * (target[k] - eye[k]), 0);
      const canvas = document.getElementById("clump-stage").getBoundingClientRect();
      const found = [];
      for (let row = 0; row < count; row += 37) {
        const { x, y, visible } = stage.project(row);
        if (!visible || x < canvas.left + 8 || x > canvas.right - 8 || y < canvas.top + 8 || y > canvas.bottom - 8) continue;
        const picked = window.clumpView.pick(x, y);
        const there = picked < 0 ? null : stage.project(picked);
        found.push({ row, picked, pixels: there && Math.hypot(there.x - x, there.y - y), nearer: picked >= 0 && depth(picked) < depth(row) });
      }
      return found;
    }, rows);
    assert.ok(results.length > 80, `${results.length} points were tried`);
    const exact = results.filter(({ row, picked }) => row === picked).length;
    const wrong = results.filter(({ row, picked, pixels, nearer }) => row !== picked && !(pixels < 4 && nearer) && !(pixels < 1));
    assert.deepEqual(wrong, [], JSON.stringify(changes));
    assert.ok(exact > least * results.length, `${exact} of ${results.length} are found exactly`);
  }
  assert.equal(await page.evaluate(() => window.clumpView.pick(-50, -50)), -1);
  await close(page);
});

test("a click shows all that is known of the point", async () => {
  const page = await open("page.html");
  await set(page, { view: "top", hidden: [-2] });
  const row = 100;
  const { x, y } = await page.evaluate((wanted) => window.clumpView.stage.project(wanted), row);
  await page.mouse.click(x, y);
  await until(page, () => window.clumpView.state.values.picked >= 0);
  const picked = await stateOf(page, "picked");
  const text = await page.textContent("#clump-inspect");
  assert.ok(text.includes(cloud.x[picked].toFixed(3)), `x in: ${text}`);
  assert.match(text, /ring/);
  assert.match(text, /intensity/);
  const label = await page.evaluate((wanted) => window.clumpView.frame.column("label0").value(wanted), picked);
  assert.equal(await stateOf(page, "selected"), label);
  await shot(page, "inspect");
  await page.keyboard.press("Escape");
  assert.equal(await stateOf(page, "picked"), -1);
  await close(page);
});

test("coordinates of a million metres are exact as well", async () => {
  const far = street({ ground: 500 });
  const shift = [1e6, -2e6, 500];
  writePcd("far.pcd", [["x", "f64", far.x.map((v) => v + shift[0])], ["y", "f64", far.y.map((v) => v + shift[1])],
    ["z", "f64", far.z.map((v) => v + shift[2])]]);
  clump("view", "far.pcd", "-o", "far.html", "--", "ec", "-d", "1", "--min-size", "10");
  const page = await open("far.html");
  const read = await page.evaluate(() => Array.from(window.clumpView.frame.x, (_, row) => window.clumpView.coordinates(row)));
  assert.equal(read.length, far.x.length);
  read.forEach((place, i) => [far.x, far.y, far.z].forEach((list, k) =>
    assert.ok(Math.abs(place[k] - list[i] - shift[k]) <= 0.001 + 1e-6, `point ${i}: ${place}`)));
  await shot(page, "far");
  await close(page);
});
