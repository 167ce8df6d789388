// SPDX-License-Identifier: BSD-3-Clause
//
// help.js: the keys, in a dialogue.
import { iconButton, make } from "./dom.js";

const GROUPS = [
  ["Move", [
    ["drag, arrow keys", "orbit"],
    ["right drag, shift + arrow keys", "pan"],
    ["wheel, + and -", "zoom"],
    ["1 finger  2 fingers", "orbit; pan and zoom"],
    ["double click", "orbit around this point"],
    ["h  t  s  e", "view from home, top, side, the sensor's eye"],
  ]],
  ["See", [
    ["1 … 9", "colour by the first, second … entry"],
    ["b", "boxes of clusters"],
    ["m", "next map"],
    ["r", "range rings"],
    ["i", "shading"],
    ["[  ]", "smaller, larger points"],
    ["d", "dark or light"],
  ]],
  ["Find", [
    ["click", "inspect a point and its cluster"],
    ["l", "list of clusters"],
    ["/", "filter the list"],
    ["c", "compare two labellings"],
    ["x", "next difference"],
    ["Esc", "let go"],
  ]],
  ["Frames and files", [
    ["space", "play or pause"],
    ["n  p  or  .  ,", "next, previous frame"],
    ["f", "save a picture"],
    ["?", "this help"],
  ]],
];

export function makeHelp({ state }) {
  const close = iconButton("close", "Close", "Esc", () => state.set({ help: false }));
  const keys = (text) => text.split("  ").map((key) => (key === "or" ? " or " : make("kbd", {}, key)));
  const groups = GROUPS.map(([title, lines]) => make("section", {}, make("h3", {}, title),
    make("dl", {}, lines.flatMap(([key, text]) => [make("dt", {}, keys(key)), make("dd", {}, text)]))));
  const dialogue = make("div", {
    id: "clump-help", class: "help", role: "dialog", "aria-modal": "true", "aria-label": "Keys", tabindex: "-1",
  }, make("header", {}, make("h2", {}, "Keys and mouse"), close), make("div", { class: "help-groups" }, groups));
  const element = make("div", {
    class: "veil", hidden: true,
    onclick: (event) => event.target === element && state.set({ help: false }),
    onkeydown: (event) => event.key === "Tab" && (event.preventDefault(), close.focus()),
  }, dialogue);
  let before = null;

  state.on(["help"], ({ help }) => {
    element.hidden = !help;
    if (help) {
      before = document.activeElement;
      close.focus();
    } else {
      before?.focus?.();
    }
  });
  return { element };
}
