// SPDX-License-Identifier: BSD-3-Clause
//
// marker.js: a ring around the inspected point; in a comparison one per side.
import { make } from "./dom.js";

export function makeMarker({ state, stage }) {
  const rings = [0, 1].map(() => make("div", { class: "marker", hidden: true, "aria-hidden": "true" }));

  function place() {
    const { frame, picked, spot, compare } = state.values;
    const row = picked >= 0 ? picked : spot;
    const seen = frame && row >= 0 && row < frame.rows ? stage.project(row) : null;
    const area = stage.canvas.getBoundingClientRect();
    rings.forEach((ring, side) => {
      ring.hidden = !seen?.visible || (side === 1 && !(compare && frame.header.labelings.length > 1));
      if (ring.hidden) return;
      const x = seen.x - area.left + (side * area.width) / 2;
      ring.style.transform = `translate(${x}px, ${seen.y - area.top}px)`;
    });
  }

  stage.on("drawn", place);
  state.on(["picked", "spot"], place);
  return { elements: rings };
}
