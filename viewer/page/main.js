// SPDX-License-Identifier: BSD-3-Clause
//
// main.js: starts the page: reads the scene, makes the stage and the panels, shows the first frame.
import "./style.css";
import { Frames } from "./frames.js";
import { keepHash, valuesOfHash } from "./hash.js";
import { Live } from "./live.js";
import { fileCoordinates } from "./packet.js";
import { Player } from "./play.js";
import { Stage } from "./stage.js";
import { State, firstValues } from "./state.js";
import { makeLayout } from "./ui/layout.js";
import { listenToKeys } from "./ui/keys.js";
import { emptySentence, hideFallback, showFallback } from "./ui/notice.js";
import { announce } from "./ui/dom.js";
import { download } from "./ui/copy.js";

const TOO_OLD = "This browser is too old to unpack the points (it has no DecompressionStream).";
const NO_WEBGL = "This browser cannot draw in 3-D (it has no WebGL2).";
const PICTURE = "This is a picture of the first frame.";

// Returns why this browser cannot show the page, or null.
function reasonAgainst() {
  if (typeof DecompressionStream === "undefined") return `${TOO_OLD} ${PICTURE}`;
  return Stage.supported() ? null : `${NO_WEBGL} ${PICTURE}`;
}

// Returns the interface for tests and curious users: see viewer/README.md.
function makeInterface({ scene, state, stage, view, drawn, settle, timings, ready }) {
  return {
    scene, state, stage, timings, ready,
    get frame() { return state.values.frame; },
    async set(changes) {
      const { view: camera, ...others } = changes;
      const picture = drawn();
      state.set(others);
      if (camera) view.setView(camera);
      await settle();
      stage.render();
      await picture;
    },
    pick: (x, y) => view.pick(x, y),
    coordinates: (row) => fileCoordinates(state.values.frame, row),
  };
}

function startLive({ scene, state, view, layout, drawn }) {
  const show = (frame) => {
    const picture = drawn();
    view.show(frame);
    layout.notice.show(emptySentence(frame));
    return picture;
  };
  const live = new Live(scene.live, show, (status) => {
    layout.liveBar.show(status);
    const waiting = status.phase === "lost" ? "The server cannot be reached." : "Waiting for the first frame.";
    if (state.values.frame === null) layout.notice.show(status.error ?? waiting);
  });
  state.on(["paused"], ({ paused }) => live.setPaused(paused));
}

function start() {
  const scene = JSON.parse(document.getElementById("clump-scene").textContent);
  const reason = reasonAgainst();
  if (reason) {
    showFallback(reason);
    return;
  }
  const frames = new Frames(scene.frames);
  const asked = location.hash.length > 1;
  const state = new State({ ...firstValues(scene), shown: null, ...valuesOfHash(location.hash, frames.count) });
  if (!scene.live && frames.count > 0) frames.load(state.values.number).catch(() => {}); // while the panels are made
  const timings = { inflate_ms: 0, first_picture_ms: 0 };
  const drawnOnce = [];
  const drawn = () => new Promise((resolve) => drawnOnce.push(resolve));
  const layout = makeLayout({ scene, state, frames, save: () => save(layout.stage, state) });
  const { stage, view } = layout;
  stage.on("drawn", () => {
    if (state.values.frame && timings.first_picture_ms === 0) timings.first_picture_ms = performance.now();
    if (state.values.frame) drawnOnce.splice(0).forEach((resolve) => resolve());
  });
  const player = new Player({
    state, frames, drawn,
    show: (frame) => {
      layout.notice.show(emptySentence(frame));
      state.set({ failed: false });
      view.show(frame);
    },
    fail: (number, error) => {
      state.set({ failed: true });
      layout.notice.show(`${frames.name(number)} cannot be shown. ${error.message}`);
      drawnOnce.splice(0).forEach((resolve) => resolve());
    },
  });
  layout.setStep((by) => player.step(by));
  const settle = () => player.loading ?? Promise.resolve();
  const ready = drawn();
  window.clumpView = makeInterface({ scene, state, stage, view, drawn, settle, timings, ready });
  stage.on("click", ({ x, y }) => announce(view.describe(view.pick(x, y))));
  stage.on("lost", (sentence) => layout.notice.show(sentence));
  stage.on("restored", () => layout.notice.show(""));
  listenToKeys({
    state, save: () => save(stage, state), step: (by) => player.step(by), live: Boolean(scene.live), modes: () => view.modes,
    setView: (name) => view.setView(name), isDark: () => state.values.dark, focusFilter: layout.focusFilter,
    nextDifference: layout.nextDifference,
  });
  hideFallback();
  if (scene.live) {
    startLive({ scene, state, view, layout, drawn });
  } else if (frames.count === 0) {
    layout.notice.show("This page has no frames.");
  } else {
    keepHash(state);
    const begin = performance.now();
    frames.load(state.values.number).then(() => { timings.inflate_ms = performance.now() - begin; }, () => {});
    player.load();
    if (scene.look?.plays && !asked && !window.matchMedia("(prefers-reduced-motion: reduce)").matches)
      ready.then(() => state.set({ playing: true }));
  }
}

async function save(stage, state) {
  const blob = await stage.screenshot();
  download(blob, `${state.values.frame?.header.name ?? "clump"}.png`);
  announce("The picture was saved.");
}

try {
  start();
} catch (error) {
  showFallback(`The page could not be started: ${error.message}`);
  throw error;
}
