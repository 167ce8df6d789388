// SPDX-License-Identifier: BSD-3-Clause
//
// page_frames.mjs: several frames: the slider, the play button, a hundred frames.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { street, writeStreet } from "./clouds.mjs";
import { close, clump, folder, open, set, shot, stateOf, until } from "./harness.mjs";

const COUNT = 100;
const optionsOf = (i) => ({ boxes: 3 + (i % 3), ground: 100, seed: i + 1, turn: i * 0.02 });
mkdirSync(path.join(folder, "frames"));
for (let i = 0; i < COUNT; ++i) writeStreet(`frames/${String(i).padStart(3, "0")}.pcd`, optionsOf(i));
clump("view", "frames", "-o", "page.html", "--", "ec", "-d", "1", "--min-size", "10");

const frameName = (page) => page.evaluate(() => window.clumpView.frame.header.name);

test("the slider shows the frame that it says", async () => {
  const page = await open("page.html");
  assert.equal(await page.evaluate(() => window.clumpView.scene.frames.length), COUNT);
  assert.equal(await page.getAttribute("#clump-slider", "max"), String(COUNT - 1));
  for (const i of [50, 99, 0, 1]) {
    await page.locator("#clump-slider").fill(String(i));
    await until(page, (name) => window.clumpView.frame.header.name.includes(name), String(i).padStart(3, "0"));
    const [rows, first] = await page.evaluate(() => [window.clumpView.frame.rows, window.clumpView.coordinates(0)]);
    const cloud = street(optionsOf(i));
    assert.equal(rows, cloud.x.length);
    first.forEach((value, k) => assert.ok(Math.abs(value - [cloud.x, cloud.y, cloud.z][k][0]) <= 0.0011));
  }
  await shot(page, "slider");
  await close(page);
});

test("keys go to the next and the previous frame, the camera stays", async () => {
  const page = await open("page.html");
  await set(page, { view: "top" });
  const camera = await page.evaluate(() => window.clumpView.stage.camera);
  for (const key of ["n", "n", "p", "."]) await page.keyboard.press(key);
  await until(page, () => window.clumpView.frame.header.name.includes("002"));
  assert.deepEqual(await page.evaluate(() => window.clumpView.stage.camera), camera);
  await close(page);
});

test("the play button plays and stops", async () => {
  const page = await open("page.html");
  const before = await frameName(page);
  await page.click("#clump-play");
  await until(page, (name) => window.clumpView.frame.header.name !== name, before);
  await page.click("#clump-play");
  assert.equal(await stateOf(page, "playing"), false);
  await close(page);
});

test("a hundred frames leave no memory of the graphics card behind", async () => {
  const page = await open("page.html");
  const held = () => page.evaluate(() => window.clumpView.stage.stats.bytes);
  await set(page, { number: 3 });
  const before = await held();
  for (let i = 4; i < 100; i += 8) await set(page, { number: i });
  await set(page, { number: 3 });
  assert.equal(await held(), before);
  await close(page);
});
