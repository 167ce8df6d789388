// SPDX-License-Identifier: BSD-3-Clause
//
// page_frames.mjs: several frames: the slider, the play button, a hundred frames.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
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

test("the page of a drive has trails, a path and a list of what moves in every frame", async () => {
  clump("gen", "lidar", "--scene", "people", "--sensor", "hdl-32e", "--frames", "20", "-o", "walk.mcap", "-q");
  clump("play", "walk.mcap", "--track", "-o", "walk.html", "-q", "--", "detect");
  const page = await open("walk.html");
  assert.equal(await stateOf(page, "playing"), false, "the browser of the tests asks for less motion");
  await set(page, { number: 15 }); // without those before
  const seen = await page.evaluate(() => {
    const { frame, stage } = window.clumpView;
    const { trails, clusters } = frame;
    const [track, time] = [trails.get("track"), trails.get("time")];
    const moving = [...clusters[0].get("moving")].filter((value) => value === 2).length;
    const oldest = Math.min(...time);
    return { moving, tracks: new Set(track).size, oldest, lines: stage.drawing.tracks.count };
  });
  assert.ok(seen.moving > 2, `${seen.moving} people walk`);
  assert.equal(seen.tracks, seen.moving + 1);
  assert.ok(Math.abs(seen.oldest + 1.5) < 0.01, "back to the first frame");
  assert.ok(seen.lines >= 3 * seen.moving + 5);
  const said = await page.textContent(".clusters .said");
  assert.match(said, new RegExp(`clusters?, ${seen.moving} move`));
  const speeds = await page.evaluate(() => [...document.querySelectorAll("#clump-list [data-label] .speed")].map((cell) => cell.textContent));
  assert.ok(Number(speeds[0]) > 0.3, "the fastest is first");
  assert.match(await page.textContent("#clump-legend"), /path of the sensor/);
  await shot(page, "drive");
  await close(page);
  const phone = await open("walk.html", { width: 390, height: 780, touch: true });
  await set(phone, { number: 15 });
  await shot(phone, "drive-phone");
  await close(phone);
});

test("the page of a drive plays by itself, and the address stays", async () => {
  const page = await open("walk.html", { motion: true });
  await until(page, () => window.clumpView.state.values.number > 2);
  assert.equal(await stateOf(page, "playing"), true);
  assert.equal(await page.evaluate(() => location.hash), "");
  await page.click("#clump-play");
  assert.match(await page.evaluate(() => location.hash), /^#frame=\d+$/);
  await close(page);
});

test("a page of frames without points says so", async () => {
  mkdirSync(path.join(folder, "empty"));
  const header = "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 0\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 0\nDATA ascii\n";
  for (let i = 0; i < 3; ++i) writeFileSync(path.join(folder, `empty/${i}.pcd`), header);
  clump("play", "empty", "--track", "-o", "empty.html", "-q", "--", "objects");
  const page = await open("empty.html");
  assert.match(await page.textContent("#clump-notice"), /This frame has no points/);
  await close(page);
});
