// SPDX-License-Identifier: BSD-3-Clause
//
// page_load.mjs: a page opens without errors and without a network, and draws what it should, in the right colours.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { writeStreet } from "./clouds.mjs";
import { close, clump, colours, folder, open, set, shot, stateOf, until } from "./harness.mjs";

writeStreet("street.pcd");
clump("view", "street.pcd", "-o", "page.html", "--", "ec", "-d", "1", "--min-size", "10", "--remove-ground");

const sceneOf = (page) => page.evaluate(() => window.clumpView.scene);

test("points are drawn in the colours of their clusters", async () => {
  const page = await open("page.html");
  await shot(page, "dark");
  await set(page, { shading: false, boxes: false, pointSize: 6 });
  const scene = await sceneOf(page);
  const drawn = await colours(page);
  const used = await page.evaluate(() => [...window.clumpView.frame.clusters[0].get("colour")]);
  assert.equal(used.length, 8);
  assert.equal(new Set(used).size, 8, "eight neighbours have eight colours");
  for (const colour of used) assert.ok(drawn[scene.palette[colour]] > 30, `colour ${colour} is drawn: ${scene.palette[colour]}`);
  assert.ok(drawn[scene.special.dark.ground] > 500, "ground is drawn");
  assert.ok(drawn[scene.special.dark.background] > 10000, "the background is there");
  scene.palette.forEach((colour, i) => used.includes(i) || assert.ok(!drawn[colour], `${colour} is not of this page`));
  await close(page);
});

test("colours by height come from the ramp, and a hidden entry is not drawn", async () => {
  const page = await open("page.html");
  const { ramp, special } = await sceneOf(page);
  await set(page, { shading: false, boxes: false, pointSize: 5, colour: "height" });
  const drawn = await colours(page);
  const pixels = (from, to) => ramp.slice(from, to).reduce((sum, colour) => sum + (drawn[colour] ?? 0), 0);
  assert.ok(pixels(0, 64) > 1000, "ground is low");
  assert.ok(pixels(128, 256) > 50, "boxes are high");
  await set(page, { colour: "label", hidden: [-2] });
  assert.equal((await colours(page))[special.dark.ground] ?? 0, 0);
  await close(page);
});

test("light and dark follow the browser, and the button", async () => {
  const page = await open("page.html", { dark: false });
  await shot(page, "light");
  const { special } = await sceneOf(page);
  assert.ok((await colours(page))[special.light.background] > 10000);
  await page.locator("body").press("d");
  await until(page, () => document.documentElement.dataset.theme === "dark");
  await set(page, {});
  assert.ok((await colours(page))[special.dark.background] > 10000);
  await close(page);
});

test("boxes, shading, rings and point size change the picture", async () => {
  const page = await open("page.html");
  const key = async () => JSON.stringify(await colours(page));
  const seen = [await key()];
  for (const change of [{ boxes: false }, { shading: false }, { pointSize: 8 }, { rings: true }]) {
    await set(page, change);
    seen.push(await key());
    assert.notEqual(seen.at(-1), seen.at(-2), JSON.stringify(change));
  }
  await close(page);
});

test("the page fits a phone and answers to fingers", async () => {
  const page = await open("page.html", { width: 390, height: 844, touch: true });
  await shot(page, "phone");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `nothing is wider than the screen: ${wide}`);
  const small = await page.evaluate(() => [...document.querySelectorAll("button")]
    .map((button) => ({ text: button.getAttribute("aria-label") ?? button.textContent, box: button.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && box.height > 0 && Math.min(box.width, box.height) < 24).map(({ text }) => text));
  assert.deepEqual(small, [], "buttons are at least 24 pixels wide and high");
  const before = await page.evaluate(() => window.clumpView.stage.camera.eye);
  await page.touchscreen.tap(195, 300);
  const touch = await page.context().newCDPSession(page);
  const send = (type, points) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await send("touchStart", [{ x: 150, y: 300 }]);
  for (let x = 160; x <= 250; x += 10) await send("touchMove", [{ x, y: 300 }]);
  await send("touchEnd", []);
  await page.waitForTimeout(100);
  assert.notDeepEqual(await page.evaluate(() => window.clumpView.stage.camera.eye), before);
  await close(page);
});

// The page fits the scene into its window. So the distance may be another one than in the packet.
test("views look from where the packet says", async () => {
  const page = await open("page.html");
  const direction = ({ eye, target }) => {
    const to = eye.map((value, k) => value - target[k]);
    return to.map((value) => value / Math.hypot(...to));
  };
  for (const view of ["top", "side", "sensor", "home"]) {
    await set(page, { view });
    await shot(page, `view-${view}`);
    const [camera, expected] = await page.evaluate((name) => [window.clumpView.stage.camera,
      window.clumpView.frame.header.views[name]], view);
    const [a, b] = [direction(camera), direction(expected)];
    assert.ok(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0.999, `${view}: ${a} and ${b}`);
  }
  await close(page);
});

test("the screenshot button saves a PNG", async () => {
  const page = await open("page.html");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#clump-screenshot")]);
  assert.match(download.suggestedFilename(), /\.png$/);
  await close(page);
});

test("facts show the command and the parameters", async () => {
  const page = await open("page.html");
  await set(page, { panel: "facts", open: true });
  const text = await page.textContent("#clump-facts");
  assert.match(text, /clump view street\.pcd/);
  assert.match(text, /min-size/);
  assert.equal(await stateOf(page, "panel"), "facts");
  await shot(page, "facts");
  await close(page);
});

// As the package of Python shows a page in a notebook: clump.Page._repr_html_.
test("a page works inside of a sandboxed frame", async () => {
  const text = readFileSync(path.join(folder, "page.html"), "utf8").replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  writeFileSync(path.join(folder, "cell.html"), `<!doctype html><p>Out[1]:</p><iframe srcdoc="${text}" sandbox="allow-scripts `
    + 'allow-downloads" style="width: 100%; height: 540px; border: 0"></iframe>');
  const page = await open("cell.html", { ready: false });
  const frame = page.frames()[1];
  frame.problems = page.problems;
  await until(frame, () => Boolean(window.clumpView));
  await frame.evaluate(() => window.clumpView.ready);
  await frame.evaluate(() => window.clumpView.set({ view: "top", panel: "facts", open: true, colour: "height" }));
  assert.equal(await frame.evaluate(() => window.clumpView.state.values.colour), "height");
  assert.ok((await frame.textContent("#clump-facts")).includes("min-size"));
  await shot(page, "notebook");
  await close(page);
});

test("facts show the boxes of objects", async () => {
  clump("objects", "street.pcd", "-q", "-o", "objects.html");
  const page = await open("objects.html");
  await set(page, { panel: "facts", open: true });
  const facts = await page.textContent("#clump-facts");
  assert.match(facts, /length 6, width 3, most top 2\.6, fits car/);
  assert.doesNotMatch(facts, /object Object/);
  await close(page);
});
