// SPDX-License-Identifier: BSD-3-Clause
//
// hash.js: keeps frame, colour and view in the address, as #frame=3&colour=height: a link opens the page as it was seen.

const VIEWS = ["home", "top", "side", "sensor"];

// Returns the values that the address asks for. Wrong ones are left out.
export function valuesOfHash(text, frames) {
  const asked = new URLSearchParams(text.replace(/^#/, ""));
  const values = {};
  const number = Number(asked.get("frame"));
  if (asked.has("frame") && Number.isInteger(number) && number >= 0 && number < frames) values.number = number;
  if (asked.has("colour")) values.colour = asked.get("colour");
  if (VIEWS.includes(asked.get("view"))) values.view = asked.get("view");
  return values;
}

export function keepHash(state) {
  const first = { ...state.values };
  state.on(["number", "colour", "view", "playing"], ({ number, colour, view, playing }) => {
    if (playing) return; // browsers limit how often the address changes
    const asked = new URLSearchParams();
    if (number !== 0) asked.set("frame", number);
    if (colour !== first.colour) asked.set("colour", colour);
    if (view !== first.view) asked.set("view", view);
    const text = asked.toString();
    try {
      history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      // A page inside a frame may not change the address.
    }
  });
}
