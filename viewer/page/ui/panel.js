// SPDX-License-Identifier: BSD-3-Clause
//
// panel.js: the tabs beside the stage. On a narrow screen they are a sheet at the bottom whose handle can be dragged.
import { make } from "./dom.js";

const HALF = 0.46; // of the height of the page
const FULL = 0.86;

export function makePanel({ state, tabs }) {
  const buttons = tabs.map(({ id, title }) => make("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => pressed(id),
    onkeydown: (event) => step(event),
  }, title));
  const bodies = tabs.map(({ id, content }) => make("div", {
    class: "tab-body", role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`,
  }, content));
  const handle = make("div", { class: "handle", "aria-hidden": "true", onpointerdown: (event) => drag(event) });
  const element = make("aside", { class: "panel", "aria-label": "Panel" }, handle,
    make("div", { class: "tabs", role: "tablist" }, buttons), make("div", { class: "bodies" }, bodies));
  let share = HALF;

  const isSheet = () => getComputedStyle(handle).display !== "none";

  function pressed(id) {
    const again = state.values.panel === id && state.values.open;
    state.set({ panel: id, open: !(again && isSheet()) });
  }

  function step(event) {
    const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!turn) return;
    const at = tabs.findIndex(({ id }) => id === state.values.panel);
    const next = (at + turn + tabs.length) % tabs.length;
    state.set({ panel: tabs[next].id, open: true });
    buttons[next].focus();
    event.preventDefault();
    event.stopPropagation();
  }

  // The height changes when the handle is let go: the stage is drawn once, not at every step.
  function drag(event) {
    const from = event.clientY;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (move) => { element.style.translate = `0 ${Math.max(move.clientY - from, -8)}px`; };
    handle.onpointerup = handle.onpointercancel = (up) => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
      element.style.translate = "";
      const moved = up.clientY - from;
      if (Math.abs(moved) < 6) state.toggle("open");
      else settle(moved);
    };
  }

  function settle(moved) {
    const was = state.values.open ? share : 0;
    const target = was - moved / window.innerHeight;
    const nearest = [0, HALF, FULL].reduce((a, b) => (Math.abs(b - target) < Math.abs(a - target) ? b : a));
    if (nearest > 0) share = nearest;
    state.set({ open: nearest > 0 });
    show(state.values);
  }

  function show({ panel, open }) {
    buttons.forEach((button, i) => {
      const chosen = tabs[i].id === panel;
      button.setAttribute("aria-selected", chosen);
      button.tabIndex = chosen ? 0 : -1;
      bodies[i].hidden = !chosen;
    });
    element.classList.toggle("closed", !open);
    element.style.setProperty("--share", share);
  }

  state.on(["panel", "open"], show);
  show(state.values);
  return { element, setTitle: (id, title) => { buttons[tabs.findIndex((tab) => tab.id === id)].textContent = title; } };
}
