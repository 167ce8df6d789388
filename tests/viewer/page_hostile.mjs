// SPDX-License-Identifier: BSD-3-Clause
//
// page_hostile.mjs: odd clouds, hostile names, broken packets, browsers without WebGL2.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { street, writePcd, writeStreet } from "./clouds.mjs";
import { close, clump, folder, open, set, shot, until } from "./harness.mjs";

const points = (...rows) => ["x", "y", "z"].map((name, k) => [name, "f32", rows.map((row) => row[k])]);

test("clouds without points, without a finite point and with one point open", async () => {
  const clouds = { empty: points(), nan: points([NaN, 0, 0], [0, Infinity, 0], [NaN, NaN, NaN]), one: points([1, 2, 3]),
    same: points([1, 2, 3], [1, 2, 3]), huge: points([-1e6, 1e6, 0], [1e6, -1e6, 5], [0, 0, 0]) };
  for (const [name, fields] of Object.entries(clouds)) {
    writePcd(`${name}.pcd`, fields);
    clump("view", `${name}.pcd`, "-o", `${name}.html`, "-q", "--", "ec", "-d", "1");
    const page = await open(`${name}.html`);
    for (const view of ["top", "side", "sensor", "home"]) await set(page, { view });
    for (const colour of ["height", "range", "label"]) await set(page, { colour });
    assert.equal(await page.evaluate(() => window.clumpView.frame.rows), fields[0][2].length, name);
    const camera = await page.evaluate(() => Object.values(window.clumpView.stage.camera).flat());
    assert.ok(camera.every((value) => Number.isFinite(value)), `${name}: ${camera}`);
    await shot(page, name);
    await close(page);
  }
});

test("names of files, fields and titles are text, never script", async () => {
  const evil = "\"'><img src=x onerror=window.hacked=1><script>window.hacked=1</script>${window.hacked=1}";
  const file = "a<b>&\"'<svg onload=window.hacked=1>.pcd";
  const { x, y, z } = street({ boxes: 2, ground: 50 });
  writePcd(file, [["x", "f32", x], ["y", "f32", y], ["z", "f32", z], ["<img/src=x/onerror=window.hacked=1>", "f32", x],
    ["__proto__", "f32", y], ["</script><script>window.hacked=1</script>", "f32", z]]);
  clump("view", file, "-o", "evil.html", "--title", `${evil}</title></script>\u2028`, "--", "ec", "-d", "1");
  const page = await open("evil.html");
  const modes = await page.locator("#clump-colour option").allTextContents();
  assert.ok(modes.some((text) => text.includes("onerror")), modes.join(", "));
  for (const option of await page.locator("#clump-colour option").evaluateAll((list) => list.map(({ value }) => value)))
    await set(page, { colour: option });
  await set(page, { picked: 0, panel: "facts", open: true });
  await shot(page, "names");
  assert.ok((await page.title()).includes("<img src=x"), "the title is shown as it is");
  assert.ok((await page.textContent("#clump-inspect")).includes("onerror"));
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.equal(await page.locator("img[src=x], svg[onload]").count(), 0);
  await close(page);
});

test("without WebGL2 the page says so and shows the picture", async () => {
  writeStreet("street.pcd", { ground: 800 });
  clump("view", "street.pcd", "-o", "plain.html", "--", "ec", "-d", "1");
  const page = await open("plain.html", { ready: false, args: ["--disable-3d-apis"] });
  await until(page, () => /WebGL2/.test(document.getElementById("clump-sentence").textContent));
  const picture = page.locator("#clump-picture");
  assert.ok(await picture.isVisible());
  assert.ok((await picture.evaluate((image) => image.naturalWidth)) >= 400);
  assert.match(await page.innerText("body"), /cannot draw in 3-D/);
  await shot(page, "no-webgl2");
  assert.deepEqual(page.requests, []);
  await page.context().close();
});

test("without JavaScript the page shows the picture", async () => {
  const { browserWith } = await import("./harness.mjs");
  const context = await (await browserWith()).newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`file://${path.join(folder, "plain.html")}`);
  assert.ok(await page.locator("#clump-picture").isVisible());
  assert.match(await page.innerText("body"), /JavaScript/);
  await context.close();
});

test("a broken frame becomes a sentence, the others are shown", async () => {
  writeStreet("0.pcd", { ground: 50 });
  writeStreet("1.pcd", { ground: 60 });
  clump("view", "0.pcd", "1.pcd", "-o", "two.html", "--", "ec", "-d", "1");
  const text = readFileSync(path.join(folder, "two.html"), "latin1");
  const frames = [...text.matchAll(/class="clump-frame">([^<]*)</g)];
  assert.equal(frames.length, 2);
  const at = frames[1].index + 20 + Math.floor(frames[1][1].length / 2);
  // 48 bytes are missing. Changed bytes may still be a valid stream, of other points: packets have no checksum.
  writeFileSync(path.join(folder, "broken.html"), `${text.slice(0, at)}${text.slice(at + 64)}`, "latin1");
  const page = await open("broken.html");
  await page.keyboard.press("n");
  await until(page, () => document.getElementById("clump-notice").textContent.length > 10);
  assert.ok(await page.locator("#clump-notice").isVisible());
  await shot(page, "broken");
  await page.keyboard.press("p");
  await until(page, () => document.getElementById("clump-notice").hidden);
  await page.context().close();
});
