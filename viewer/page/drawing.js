// SPDX-License-Identifier: BSD-3-Clause
//
// drawing.js: everything on the GPU. Draws one picture of a frame for an orbit and options; stage.js decides when. The
// points are drawn into a texture and shaded onto the canvas, over a map where one is shown; then lines are drawn, which
// look up the depth of the points in a texture.
import { Color, PerspectiveCamera, Vector3, WebGLRenderer } from "three";
import { boxLines, pairLines, ringLines } from "./boxes.js";
import { clusterColour, clustersByLabel, parseColour } from "./colour.js";
import { Lines } from "./lines.js";
import { MapPlane } from "./maps.js";
import { add, FIELD_OF_VIEW, length } from "./orbit.js";
import { pickRow } from "./pick.js";
import { PointSet } from "./points.js";
import { Shading } from "./shading.js";
import { trackLines } from "./tracks.js";

const MOST_RATIO = 2; // device pixels per CSS pixel
const FAR = 200; // how far is seen, in sizes of the scene
const DIM_BOXES = 0.2; // opacity of the other boxes where one stands out
const MANY_LINES = 5000; // not drawn where a slow device cannot follow the camera

export class Drawing {
  #stale = new Set();

  constructor(canvas, scene) {
    this.canvas = canvas;
    this.scene = scene;
    this.frame = null;
    this.renderer = new WebGLRenderer({
      canvas, antialias: false, alpha: false, depth: false, stencil: false, powerPreference: "high-performance",
    });
    // Asking for errors would wait for the compiler.
    this.renderer.debug.checkShaderErrors = false;
    this.renderer.autoClear = false;
    this.renderer.sortObjects = false;
    this.renderer.info.autoReset = false;
    this.lens = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.1, 1000);
    this.points = new PointSet();
    this.shading = new Shading();
    this.boxes = [new Lines(1.6, 0.25), new Lines(1.6, 0.25)];
    this.marked = new Lines(2.6, 0.6, true);
    this.tracks = new Lines(2.2, 0.5, true);
    this.pairs = new Lines(1, 0);
    this.rings = new Lines(1.2, 0.3);
    this.plane = new MapPlane();
  }

  get lost() {
    return this.renderer.getContext().isContextLost();
  }

  // Things that have to be made again before the next picture: "boxes" (and "marked"), "marked",
  // "pairs", "rings", "map".
  spoil(...parts) {
    for (const part of parts) this.#stale.add(part);
  }

  setFrame(frame) {
    this.frame = frame;
    this.points.setFrame(frame);
    const { views, low, high } = frame.header;
    this.homeDistance = length(add(views.home.eye, views.home.target, -1));
    this.size = length(add(high, low, -1));
    this.spoil("boxes", "pairs", "rings", "map");
  }

  // Takes over the size of the canvas on the screen.
  resize() {
    const box = this.canvas.getBoundingClientRect();
    this.ratio = Math.min(MOST_RATIO, window.devicePixelRatio || 1);
    const width = Math.max(1, Math.round(box.width * this.ratio));
    const height = Math.max(1, Math.round(box.height * this.ratio));
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height, false);
    this.shading.resize(width, height);
  }

  // The views as pixels of the canvas, from its lower left corner.
  parts(compare) {
    const { width, height } = this;
    const half = Math.max(1, Math.floor(width / 2));
    const parts = compare
      ? [{ side: 0, x: 0, width: half }, { side: 1, x: half, width: Math.max(1, width - half) }]
      : [{ side: 0, x: 0, width }];
    return parts.map((part) => ({ ...part, y: 0, height, aspect: part.width / height }));
  }

  // A place on the screen as pixels of the canvas, and the view that it is in.
  pixel(clientX, clientY, compare) {
    const box = this.canvas.getBoundingClientRect();
    const x = ((clientX - box.left) / (box.width || 1)) * this.width;
    const y = (1 - (clientY - box.top) / (box.height || 1)) * this.height;
    const parts = this.parts(compare);
    return { x, y, part: parts.find((part) => x < part.x + part.width) ?? parts[parts.length - 1] };
  }

  // Sets the camera. Near and far enclose the points, with a limit on their ratio because depth has 24 bits: single points
  // very far away are not drawn.
  aim(part, orbit, options) {
    const { lens } = this;
    const { sphere } = this.points;
    const eye = new Vector3(...orbit.eye);
    const away = sphere.radius < 0 ? 0 : eye.distanceTo(sphere.center);
    const radius = Math.max(sphere.radius, orbit.distance);
    lens.position.copy(eye);
    lens.up.set(...orbit.up);
    lens.lookAt(...orbit.target);
    lens.far = Math.min((away + radius) * 1.1, FAR * (orbit.distance + this.size));
    lens.near = Math.min(Math.max(lens.far / FAR / 500, orbit.distance * 0.004, (away - radius) * 0.9), lens.far / 2);
    lens.aspect = part.aspect;
    lens.updateProjectionMatrix();
    lens.updateMatrixWorld();
    // Close up, points grow a little, so that surfaces stay closed.
    const closer = Math.min(3, Math.max(1, (this.homeDistance / orbit.distance) ** 0.4));
    const size = ((options.pointSize * this.height) / 900) * closer * this.points.thinning ** 0.25;
    this.points.setUniforms(size, orbit.distance, this.#background(options));
  }

  #special(options) {
    return this.scene.special[options.dark ? "dark" : "light"];
  }

  #background(options) {
    return parseColour(this.#special(options).background).map((v) => v / 255);
  }

  #refreshBoxes({ compare, labeling: chosen, hidden }, special) {
    const { frame, scene } = this;
    for (const side of compare ? [0, 1] : [0]) {
      const labeling = compare ? side : chosen;
      const rows = [];
      frame.clusters[labeling].get("label").forEach((label, row) => hidden.has(label) || rows.push(row));
      const colourOf = (row) => clusterColour(frame, labeling, row, scene);
      this.boxes[side].set(boxLines(frame, labeling, rows, colourOf));
      if (side === 0) this.tracks.set(trackLines(frame, labeling, rows, colourOf, special));
    }
  }

  #refreshMarked({ highlight, compare, labeling }, special) {
    if (!highlight || (!compare && highlight.labeling !== labeling)) return;
    const row = clustersByLabel(this.frame, highlight.labeling).get(highlight.label);
    if (row !== undefined) this.marked.set(boxLines(this.frame, highlight.labeling, [row], () => special.highlight));
  }

  #refresh(options) {
    const special = this.#special(options);
    const { frame, scene } = this;
    if (this.#stale.has("boxes")) {
      for (const lines of [...this.boxes, this.tracks]) lines.clear();
      if (options.boxes && !options.hidden.has("clusters")) this.#refreshBoxes(options, special);
    }
    if (this.#stale.has("boxes") || this.#stale.has("marked")) {
      this.marked.clear();
      this.#refreshMarked(options, special);
    }
    if (this.#stale.has("pairs")) {
      this.pairs.clear();
      if (options.pairs && frame.pairs) this.pairs.set(pairLines(frame, scene));
    }
    if (this.#stale.has("rings")) {
      this.rings.clear();
      if (options.rings) this.rings.set(ringLines(frame, special));
    }
    if (this.#stale.has("map")) {
      const map = frame.maps.find((each) => each.name === options.map);
      if (map) this.plane.set(map, frame, scene, special);
      else this.plane.clear();
    }
    this.#stale.clear();
  }

  #drawPoints(part) {
    const { target } = this.shading;
    target.viewport.set(part.x, part.y, part.width, part.height);
    target.scissor.set(part.x, part.y, part.width, part.height);
    target.scissorTest = true;
    this.renderer.setRenderTarget(target);
    this.renderer.clear(true, true, false);
    this.renderer.render(this.points.sides[part.side], this.lens);
    this.renderer.setRenderTarget(null);
  }

  #drawOver(part, options) {
    const { renderer, lens, ratio } = this;
    renderer.setViewport(part.x, part.y, part.width, part.height);
    renderer.setScissor(part.x, part.y, part.width, part.height);
    renderer.setScissorTest(true);
    if (this.plane.shown) {
      renderer.clear(true, false, false);
      this.plane.draw(renderer, lens, options.opacity);
    }
    this.shading.draw(renderer, lens, part, this.#background(options), options.shading, this.plane.shown);
    const depths = this.shading.target.depthTexture;
    const { highlight } = options;
    const boxes = this.boxes[part.side];
    const few = this.points.thinning === 1 || boxes.count < MANY_LINES;
    boxes.setStrength(highlight ? DIM_BOXES : 1);
    const lines = [this.rings, this.pairs];
    if (few) lines.push(boxes);
    if (part.side === 0) lines.push(this.tracks);
    if (!options.compare || highlight?.labeling === part.side) lines.push(this.marked);
    for (const each of lines) each.draw(renderer, lens, part, depths, ratio);
  }

  draw(orbit, options) {
    const { info } = this.renderer;
    info.reset();
    this.renderer.setClearColor(new Color().setRGB(...this.#background(options)), 1);
    if (!this.frame) {
      this.renderer.clear();
      return { drawCalls: 0, points: 0, bytes: 0 };
    }
    this.#refresh(options);
    for (const part of this.parts(options.compare)) {
      this.aim(part, orbit, options);
      this.#drawPoints(part);
      this.#drawOver(part, options);
    }
    const lines = [...this.boxes, this.tracks, this.marked, this.pairs, this.rings, this.plane];
    const bytes = this.points.bytes + lines.reduce((sum, each) => sum + each.bytes, 0);
    return { drawCalls: info.render.calls, points: info.render.points, bytes };
  }

  // The row of the point seen under the cursor, or -1.
  pick(clientX, clientY, orbit, options) {
    if (!this.frame || this.lost) return -1;
    const { part, x, y } = this.pixel(clientX, clientY, options.compare);
    this.aim(part, orbit, options);
    this.points.setMaterial("ids");
    const draw = () => this.renderer.render(this.points.sides[part.side], this.lens);
    const row = pickRow(this.renderer, this.shading.target, part, x, y, this.ratio, draw);
    this.points.setMaterial("colours");
    return row;
  }

  // Where a row is on the screen, in the left or only view.
  project(row, orbit, options) {
    const part = this.parts(options.compare)[0];
    this.aim(part, orbit, options);
    const place = new Vector3(this.frame.x[row], this.frame.y[row], this.frame.z[row]).project(this.lens);
    const box = this.canvas.getBoundingClientRect();
    const inside = Math.abs(place.x) <= 1 && Math.abs(place.y) <= 1 && Math.abs(place.z) <= 1;
    return {
      x: box.left + (((place.x + 1) / 2) * part.width * box.width) / this.width,
      y: box.top + ((1 - place.y) / 2) * box.height,
      visible: inside && this.points.rgba[0]?.[4 * row + 3] > 0,
    };
  }

  dispose() {
    const lines = [...this.boxes, this.tracks, this.marked, this.pairs, this.rings];
    for (const each of [this.points, this.shading, this.plane, ...lines]) each.dispose();
    this.renderer.dispose();
  }
}
