// SPDX-License-Identifier: BSD-3-Clause
//
// timeline.js: several frames: slider, play, speed; of a live page: state of the connection and a pause button.
import { iconButton, make, setIcon } from "./dom.js";
import { count, milliseconds, stampText } from "./format.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4];

export function makeTimeline({ state, frames, step }) {
  const many = frames.count > 1;
  const play = iconButton("play", "Play", "space", () => state.toggle("playing"), { id: "clump-play" });
  const slider = make("input", {
    id: "clump-slider", type: "range", min: 0, max: Math.max(0, frames.count - 1), step: 1, value: 0, "aria-label": "Frame",
    oninput: () => state.set({ number: Number(slider.value), playing: false }),
  });
  const speed = make("select", {
    "aria-label": "Speed", title: "Speed", onchange: () => state.set({ speed: Number(speed.value) }),
  }, SPEEDS.map((one) => make("option", { value: one }, `${one}×`)));
  const where = make("span", { class: "where" });
  const time = make("span", { class: "time" });
  const name = make("span", { class: "name" });
  const element = make("section", { class: "card timeline", "aria-label": "Frames", hidden: !many },
    iconButton("previous", "Previous frame", "p", () => step(-1)), play, iconButton("next", "Next frame", "n", () => step(1)),
    make("div", { class: "track" }, make("div", { class: "line" }, name, time, where), slider), speed);

  function show({ number, playing, speed: factor }) {
    slider.value = number;
    slider.setAttribute("aria-valuetext", frames.name(number));
    speed.value = String(factor);
    setIcon(play, playing ? "pause" : "play");
    play.setAttribute("aria-label", playing ? "Pause" : "Play");
    name.textContent = frames.name(number);
    time.textContent = stampText(frames.list[number]?.stamp);
    where.textContent = `${count(number + 1)} / ${count(frames.count)}`;
  }

  state.on(["number", "playing", "speed", "frame"], show);
  show(state.values);
  return { element };
}

const PHASES = {
  waiting: "Waiting for the first frame",
  running: "Live",
  paused: "Paused",
  lost: "Connection lost, trying again",
  ended: "The recording has ended",
};

export function makeLiveBar({ state }) {
  const said = make("strong", {});
  const figures = make("span", { class: "figures" });
  const pause = iconButton("pause", "Pause", "space", () => state.toggle("paused"), { id: "clump-play" });
  const dot = make("span", { class: "dot", "aria-hidden": "true" });
  const element = make("section", { id: "clump-live", class: "card live", "aria-label": "Live", role: "status" },
    pause, dot, said, figures);

  function show({ phase, event, skipped, error }) {
    element.dataset.phase = phase;
    said.textContent = PHASES[phase];
    pause.disabled = phase === "ended";
    const parts = [];
    if (event) {
      parts.push(`frame ${count(event.frame)}`);
      if (Number.isFinite(event.latency_ms)) parts.push(`latency ${milliseconds(event.latency_ms)}`);
      parts.push(`${count(event.dropped ?? 0)} dropped`);
      if (skipped > 0) parts.push(`${count(skipped)} not shown`);
    }
    if (error && phase !== "ended") parts.push(error);
    figures.textContent = parts.join(" · ");
  }

  state.on(["paused"], ({ paused }) => {
    setIcon(pause, paused ? "play" : "pause");
    pause.setAttribute("aria-label", paused ? "Go on" : "Pause");
  });
  return { element, show };
}
