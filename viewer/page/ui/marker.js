// SPDX-License-Identifier: BSD-3-Clause
//
// marker.js: a ring around the inspected point.
import { make } from "./dom.js";

export function makeMarker({ state, stage }) {
  const ring = make("div", { class: "marker", hidden: true, "aria-hidden": "true" });

  function place() {
    const { frame, picked } = state.values;
    const seen = frame && picked >= 0 ? stage.project(picked) : null;
    ring.hidden = !seen?.visible;
    if (ring.hidden) return;
    const area = stage.canvas.getBoundingClientRect();
    ring.style.transform = `translate(${seen.x - area.left}px, ${seen.y - area.top}px)`;
  }

  stage.on("drawn", place);
  state.on(["picked"], place);
  return { element: ring };
}
