// SPDX-License-Identifier: BSD-3-Clause
//
// stage.js: the 3-D picture on a canvas, as the panels see it. It draws when something has changed and never otherwise.
// Side 0 is the left or only view, side 1 the right one of a comparison.
import { GROUND } from "./colour.js";
import { Controls } from "./controls.js";
import { Drawing } from "./drawing.js";
import { add, baseOf, between, FIELD_OF_VIEW, Orbit } from "./orbit.js";
import { Pace } from "./pace.js";
import { faintColours, highlightColours } from "./points.js";

const FLIGHT = 300; // milliseconds
const LOST = "The browser has taken the graphics memory away. The picture comes back as soon as the browser allows it.";

export class Stage {
  #listeners = new Map();
  #pending = 0;
  #flight = null;
  #colours = [null, null];
  #pace = new Pace();
  #rest = 0;

  static supported() {
    try {
      return document.createElement("canvas").getContext("webgl2") !== null;
    } catch {
      return false;
    }
  }

  constructor(canvas, scene) {
    this.canvas = canvas;
    this.scene = scene;
    this.frame = null;
    this.orbit = new Orbit();
    this.options = {
      compare: false, boxes: true, pairs: true, rings: false, shading: true, pointSize: 3, dark: true, labeling: 0,
      map: null, opacity: 0.8, highlight: null, hidden: new Set(),
    };
    this.stats = { drawCalls: 0, points: 0, bytes: 0 };
    this.drawing = new Drawing(canvas, scene);
    this.controls = new Controls(canvas, this);
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.#tell("lost", LOST);
    });
    canvas.addEventListener("webglcontextrestored", () => {
      this.#tell("restored");
      this.render();
    });
    this.resize();
  }

  // Events: "camera", "drawn", "click" ({x, y}: a click that was no drag), "lost" (a sentence), "restored". Returns a
  // function that removes the listener.
  on(event, listener) {
    if (!this.#listeners.has(event)) this.#listeners.set(event, new Set());
    this.#listeners.get(event).add(listener);
    return () => this.#listeners.get(event).delete(listener);
  }

  #tell(event, value) {
    for (const listener of this.#listeners.get(event) ?? []) listener(value);
  }

  setFrame(frame, { keepCamera = false } = {}) {
    const keep = keepCamera && this.frame !== null;
    this.frame = frame;
    this.#colours = [null, null];
    this.drawing.setFrame(frame);
    this.orbit.base = baseOf(frame.header.up, frame.header.flip);
    if (!keep) {
      this.orbit.copy(this.#orbitOf(this.scene.look?.view ?? "home"));
      this.moved();
    }
    this.render();
  }

  // rgba: 4 bytes per row of the frame, as colourPoints makes them. The array is kept.
  setColours(side, rgba) {
    if (rgba.length !== 4 * this.frame.rows) throw new Error(`${rgba.length / 4} colours for ${this.frame.rows} points.`);
    this.#colours[side] = rgba;
    this.#paint(side);
    this.render();
  }

  #paint(side) {
    let rgba = this.#colours[side];
    if (!rgba) return;
    const { highlight, map } = this.options;
    const ground = map !== null && this.frame.column("label0")?.values;
    if (ground) rgba = faintColours(rgba, ground, GROUND);
    const labels = highlight && this.frame.column(`label${highlight.labeling}`)?.values;
    this.drawing.points.setColours(side, labels ? highlightColours(rgba, labels, highlight.label) : rgba);
  }

  #change(changes, ...spoilt) {
    Object.assign(this.options, changes);
    this.drawing.spoil(...spoilt);
    this.render();
  }

  setCompare(on) {
    this.#change({ compare: on }, "boxes");
  }

  setBoxes(on) {
    this.#change({ boxes: on }, "boxes");
  }

  // Clusters whose boxes are not drawn: a Set as the filter of colourPoints.
  setHidden(hidden) {
    this.#change({ hidden }, "boxes");
  }

  // Whose boxes the only view has.
  setLabeling(labeling) {
    this.#change({ labeling }, "boxes");
  }

  setPairs(on) {
    this.#change({ pairs: on }, "pairs");
  }

  setRings(on) {
    this.#change({ rings: on }, "rings");
  }

  setMap(name, opacity = this.options.opacity) {
    const other = name !== this.options.map;
    const switched = (name === null) !== (this.options.map === null);
    this.#change({ map: name, opacity }, ...(other ? ["map"] : []));
    if (switched && this.frame) [0, 1].forEach((side) => this.#paint(side));
  }

  setPointSize(pixels) {
    this.#change({ pointSize: pixels });
  }

  setShading(on) {
    this.#change({ shading: on });
  }

  setTheme(dark) {
    this.#change({ dark }, "boxes", "rings", "map");
  }

  // The points and the box of a cluster stand out, all others are dim. null: no highlight.
  setHighlight(label, labeling = 0) {
    const { highlight } = this.options;
    if (label === null ? highlight === null : highlight?.label === label && highlight.labeling === labeling) return;
    this.#change({ highlight: label === null ? null : { label, labeling } }, "marked");
    if (this.frame) [0, 1].forEach((side) => this.#paint(side));
  }

  get camera() {
    const { eye, target, up } = this.orbit;
    return { eye, target: [...target], up };
  }

  // The camera of a view. Views of the whole are moved back where the canvas is narrow.
  #orbitOf(name) {
    const { header } = this.frame;
    const orbit = new Orbit().copy(this.orbit);
    orbit.look(header.views[name] ?? header.views.home);
    const { aspect } = this.drawing.parts(this.options.compare)[0];
    if (name !== "sensor") orbit.fit(header.low, header.high, aspect);
    return orbit;
  }

  setView(name) {
    if (this.frame) this.#fly(this.#orbitOf(name));
  }

  // Looks at a place from the present direction; size: metres that shall fill about half of the picture.
  flyTo({ centre, size }) {
    const orbit = new Orbit().copy(this.orbit);
    orbit.target = [...centre];
    orbit.distance = Math.max(3, size * 2.4);
    orbit.elevation = Math.max(orbit.elevation, Math.PI / 10);
    this.#fly(orbit);
  }

  #fly(to) {
    if (window.matchMedia?.("(prefers-reduced-motion: reduce)").matches) {
      this.orbit.copy(to);
      this.moved();
      return;
    }
    this.#flight = { from: new Orbit().copy(this.orbit), to, start: performance.now() };
    this.render();
  }

  #advance(now) {
    if (!this.#flight) return;
    const { from, to, start } = this.#flight;
    const t = Math.min(1, Math.max(0, (now - start) / FLIGHT));
    this.orbit.copy(between(from, to, t * t * (3 - 2 * t)));
    if (t === 1) this.#flight = null;
    else this.render();
    this.#pace.moved(performance.now());
    this.#tell("camera");
  }

  // Called where the orbit was changed by hand.
  moved() {
    this.#flight = null;
    this.#pace.moved(performance.now());
    this.#tell("camera");
    this.render();
  }

  // Called by the controls: the last button or finger is up.
  released() {
    this.render();
  }

  // Called by the controls: a click that was no drag.
  click(x, y) {
    this.#tell("click", { x, y });
  }

  // Turns about the point under the cursor from now on.
  doubleClick(x, y) {
    const row = this.pick(x, y);
    if (row < 0) return;
    const orbit = new Orbit().copy(this.orbit);
    orbit.target = this.#place(row);
    this.#fly(orbit);
  }

  #place(row) {
    return [this.frame.x[row], this.frame.y[row], this.frame.z[row]];
  }

  viewHeight() {
    return this.canvas.clientHeight || 1;
  }

  // The point under the cursor, or the place under it in the depth of the target.
  placeUnder(clientX, clientY) {
    this.drawing.points.setThinning(this.#pace.thinning); // exact enough, and quick on slow devices
    const row = this.drawing.pick(clientX, clientY, this.orbit, this.options);
    if (row >= 0) return this.#place(row);
    const { part, x, y } = this.drawing.pixel(clientX, clientY, this.options.compare);
    const half = this.orbit.distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
    const right = (((x - part.x) / part.width) * 2 - 1) * half * part.aspect;
    const up = (((y - part.y) / part.height) * 2 - 1) * half;
    return add(add(this.orbit.target, this.orbit.right, right), this.orbit.up, up);
  }

  pick(clientX, clientY) {
    this.drawing.points.setThinning(1);
    return this.drawing.pick(clientX, clientY, this.orbit, this.options);
  }

  project(row) {
    return this.drawing.project(row, this.orbit, this.options);
  }

  resize() {
    this.drawing.resize();
    this.render();
  }

  render() {
    if (this.#pending === 0) this.#pending = requestAnimationFrame((now) => this.#draw(now));
  }

  #draw(now) {
    this.#pending = 0;
    if (this.drawing.lost) return;
    this.#advance(now);
    const { held } = this.controls;
    const thinning = this.#pace.next(performance.now(), this.frame?.rows ?? 0, held);
    this.drawing.points.setThinning(thinning);
    clearTimeout(this.#rest);
    if (thinning > 1 && !held) this.#rest = setTimeout(() => this.render(), this.#pace.rest + 20);
    this.stats = this.drawing.draw(this.orbit, this.options);
    this.#tell("drawn");
  }

  // A PNG of what is seen. The canvas is drawn and read in one go, because a browser may clear it afterwards.
  screenshot() {
    this.drawing.points.setThinning(1);
    this.drawing.draw(this.orbit, this.options);
    return new Promise((resolve, reject) => {
      const done = (blob) => (blob ? resolve(blob) : reject(new Error("The browser made no picture of the canvas.")));
      this.canvas.toBlob(done, "image/png");
    });
  }

  dispose() {
    cancelAnimationFrame(this.#pending);
    clearTimeout(this.#rest);
    this.controls.dispose();
    this.drawing.dispose();
  }
}
