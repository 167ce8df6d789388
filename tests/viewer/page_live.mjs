// SPDX-License-Identifier: BSD-3-Clause
//
// page_live.mjs: the page of clump play --serve: frames come in while a recording is played.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { writeStreet } from "./clouds.mjs";
import { close, clump, folder, open, program, set, shot, until } from "./harness.mjs";

mkdirSync(path.join(folder, "drive"));
for (let i = 0; i < 60; ++i) writeStreet(`drive/${String(i).padStart(3, "0")}.pcd`, { boxes: 5, ground: 400, seed: i + 1, turn: 0.03 * i });

// Starts a play and returns {address, child, ended}, once the server is there.
function play(...words) {
  return start("drive", ...words, "--", "ec", "-d", "1", "--min-size", "10");
}

function start(drive, ...words) {
  const child = spawn(program, ["play", drive, "--serve", "0", ...words], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => child.on("exit", (code) => resolve(code)));
  return new Promise((resolve, reject) => {
    let text = "";
    child.stderr.on("data", (bytes) => {
      text += bytes;
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
      if (found) resolve({ address: found[0], child, ended });
    });
    ended.then((code) => reject(new Error(`clump play ended with ${code}: ${text}`)));
  });
}

test("frames arrive, the camera stays, a pause holds", async () => {
  const { address, child, ended } = await play("--loop", "100");
  try {
    const page = await open(address);
    const number = () => page.evaluate(() => window.clumpView.frame.header.number);
    const first = await number();
    await until(page, (before) => window.clumpView.frame.header.number !== before, first);
    assert.match(await page.textContent("#clump-live"), /Live/);
    assert.match(await page.textContent("#clump-live"), /latency/);
    await set(page, { view: "top" });
    const camera = await page.evaluate(() => window.clumpView.stage.camera);
    await shot(page, "live");
    await page.click("#clump-play");
    await page.waitForTimeout(300);
    const held = await number();
    await page.waitForTimeout(500);
    assert.equal(await number(), held, "a paused page keeps its frame");
    await page.click("#clump-play");
    await until(page, (before) => window.clumpView.frame.header.number !== before, held);
    assert.deepEqual(await page.evaluate(() => window.clumpView.stage.camera), camera);
    const foreign = page.requests.filter((url) => !url.startsWith(address));
    assert.deepEqual(foreign, []);
    await close(page, { live: true });
  } finally {
    child.kill("SIGINT");
    await ended;
  }
});

test("what moves has an arrow and a trail", async () => {
  clump("gen", "lidar", "--scene", "people", "--sensor", "hdl-32e", "--frames", "30", "-o", "walk", "--poses", "walk.txt", "-q");
  const { address, child, ended } = await start("walk", "--track", "--poses", "walk.txt", "--rate", "2", "--loop", "20", "--", "detect");
  try {
    const page = await open(address);
    await until(page, () => window.clumpView.frame.header.pose[3] > 10);
    const { pose, moving, lines } = await page.evaluate(() => {
      const { frame, stage } = window.clumpView;
      return { pose: frame.header.pose, moving: [...frame.clusters[0].get("moving")], lines: stage.drawing.tracks.count };
    });
    assert.equal(pose.length, 12);
    assert.ok(moving.every((value) => value >= 0 && value <= 2));
    assert.ok(lines > 5, "a path, trails and arrows are drawn");
    await set(page, { view: "top" });
    await shot(page, "tracks");
    await close(page, { live: true });
  } finally {
    child.kill("SIGINT");
    await ended;
  }
});

test("the page says that the recording has ended, or that the server is gone", async () => {
  const { address, child, ended } = await play("--rate", "1.5");
  try {
    const page = await open(address);
    await until(page, () => document.getElementById("clump-live").dataset.phase === "ended", null, 20);
    await shot(page, "ended");
    await page.context().close();
  } finally {
    child.kill("SIGINT");
    await ended;
  }
});
