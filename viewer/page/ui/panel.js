// SPDX-License-Identifier: BSD-3-Clause
//
// panel.js: the tabs beside the stage. On a narrow screen they are a sheet at the bottom whose handle can be dragged.
import { make } from "./dom.js";

const HALF = 0.46; // of the height of the page
const FULL = 0.86;
const TAP = 6; // pixels; a shorter drag is a tap

export class Panel {
  // tabs: a list of {id, title, content, useful}. useful(values): whether there is something in the tab; may be missing.
  constructor({ state, tabs }) {
    Object.assign(this, { state, tabs });
    this.share = HALF;
    this.buttons = tabs.map(({ id, title }) => make("button", {
      type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => this.pressed(id),
      onkeydown: (event) => this.key(event),
    }, title));
    this.bodies = tabs.map(({ id, content }) => make("div", {
      class: "tab-body", role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`,
    }, content));
    this.handle = make("div", { class: "handle", "aria-hidden": "true", onpointerdown: (event) => this.drag(event) });
    this.element = make("aside", { class: "panel", "aria-label": "Panel" }, this.handle,
      make("div", { class: "tabs", role: "tablist" }, this.buttons), make("div", { class: "bodies" }, this.bodies));
    state.on(["panel", "open", "frame"], () => this.show());
    this.show();
  }

  // A sheet closes when its tab is pressed again.
  pressed(id) {
    const { panel, open } = this.state.values;
    const isSheet = getComputedStyle(this.handle).display !== "none";
    this.state.set({ panel: id, open: !(isSheet && open && panel === id) });
  }

  isUseful({ useful }) {
    return useful?.(this.state.values) ?? true;
  }

  key(event) {
    const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!turn) return;
    const tabs = this.tabs.filter((tab) => this.isUseful(tab));
    const at = tabs.findIndex(({ id }) => id === this.state.values.panel);
    const next = (at + turn + tabs.length) % tabs.length;
    this.state.set({ panel: tabs[next].id, open: true });
    document.getElementById(`tab-${tabs[next].id}`).focus();
    event.preventDefault();
    event.stopPropagation();
  }

  // The height changes when the handle is let go: the stage is drawn once, not at every step.
  drag(event) {
    const { handle, element } = this;
    const from = event.clientY;
    handle.setPointerCapture(event.pointerId);
    handle.onpointermove = (move) => { element.style.translate = `0 ${Math.max(move.clientY - from, -8)}px`; };
    handle.onpointerup = handle.onpointercancel = (up) => {
      handle.onpointermove = handle.onpointerup = handle.onpointercancel = null;
      element.style.translate = "";
      this.settle(up.clientY - from);
    };
  }

  // Goes to the nearest of the three heights; a tap opens or closes.
  settle(moved) {
    const { open } = this.state.values;
    const target = (open ? this.share : 0) - moved / window.innerHeight;
    const nearest = [0, HALF, FULL].reduce((a, b) => (Math.abs(b - target) < Math.abs(a - target) ? b : a));
    if (nearest > 0) this.share = nearest;
    this.state.set({ open: Math.abs(moved) < TAP ? !open : nearest > 0 });
    this.show();
  }

  show() {
    const { panel, open } = this.state.values;
    this.buttons.forEach((button, i) => {
      const chosen = this.tabs[i].id === panel;
      button.hidden = !this.isUseful(this.tabs[i]);
      button.setAttribute("aria-selected", chosen);
      button.tabIndex = chosen ? 0 : -1;
      this.bodies[i].hidden = !chosen;
    });
    this.element.classList.toggle("closed", !open);
    this.element.style.setProperty("--share", this.share);
  }
}
