// SPDX-License-Identifier: BSD-3-Clause
//
// controls.js: mouse, touch and keyboard move an Orbit. Left button or one finger: turn. Right or middle button, shift, or
// two fingers: pan. Wheel or pinch: zoom to the cursor. Arrows, shift + arrows, + and -: the same from the keyboard.
import { FIELD_OF_VIEW } from "./orbit.js";

const CLICK_PIXELS = 4; // a pointer that moved less was a click
const TURN = (Math.PI * 1.2) / 900; // radians per CSS pixel
const STEP = Math.PI / 36; // of an arrow key

export class Controls {
  // stage: what is needed of it: orbit, moved(), released(), placeUnder(x, y), viewHeight(), click(x, y),
  // doubleClick(x, y).
  constructor(canvas, stage) {
    this.canvas = canvas;
    this.stage = stage;
    this.pointers = new Map();
    this.moved = 0;
    this.anchor = null; // the place that a gesture of zooming holds
    canvas.style.touchAction = "none";
    if (!canvas.hasAttribute("tabindex")) canvas.tabIndex = 0;
    this.abort = new AbortController();
    const options = { signal: this.abort.signal };
    const active = { signal: this.abort.signal, passive: false };
    canvas.addEventListener("pointerdown", (event) => this.down(event), options);
    canvas.addEventListener("pointermove", (event) => this.move(event), options);
    canvas.addEventListener("pointerup", (event) => this.up(event), options);
    canvas.addEventListener("pointercancel", (event) => this.up(event), options);
    canvas.addEventListener("wheel", (event) => this.wheel(event), active);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault(), active);
    canvas.addEventListener("dblclick", (event) => stage.doubleClick(event.clientX, event.clientY), options);
    canvas.ownerDocument.addEventListener("keydown", (event) => this.key(event), options);
  }

  // Whether a button or finger is down and has moved.
  get held() {
    return this.pointers.size > 0 && this.moved >= CLICK_PIXELS;
  }

  dispose() {
    this.abort.abort();
  }

  down(event) {
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // A pointer that is gone already cannot be captured.
    }
    if (this.pointers.size === 0) this.moved = 0;
    else this.moved = Infinity; // two fingers are no click
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, button: event.button });
    this.anchor = null;
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const before = this.middle();
    const dx = event.clientX - pointer.x;
    const dy = event.clientY - pointer.y;
    pointer.x = event.clientX;
    pointer.y = event.clientY;
    this.moved += Math.abs(dx) + Math.abs(dy);
    if (this.moved < CLICK_PIXELS) return;
    if (this.pointers.size >= 2) this.pinch(before, this.middle());
    else if (pointer.button !== 0 || event.shiftKey) this.pan(dx, dy);
    else this.stage.orbit.turn(-dx * TURN, dy * TURN);
    this.stage.moved();
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    this.anchor = null;
    if (this.pointers.size === 0 && this.moved >= CLICK_PIXELS) this.stage.released();
    const click = pointer && this.pointers.size === 0 && this.moved < CLICK_PIXELS && event.type === "pointerup";
    if (click && pointer.button === 0) this.stage.click(event.clientX, event.clientY);
  }

  // Middle of all pointers, and their mean distance from it.
  middle() {
    let x = 0;
    let y = 0;
    let spread = 0;
    for (const pointer of this.pointers.values()) {
      x += pointer.x / this.pointers.size;
      y += pointer.y / this.pointers.size;
    }
    for (const pointer of this.pointers.values()) spread += Math.hypot(pointer.x - x, pointer.y - y) / this.pointers.size;
    return { x, y, spread };
  }

  pinch(before, after) {
    this.pan(after.x - before.x, after.y - before.y);
    if (before.spread < 1 || after.spread < 1) return;
    this.anchor ??= this.stage.placeUnder(after.x, after.y);
    this.stage.orbit.zoom(before.spread / after.spread, this.anchor);
  }

  // Moves the plane through the target with the pointer. dx, dy: CSS pixels.
  pan(dx, dy) {
    const { orbit } = this.stage;
    const metres = (2 * orbit.distance * Math.tan((FIELD_OF_VIEW * Math.PI) / 360)) / this.stage.viewHeight();
    orbit.pan(-dx * metres, dy * metres);
    this.anchor = null;
  }

  wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const pixels = Math.max(-240, Math.min(240, event.deltaY * lines));
    const now = performance.now();
    const { clientX: x, clientY: y } = event;
    // One turn of the wheel is many events: the place under the cursor is looked up once.
    if (!this.wheeled || now - this.wheeled.time > 400 || Math.hypot(x - this.wheeled.x, y - this.wheeled.y) > 3)
      this.wheeled = { x, y, place: this.stage.placeUnder(x, y) };
    this.wheeled.time = now;
    this.stage.orbit.zoom(Math.exp(pixels * 0.0017), this.wheeled.place);
    this.stage.moved();
  }

  key(event) {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (target !== this.canvas && target !== this.canvas.ownerDocument.body) return;
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const { orbit } = this.stage;
    if (arrows[event.key]) {
      const [x, y] = arrows[event.key];
      if (event.shiftKey) orbit.pan(x * orbit.distance * 0.05, y * orbit.distance * 0.05);
      else orbit.turn(x * STEP, y * STEP);
    } else if (event.key === "+" || event.key === "=") orbit.zoom(0.85, orbit.target);
    else if (event.key === "-" || event.key === "_") orbit.zoom(1 / 0.85, orbit.target);
    else return;
    event.preventDefault();
    this.stage.moved();
  }
}
