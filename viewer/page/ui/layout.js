// SPDX-License-Identifier: BSD-3-Clause
//
// layout.js: puts stage and panels into the page.
import { Stage } from "../stage.js";
import { View } from "../view.js";
import { Clusters } from "./clusters.js";
import { makeCompare } from "./compare.js";
import { hasLabels, makeDisplay } from "./display.js";
import { make } from "./dom.js";
import { makeFacts } from "./facts.js";
import { makeHeader, makeTools } from "./header.js";
import { makeHelp } from "./help.js";
import { makeInspect } from "./inspect.js";
import { Legend } from "./legend.js";
import { makeMarker } from "./marker.js";
import { makeNotice } from "./notice.js";
import { Panel } from "./panel.js";
import { makeLiveBar, makeTimeline } from "./timeline.js";

export function makeLayout({ scene, state, frames, save }) {
  const canvas = make("canvas", {
    id: "clump-stage", tabindex: "0", "aria-label": "Point cloud; arrow keys turn it, ? shows all keys",
  });
  const overlay = make("div", { class: "overlay" });
  const box = make("main", { class: "stage" }, canvas, overlay);
  const spoken = make("div", { id: "clump-spoken", class: "unseen", role: "status", "aria-live": "polite" });
  const app = make("div", { id: "clump-app" }, box, spoken);
  document.body.append(app);
  document.title = scene.title;

  const stage = new Stage(canvas, scene);
  const legend = new Legend({ state, scene });
  const isDark = () => state.values.dark;
  const header = makeHeader({ state, scene, isDark, save }).element;
  const view = new View({ scene, state, stage, legend });
  const flyToCluster = (label) => view.flyToCluster(label);
  const clusters = new Clusters({ state, scene, flyToCluster });
  const compare = makeCompare({ scene, state, stage });
  const notice = makeNotice();
  const marker = makeMarker({ state, stage });
  let step = () => {};
  const liveBar = scene.live ? makeLiveBar({ state }) : null;
  const time = liveBar ?? makeTimeline({ state, frames, step: (by) => step(by) });
  const panel = new Panel({
    state,
    tabs: [
      { id: "clusters", title: "Clusters", content: clusters.element, useful: hasLabels },
      { id: "display", title: "Display", content: makeDisplay({ state, scene }).element },
      { id: "facts", title: "Facts", content: makeFacts({ state, scene }).element },
    ],
  });
  const tools = makeTools({ state, setView: (name) => view.setView(name) });
  const inspect = makeInspect({ state, flyToCluster }).element;
  overlay.append(...marker.elements, compare.element, inspect, legend.element, tools, time.element, notice.element);
  app.prepend(header);
  app.append(panel.element, makeHelp({ state }).element);
  state.on(["failed"], ({ failed }) => {
    app.classList.toggle("failed", failed);
    panel.element.inert = failed;
  });
  new ResizeObserver(() => stage.resize()).observe(box);
  return {
    stage, view, notice, liveBar,
    focusFilter: () => clusters.focusFilter(), nextDifference: compare.next, setStep: (stepper) => { step = stepper; },
  };
}
