// SPDX-License-Identifier: BSD-3-Clause
//
// notice.js: a sentence in the middle of the stage: something failed, or is being awaited.
import { make } from "./dom.js";

export function makeNotice() {
  const text = make("p", {});
  const element = make("div", { id: "clump-notice", class: "notice", role: "alert", hidden: true }, text);
  return {
    element,
    // An empty text hides it.
    show: (sentence) => {
      text.textContent = sentence;
      element.hidden = sentence === "";
    },
  };
}

// Returns what to say of a frame without any point to draw, else an empty text.
export function emptySentence(frame) {
  if (frame.rows === 0) return "This frame has no points.";
  const hidden = frame.column("hidden")?.values;
  return hidden?.every((value) => value === 1) ? "No point of this frame has finite coordinates." : "";
}

// Shows the picture that the page was made with, and why there is nothing to turn.
export function showFallback(sentence) {
  const place = document.getElementById("clump-fallback") ?? document.body;
  let text = document.getElementById("clump-sentence");
  if (!text) {
    text = make("p", { id: "clump-sentence" });
    place.prepend(text);
  }
  text.textContent = sentence;
  place.hidden = false;
  document.documentElement.dataset.fallback = "";
}

export function hideFallback() {
  const place = document.getElementById("clump-fallback") ?? document.getElementById("clump-picture");
  if (place) place.hidden = true;
}
