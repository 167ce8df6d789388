// SPDX-License-Identifier: BSD-3-Clause
//
// page_list.mjs: the list of clusters: sort, filter, choose; and the keys.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { writeStreet } from "./clouds.mjs";
import { close, clump, folder, open, set, shot, stateOf, until } from "./harness.mjs";

writeStreet("street.pcd");
clump("view", "street.pcd", "-o", "page.html", "--", "ec", "-d", "1", "--min-size", "10", "--remove-ground");

// The labels of the rows, from top to bottom.
const labels = (page) => page.evaluate(() => [...document.querySelectorAll("#clump-list [data-label]")]
  .filter((row) => row.offsetParent !== null)
  .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top).map((row) => Number(row.dataset.label)));

const values = (page, name) => page.evaluate((title) => [...window.clumpView.frame.clusters[0].get(title)], name);

// What the list should show: labels sorted by a column of the packet.
async function sorted(page, name, descending) {
  const numbers = await values(page, name);
  const order = numbers.map((_, i) => i);
  return order.sort((a, b) => (descending ? numbers[b] - numbers[a] : numbers[a] - numbers[b]) || a - b);
}

test("a click on a heading sorts, a second one turns the order round", async () => {
  const page = await open("page.html");
  assert.deepEqual(await labels(page), await sorted(page, "count", true), "most points first at the beginning");
  for (const [button, column] of [["label", "label"], ["distance", "distance"], ["length", "length"], ["height", "height"], ["points", "count"]]) {
    await page.click(`[data-sort=${button}]`);
    const once = await stateOf(page, "descending");
    assert.deepEqual(await labels(page), await sorted(page, column, once), button);
    await page.click(`[data-sort=${button}]`);
    assert.equal(await stateOf(page, "descending"), !once);
    assert.deepEqual(await labels(page), await sorted(page, column, !once), `${button}, turned round`);
  }
  await close(page);
});

test("the filter leaves what it says", async () => {
  const page = await open("page.html");
  const counts = await values(page, "count");
  const distances = await values(page, "distance");
  const filtered = async (text) => {
    await page.fill("#clump-filter", text);
    return (await labels(page)).sort((a, b) => a - b);
  };
  const expected = (test) => counts.map((_, i) => i).filter(test);
  assert.deepEqual(await filtered("points>100"), expected((i) => counts[i] > 100));
  assert.deepEqual(await filtered("points>100 distance<16"), expected((i) => counts[i] > 100 && distances[i] < 16));
  assert.deepEqual(await filtered("3"), [3]);
  assert.deepEqual(await filtered("points>99999"), []);
  await page.fill("#clump-filter", "<script>window.hacked=1</script>");
  assert.equal(await page.getAttribute("#clump-filter", "aria-invalid"), "true");
  assert.equal(await page.evaluate(() => window.hacked), undefined);
  assert.deepEqual(await filtered(""), expected(() => true));
  await close(page);
});

test("a row that is clicked is selected and flown to", async () => {
  const page = await open("page.html");
  await page.click('#clump-list [data-label="5"]');
  assert.equal(await stateOf(page, "selected"), 5);
  await set(page, {});
  const [target, centroid] = await page.evaluate(() => {
    const { stage, frame } = window.clumpView;
    return [stage.camera.target, ["cx", "cy", "cz"].map((name) => frame.clusters[0].get(name)[5])];
  });
  target.forEach((value, k) => assert.ok(Math.abs(value - centroid[k]) < 1, `looks at ${target}, the cluster is at ${centroid}`));
  await shot(page, "selected");
  await close(page);
});

test("the keyboard is enough", async () => {
  const page = await open("page.html");
  const press = (key) => page.keyboard.press(key);
  await press("b");
  assert.equal(await stateOf(page, "boxes"), false);
  await press("i");
  assert.equal(await stateOf(page, "shading"), false);
  await press("?");
  assert.ok(await page.locator("#clump-help").isVisible());
  await shot(page, "help");
  await press("Escape");
  assert.ok(!(await page.locator("#clump-help").isVisible()));
  const before = await page.evaluate(() => window.clumpView.stage.camera.eye);
  await press("t");
  await press("ArrowLeft");
  await press("+");
  assert.notDeepEqual(await page.evaluate(() => window.clumpView.stage.camera.eye), before);
  await press("2");
  assert.notEqual(await stateOf(page, "colour"), "label");
  await press("/");
  await page.keyboard.type("points>100");
  assert.equal(await stateOf(page, "filter"), "points>100", "letters in the filter are no commands");
  assert.equal(await stateOf(page, "boxes"), false);
  await page.locator("#clump-list").focus();
  await press("ArrowDown");
  await press("Enter");
  await until(page, () => window.clumpView.state.values.selected !== null);
  await close(page);
});

test("every control can be reached by Tab, has a name and shows the focus", async () => {
  const page = await open("page.html");
  const seen = new Set();
  for (let i = 0; i < 60; ++i) {
    await page.keyboard.press("Tab");
    const control = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === document.body) return null;
      const name = element.getAttribute("aria-label") ?? (element.textContent.trim() || element.title);
      const style = getComputedStyle(element);
      const visible = style.outlineStyle !== "none" || style.boxShadow !== "none";
      return { tag: element.tagName, id: element.id, name, visible };
    });
    if (control === null) break;
    assert.ok(control.name, `${control.tag} ${control.id} has a name`);
    assert.ok(control.visible, `${control.tag} ${control.name} shows that it has the focus`);
    seen.add(control.name);
  }
  assert.ok(seen.size >= 12, [...seen].join(", "));
  await close(page);
});

test("objects show whose size they have, background and their score", async () => {
  clump("gen", "lidar", "-o", "scan.pcd", "-q");
  clump("objects", "scan.pcd", "-q", "-o", "objects.html", "--clusters", "objects.json", "--min-score", "0.05");
  const wanted = JSON.parse(readFileSync(path.join(folder, "objects.json"), "utf8"));
  const page = await open("objects.html");
  const rows = await page.evaluate(() => [...document.querySelectorAll("#clump-list [data-label]")].map((row) => [
    Number(row.dataset.label), row.querySelector(".fits").textContent, Number(row.querySelector(".score").textContent)]));
  assert.ok(rows.length > 5);
  for (const [label, fits, score] of rows) {
    const { object, fits: size, score: exact } = wanted[label];
    assert.equal(fits, object ? `a ${size}` : "background", `cluster ${label}`);
    assert.ok(Math.abs(score - exact) < 0.00501, `cluster ${label}: ${score}, not ${exact}`);
  }
  const best = wanted.reduce((a, b) => (b.score > a.score ? b : a));
  assert.ok(rows.some(([label]) => label === best.label), "the list begins with the highest scores");
  await page.fill("#clump-filter", "object=1 score>0.3");
  const passing = wanted.filter(({ object, score }) => object && score > 0.3).map(({ label }) => label);
  assert.deepEqual((await labels(page)).sort((a, b) => a - b), passing);
  const point = await page.evaluate((label) => {
    const { frame, state } = window.clumpView;
    const column = frame.column("label0");
    let row = 0;
    while (column.value(row) !== label) ++row;
    state.set({ picked: row });
    return document.querySelector("#clump-inspect").innerText;
  }, best.label);
  assert.match(point, new RegExp(`size of\\s+a ${best.fits}\\s+score\\s+${best.score.toFixed(2)}`));
  await shot(page, "objects");
  await close(page);
});
