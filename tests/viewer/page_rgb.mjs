// SPDX-License-Identifier: BSD-3-Clause
//
// page_rgb.mjs: a cloud with colours is shown in them: packed in a PCD, and as bytes of a PLY.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { writePcd } from "./clouds.mjs";
import { close, clump, colours, folder, open, set, shot, stateOf } from "./harness.mjs";

const COLOURS = [0xe04020, 0x20c040, 0x2060f0, 0x010203];

// A wall of squares, one colour each.
const cloud = { x: [], y: [], z: [], rgb: [] };
for (let i = 0; i < 80; ++i)
  for (let j = 0; j < 80; ++j) {
    cloud.x.push(0.02 * i);
    cloud.y.push(0.02 * j);
    cloud.z.push(0);
    cloud.rgb.push(COLOURS[(i < 40 ? 0 : 1) + (j < 40 ? 0 : 2)]);
  }
const coordinates = ["x", "y", "z"].map((name) => [name, "f32", cloud[name]]);
writePcd("packed.pcd", [...coordinates, ["rgba", "u32", cloud.rgb.map((rgb) => (0xff000000 | rgb) >>> 0)]]);
const head = ["ply", "format ascii 1.0", `element vertex ${cloud.x.length}`, "property float x", "property float y",
  "property float z", "property uchar red", "property uchar green", "property uchar blue", "end_header"];
const lines = cloud.x.map((x, i) =>
  [x, cloud.y[i], 0, cloud.rgb[i] >> 16, (cloud.rgb[i] >> 8) & 255, cloud.rgb[i] & 255].join(" "));
writeFileSync(path.join(folder, "bytes.ply"), `${[...head, ...lines].join("\n")}\n`);

for (const name of ["packed.pcd", "bytes.ply"]) clump("view", name, "-o", `${name}.html`);

const textOf = (rgb) => `#${rgb.toString(16).padStart(6, "0")}`;

for (const name of ["packed.pcd", "bytes.ply"])
  test(`${name} is shown in its colours`, async () => {
    const page = await open(`${name}.html`);
    assert.equal(await stateOf(page, "colour"), "rgb");
    assert.equal(await page.inputValue("#clump-colour"), "rgb");
    assert.match(await page.textContent("#clump-colour option[value=rgb]"), /True colour/);
    await set(page, { view: "top", shading: false, pointSize: 8 });
    await shot(page, name);
    const drawn = await colours(page);
    for (const rgb of COLOURS) assert.ok(drawn[textOf(rgb)] > 1000, `${textOf(rgb)}: ${drawn[textOf(rgb)]} pixels`);
    await set(page, { picked: 0 });
    assert.match(await page.textContent("#clump-inspect"), new RegExp(textOf(cloud.rgb[0])));
    await shot(page, `${name}-inspect`);
    await set(page, { colour: "height" });
    assert.equal((await colours(page))[textOf(COLOURS[0])], undefined, "only in this mode");
    await close(page);
  });
