// SPDX-License-Identifier: BSD-3-Clause
//
// keys.js: what the keys do. Arrow keys, + and - move the camera and belong to the stage.

import { hasLabels } from "./display.js";

const TYPING = "input:not([type=checkbox]):not([type=range]), textarea, select";
const PRESSING = "button, input, select, a, summary"; // they use the space key themselves

function mapsOf(frame) {
  return [null, ...(frame?.maps ?? []).map(({ name }) => name)];
}

function nextOf(list, value) {
  return list[(list.indexOf(value) + 1) % list.length];
}

export function listenToKeys({ state, setView, modes, step, save, focusFilter, nextDifference, isDark, live }) {
  const actions = {
    t: () => setView("top"),
    s: () => setView("side"),
    e: () => setView("sensor"),
    h: () => setView("home"),
    b: () => state.toggle("boxes"),
    r: () => state.toggle("rings"),
    i: () => state.toggle("shading"),
    l: () => {
      const { panel, open } = state.values;
      state.set(panel === "clusters" || !hasLabels(state.values) ? { open: !open } : { panel: "clusters", open: true });
    },
    c: () => state.values.frame?.header.labelings.length > 1 && state.toggle("compare"),
    x: () => state.values.compare && nextDifference(),
    m: () => state.set({ map: nextOf(mapsOf(state.values.frame), state.values.map) }),
    d: () => state.set({ theme: isDark() ? "light" : "dark" }),
    f: save,
    n: () => step(1),
    ".": () => step(1),
    p: () => step(-1),
    ",": () => step(-1),
    "[": () => state.set({ pointSize: Math.max(0.5, state.values.pointSize - 0.5) }),
    "]": () => state.set({ pointSize: Math.min(12, state.values.pointSize + 0.5) }),
    "?": () => state.toggle("help"),
    "/": () => {
      if (!hasLabels(state.values)) return;
      state.set({ panel: "clusters", open: true });
      focusFilter();
    },
    " ": () => state.toggle(live ? "paused" : "playing"),
    Escape: () => escape(state),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const typing = event.target.matches?.(TYPING);
    if (typing && event.key === "Escape") event.target.blur();
    if (typing || (event.key === " " && event.target.matches?.(PRESSING))) return;
    if (state.values.help && event.key !== "Escape" && event.key !== "?") return;
    const mode = /^[1-9]$/.test(event.key) ? modes()[Number(event.key) - 1] : null;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (mode) state.set({ colour: mode.id, limits: null });
    else if (key in actions) actions[key]();
    else return;
    event.preventDefault();
  });
}

// Takes back one thing: the help, then what is selected, then a comparison.
function escape(state) {
  const { help, picked, selected, spot } = state.values;
  if (help) state.set({ help: false });
  else if (picked >= 0 || spot >= 0 || selected !== null) state.set({ picked: -1, spot: -1, selected: null, hover: null });
  else state.set({ compare: false });
}
