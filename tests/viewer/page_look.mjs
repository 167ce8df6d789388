// SPDX-License-Identifier: BSD-3-Clause
//
// page_look.mjs: what a page shows and hides: maps, dim boxes, tabs of pages without labelings, the list as a grid, long
// names and phones on their side.
import assert from "node:assert/strict";
import test from "node:test";
import { writeStreet } from "./clouds.mjs";
import { close, clump, colours, open, set, shot } from "./harness.mjs";

const LONG = `${"a name that is much longer than the legend and the header are wide ".repeat(3)}.pcd`;
writeStreet("street.pcd");
writeStreet(LONG);
clump("ec", "street.pcd", "-d", "1", "--min-size", "10", "--remove-ground", "-o", "page.html");
clump("erccl", "street.pcd", "-o", "maps.html");
clump("nn", "street.pcd", LONG, "-o", "pairs.html");

const brightness = (colour) => [1, 3, 5].reduce((sum, i) => sum + parseInt(colour.slice(i, i + 2), 16), 0);

test("dim boxes on a light page are darker than the background", async () => {
  const page = await open("page.html", { dark: false });
  await set(page, { selected: 3 });
  await shot(page, "dim");
  const background = await page.evaluate(() => window.clumpView.scene.special.light.background);
  const brighter = Object.keys(await colours(page)).filter((colour) => brightness(colour) > brightness(background));
  assert.deepEqual(brighter, []);
  const least = await page.evaluate(() => {
    const { stage } = window.clumpView;
    const gl = stage.drawing.renderer.getContext();
    const bytes = new Uint8Array(4 * stage.canvas.width * stage.canvas.height);
    stage.drawing.draw(stage.orbit, stage.options);
    gl.readPixels(0, 0, stage.canvas.width, stage.canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, bytes);
    return bytes.reduce((low, value, i) => (i % 4 === 3 ? Math.min(low, value) : low), 255);
  });
  assert.equal(least, 255, "the page does not shine through the canvas");
  await close(page);
});

test("a map is seen through the points of the ground, and has a legend", async () => {
  const page = await open("maps.html");
  await set(page, { view: "top", shading: false, boxes: false, panel: "display", pointSize: 6 });
  const { ground } = await page.evaluate(() => window.clumpView.scene.special.dark);
  const before = (await colours(page))[ground];
  assert.ok(before > 500, `ground is drawn: ${before}`);
  await set(page, { map: "ground", mapOpacity: 1 });
  await shot(page, "map");
  const drawn = await colours(page);
  assert.ok((drawn[ground] ?? 0) < before / 20, `points of the ground are faint: ${drawn[ground]} of ${before} pixels`);
  assert.match(await page.textContent("#clump-map-legend"), /m.*m/);
  await set(page, { map: "label" });
  assert.match(await page.textContent("#clump-map-legend"), /clusters/);
  await set(page, { map: null });
  assert.equal(await page.textContent("#clump-map-legend"), "");
  assert.equal((await colours(page))[ground], before, "as before");
  await close(page);
});

test("a page without labelings has no list of clusters", async () => {
  const page = await open("pairs.html");
  const tabs = await page.evaluate(() => [...document.querySelectorAll("[role=tab]")]
    .filter((tab) => tab.offsetParent !== null).map((tab) => tab.textContent));
  assert.deepEqual(tabs, ["Display", "Facts"]);
  assert.ok(!(await page.isVisible("#clump-boxes")));
  for (const key of ["l", "l", "/"]) await page.locator("body").press(key);
  assert.ok(await page.isVisible("#panel-display"));
  await close(page);
});

test("long names leave room for the numbers", async () => {
  const page = await open("pairs.html");
  await shot(page, "long");
  const cut = await page.evaluate(() => [...document.querySelectorAll(".figures, .number")]
    .filter((one) => one.offsetParent !== null && one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  assert.deepEqual(cut, []);
  assert.match(await page.textContent("#clump-legend"), /…/);
  await close(page);
});

test("the list is a grid with its head", async () => {
  const page = await open("page.html");
  const grid = await page.evaluate(() => {
    const list = document.getElementById("clump-list");
    const head = list.querySelector("[aria-rowindex='1']");
    return {
      role: list.getAttribute("role"), rows: list.getAttribute("aria-rowcount"),
      titles: head.querySelectorAll("[role=columnheader]").length,
      cells: list.querySelector("[aria-rowindex='2']").querySelectorAll("[role=gridcell]").length,
    };
  });
  assert.deepEqual(grid, { role: "grid", rows: "9", titles: 5, cells: 5 });
  await page.focus("[data-sort=distance]");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => window.clumpView.state.values.sort), "distance", "Enter on a heading sorts");
  await close(page);
});

test("a phone on its side has the panel beside the stage", async () => {
  const page = await open("page.html", { width: 640, height: 360, touch: true });
  await page.tap(".panel-button");
  await shot(page, "side");
  const [stage, panel] = await page.evaluate(() => [".stage", ".panel"]
    .map((name) => document.querySelector(name).getBoundingClientRect().toJSON()));
  assert.ok(panel.left >= stage.right - 1, "the panel does not cover the stage");
  assert.ok(panel.height > 340 && stage.width > 250);
  await close(page);
});
