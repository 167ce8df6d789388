// SPDX-License-Identifier: BSD-3-Clause
//
// harness.mjs: what the tests of the page share: the program, one browser per test file, and an end with status 77 and a
// sentence where something that is needed is missing.
//
//     CLUMP_PROGRAM      the program under test (default build/native/cli/clump)
//     CLUMP_SCREENSHOTS  folder for screenshots (default: the temporary folder of the test)
//     CLUMP_CHROMIUM     the browser (default: chromium-headless-shell or chromium of Debian)
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readPng } from "./png.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const suite = path.basename(process.argv[1], ".mjs");

function skip(why) {
  console.log(`skipped: view_${suite}: ${why}`);
  process.exit(77);
}

function findPlaywright() {
  try {
    return createRequire(path.join(root, "viewer/page/package.json"))("playwright-core");
  } catch {
    return skip("run scripts/setup.sh --viewer and scripts/viewer.sh --packages");
  }
}

function findBrowser() {
  const candidates = [process.env.CLUMP_CHROMIUM, "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
  return candidates.find((name) => name && existsSync(name)) ?? skip("run scripts/setup.sh --viewer and scripts/viewer.sh --packages");
}

const { chromium } = findPlaywright();
const executablePath = findBrowser();
const program = process.env.CLUMP_PROGRAM ?? path.join(root, "build/native/cli/clump");

export const folder = mkdtempSync(path.join(tmpdir(), "clump-page-"));
const screenshots = process.env.CLUMP_SCREENSHOTS ?? folder;
mkdirSync(screenshots, { recursive: true });
const browsers = new Map();
after(async () => {
  await Promise.all([...browsers.values()].map((browser) => browser.close()));
  rmSync(folder, { recursive: true, force: true });
});

// Runs the program in the temporary folder, which must succeed. Returns what it printed.
export function clump(...words) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  assert.equal(status, 0, `clump ${words.join(" ")}: ${error ?? stderr}`);
  return stdout;
}

export { program };

// The browser, started once per set of arguments.
export async function browserWith(...args) {
  const key = args.join(" ");
  if (!browsers.has(key)) {
    const common = ["--no-sandbox", "--enable-unsafe-swiftshader"];
    browsers.set(key, await chromium.launch({ executablePath, args: [...common, ...args] }));
  }
  return browsers.get(key);
}

// Opens a page, by file name in the temporary folder or by address, and waits for its first picture. Returns the page of
// playwright with .problems (errors of console and script) and .requests (all but the page itself, data: and blob:).
export async function open(name, { width = 1000, height = 600, dark = true, args = [], ready = true, touch = false, motion = false } = {}) {
  const browser = await browserWith(...args);
  const context = await browser.newContext({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: motion ? "no-preference" : "reduce", hasTouch: touch,
    isMobile: touch, acceptDownloads: true,
  });
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on("console", (message) => {
    const harmless = message.text().includes("GPU stall due to ReadPixels"); // the software renderer, of readPixels
    if (["error", "warning"].includes(message.type()) && !harmless) page.problems.push(message.text());
  });
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("request", (request) => {
    const own = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (!own && !/^(data|blob):/.test(request.url())) page.requests.push(request.url());
  });
  await page.goto(name.startsWith("http") ? name : pathToFileURL(path.join(folder, name)).href);
  if (ready) {
    await until(page, () => Boolean(window.clumpView));
    await page.evaluate(() => window.clumpView.ready);
  }
  return page;
}

// Waits until a function in the page returns true. (playwright's own waiting needs eval, which the page forbids.)
export async function until(page, condition, argument, seconds = 15) {
  const end = Date.now() + 1000 * seconds;
  while (!(await page.evaluate(condition, argument))) {
    if (Date.now() > end) assert.fail(`this did not become true: ${condition}; problems of the page: ${page.problems.join("; ")}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

// Closes the page. Nothing may have gone wrong, and nothing may have been asked of a network.
export async function close(page, { live = false } = {}) {
  assert.deepEqual(page.problems, []);
  if (!live) assert.deepEqual(page.requests, []);
  await page.context().close();
}

// Changes the state and waits for the picture.
export function set(page, changes) {
  return page.evaluate((values) => window.clumpView.set(values), changes);
}

export function stateOf(page, key) {
  return page.evaluate((name) => window.clumpView.state.values[name], key);
}

// Returns a screenshot as {width, height, at(x, y) -> "#rrggbb"} and keeps it for looking at. With an element, only that.
export async function shot(page, name, selector) {
  const file = path.join(screenshots, `${suite}-${name}.png`);
  const bytes = await (selector ? page.locator(selector) : page).screenshot({ path: file });
  return readPng(bytes);
}

// Returns how often each colour is in the 3-D picture, without panels: { "#rrggbb": pixels }.
export async function colours(page) {
  const url = await page.evaluate(async () => {
    const blob = await window.clumpView.stage.screenshot();
    const bytes = new Uint8Array(await blob.arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return btoa(text);
  });
  const { width, height, at } = readPng(Buffer.from(url, "base64"));
  const counts = {};
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const colour = at(x, y);
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
  return counts;
}
