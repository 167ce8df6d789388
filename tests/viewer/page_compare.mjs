// SPDX-License-Identifier: BSD-3-Clause
//
// page_compare.mjs: two labellings side by side, the maps of erccl, the pairs of nn, core points of dbscan.
import assert from "node:assert/strict";
import test from "node:test";
import { street, writePcd, writeStreet } from "./clouds.mjs";
import { close, clump, colours, open, set, shot, until } from "./harness.mjs";

writeStreet("street.pcd");
const JOB = ["ec", "-d", "1", "--min-size", "10", "--remove-ground"];

test("differing points are counted, marked and visited", async () => {
  clump("ec", "street.pcd", ...JOB.slice(1), "--max-size", "140", "-o", "other.pcd", "-q"); // boxes 6 and 7 become noise
  clump("view", "street.pcd", "--compare", "other.pcd", "-o", "compare.html", "--", ...JOB);
  const page = await open("compare.html", { width: 1200 });
  const [differs, marked, names] = await page.evaluate(() => {
    const { frame } = window.clumpView;
    const column = frame.column("differs");
    let count = 0;
    for (let row = 0; row < frame.rows; ++row) count += column.value(row);
    return [frame.header.differs, count, frame.header.labelings.map(({ name }) => name)];
  });
  assert.equal(differs, 150 + 170);
  assert.equal(marked, differs);
  assert.equal(names.length, 2);
  const pairs = await page.evaluate(() => window.clumpView.frame.clusters.map((table) =>
    Object.fromEntries([...table.get("cx")].map((x, i) => [x.toFixed(2), table.get("colour")[i]]))));
  for (const [x, colour] of Object.entries(pairs[1])) assert.equal(colour, pairs[0][x], "the same object has the same colour");
  await set(page, { compare: true, shading: false, boxes: false, pointSize: 5 });
  await shot(page, "sides");
  const scene = await page.evaluate(() => window.clumpView.scene);
  await page.click("#clump-next");
  await set(page, {});
  await shot(page, "next");
  assert.ok((await colours(page))[scene.special.dark.differs] > 50, "differing points are marked");
  await set(page, { compare: false, colour: "difference", view: "home" });
  const drawn = await colours(page);
  assert.ok(drawn[scene.special.dark.differs] > 50 && drawn[scene.special.dark.noise] > 50);
  await close(page);
});

test("maps of erccl lie in the scene", async () => {
  clump("view", "street.pcd", "-o", "maps.html", "--", "erccl", "--extent", "40,20", "--cell", "0.5");
  const page = await open("maps.html");
  const maps = await page.evaluate(() => window.clumpView.frame.maps.map(({ name, rows, columns, cell }) => ({ name, rows, columns, cell })));
  assert.deepEqual(maps.map(({ name }) => name).sort(), ["flag", "ground", "highest", "label", "lowest"]);
  for (const { rows, columns, cell } of maps) assert.ok(rows === 80 && columns === 40 && Math.abs(cell - 0.5) < 1e-6);
  await set(page, { view: "top", shading: false, boxes: false, map: null });
  const without = JSON.stringify(await colours(page));
  for (const { name } of maps) {
    await set(page, { map: name, mapOpacity: 1 });
    await shot(page, `map-${name}`);
    assert.notEqual(JSON.stringify(await colours(page)), without, name);
  }
  await close(page);
});

test("pairs of nn connect the right points", async () => {
  const cloud = street({ boxes: 3, ground: 0 });
  const moved = cloud.x.map((x) => Math.fround(x + 0.01));
  writePcd("a.pcd", [["x", "f32", cloud.x], ["y", "f32", cloud.y], ["z", "f32", cloud.z]]);
  writePcd("b.pcd", [["x", "f32", moved], ["y", "f32", cloud.y], ["z", "f32", cloud.z]]);
  clump("nn", "a.pcd", "b.pcd", "-o", "pairs.html", "-q");
  const page = await open("pairs.html");
  const rows = cloud.x.length;
  const { pairs, clouds, longest } = await page.evaluate(() => {
    const { frame, coordinates } = window.clumpView;
    const lengths = [...frame.pairs.a].map((a, i) => Math.hypot(...coordinates(a).map((v, k) => v - coordinates(frame.pairs.b[i])[k])));
    return { pairs: lengths.length, clouds: frame.header.clouds.map(({ points }) => points), longest: Math.max(...lengths) };
  });
  assert.deepEqual(clouds, [rows, rows]);
  assert.equal(pairs, rows);
  assert.ok(longest < 0.02, `no pair is longer than the shift: ${longest}`);
  await shot(page, "pairs");
  await close(page);
});

test("icp shows the pairs before and after", async () => {
  clump("icp", "a.pcd", "b.pcd", "-o", "icp.html", "-q");
  const page = await open("icp.html");
  assert.equal(await page.evaluate(() => window.clumpView.scene.frames.length), 2);
  await close(page);
});

test("core points, border points and noise have three colours", async () => {
  clump("dbscan", "street.pcd", "--eps", "0.5", "--min-points", "8", "-o", "core.html", "-q");
  const page = await open("core.html");
  await set(page, { colour: "core", shading: false, boxes: false, pointSize: 5 });
  const { special } = await page.evaluate(() => window.clumpView.scene);
  const drawn = await colours(page);
  for (const name of ["core", "border", "noise"]) assert.ok(drawn[special.dark[name]] > 20, name);
  await shot(page, "core");
  await close(page);
});

test("a field can be the colour", async () => {
  clump("view", "street.pcd", "-o", "field.html", "--colour", "intensity");
  const page = await open("field.html");
  assert.equal(await page.inputValue("#clump-colour"), "field:intensity");
  await until(page, () => document.getElementById("clump-legend") !== null);
  await close(page);
});
