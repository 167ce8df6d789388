// SPDX-License-Identifier: BSD-3-Clause
//
// orbit.js: the camera as a turntable: a target, a distance and two angles. The up vector of the camera follows from the
// angles, so the view straight from above is as good as any other. Vectors are arrays of three numbers.

export const FIELD_OF_VIEW = 45; // degrees, vertical, as in camera.h
const VIEW_ASPECT = 16 / 9; // the packet's cameras are made for this aspect

export const add = (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a) => Math.hypot(a[0], a[1], a[2]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// The base of a scene, right-handed: forward is x, then to the left, then upwards, as in camera.c.
export function baseOf(upAxis, flip) {
  const up = upAxis === "y" ? [0, 1, 0] : [0, 0, 1];
  if (flip) up.forEach((v, i) => (up[i] = -v));
  const first = [1, 0, 0];
  return { first, second: cross(up, first), up };
}

export class Orbit {
  constructor() {
    this.base = baseOf("z", false);
    this.target = [0, 0, 0];
    this.distance = 10;
    this.azimuth = 0; // radians: where the eye is, seen from the target
    this.elevation = 0.5;
    this.least = 0.02; // smallest and greatest distance, metres
    this.most = 1e7;
  }

  copy(other) {
    Object.assign(this, other, { target: [...other.target] });
    return this;
  }

  #ground() {
    const { first, second } = this.base;
    return add(first.map((v) => v * Math.cos(this.azimuth)), second, Math.sin(this.azimuth));
  }

  // Unit vector from the target to the eye.
  get back() {
    const ground = this.#ground().map((v) => v * Math.cos(this.elevation));
    return add(ground, this.base.up, Math.sin(this.elevation));
  }

  get up() {
    const ground = this.#ground().map((v) => -v * Math.sin(this.elevation));
    return add(ground, this.base.up, Math.cos(this.elevation));
  }

  get right() {
    return cross(this.up, this.back);
  }

  get eye() {
    return add(this.target, this.back, this.distance);
  }

  // Takes over a camera of the packet: {eye, target, up}.
  look({ eye, target, up }) {
    const away = add(eye, target, -1);
    const distance = length(away) || 1;
    const { first, second } = this.base;
    const sine = Math.max(-1, Math.min(1, dot(away, this.base.up) / distance));
    this.target = [...target];
    this.distance = Math.max(this.least, distance);
    this.elevation = Math.asin(sine);
    // Near the poles the direction of the eye says nothing about the azimuth; the up vector does.
    const ground = Math.abs(sine) > 0.999 ? up.map((v) => -v * Math.sign(sine)) : away;
    this.azimuth = Math.atan2(dot(ground, second), dot(ground, first));
  }

  // Moves the eye back where the picture is narrower than VIEW_ASPECT: until as much is seen from left to right as at that
  // aspect, or until the box is inside the picture.
  fit(low, high, aspect) {
    const tangent = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * 0.9;
    const { back, up, right } = this;
    let inside = 0;
    for (let corner = 0; corner < 8; corner++) {
      const place = low.map((v, axis) => (corner & (1 << axis) ? high[axis] : v));
      const from = add(place, this.target, -1);
      const half = Math.max(Math.abs(dot(from, up)), Math.abs(dot(from, right)) / aspect) / tangent;
      inside = Math.max(inside, dot(from, back) + half);
    }
    const wide = (this.distance * VIEW_ASPECT) / aspect;
    this.distance = Math.min(this.most, Math.max(this.distance, Math.min(inside, wide)));
  }

  turn(azimuth, elevation) {
    this.azimuth += azimuth;
    this.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, this.elevation + elevation));
  }

  // Moves eye and target in the plane of the picture: metres to the right and upwards.
  pan(right, up) {
    this.target = add(add(this.target, this.right, right), this.up, up);
  }

  // Scales the distance of eye and target from a place, which stays where it is in the picture.
  zoom(scale, place) {
    const distance = Math.max(this.least, Math.min(this.most, this.distance * scale));
    const factor = distance / this.distance;
    this.target = add(place, add(this.target, place, -1), factor);
    this.distance = distance;
  }
}

// The camera at time t (0 to 1) between two; the shorter way round.
export function between(from, to, t) {
  const mixed = new Orbit().copy(to);
  const turn = Math.atan2(Math.sin(to.azimuth - from.azimuth), Math.cos(to.azimuth - from.azimuth));
  mixed.azimuth = from.azimuth + turn * t;
  mixed.elevation = from.elevation + (to.elevation - from.elevation) * t;
  mixed.distance = from.distance * (to.distance / from.distance) ** t;
  mixed.target = add(from.target, add(to.target, from.target, -1), t);
  return mixed;
}
