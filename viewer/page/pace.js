// SPDX-License-Identifier: BSD-3-Clause
//
// pace.js: how many points of a large cloud are drawn while the camera moves. Slow devices draw every n-th point until the
// camera rests; n is a power of two and follows from the time between pictures.
const LARGE = 250000; // points; smaller clouds are always drawn as a whole
const SLOW = 60; // milliseconds between two pictures
const QUICK = 24;
const MOST = 32;
const REST = 200; // milliseconds after the last movement, at least

export class Pace {
  constructor() {
    this.thinning = 1;
    this.before = null; // time of the last picture, null where the camera rested
    this.motion = -Infinity;
    this.taken = 0;
  }

  moved(now) {
    this.motion = now;
  }

  // Milliseconds without a movement until the camera counts as resting.
  get rest() {
    return Math.max(REST, 1.5 * this.taken);
  }

  // Returns n for the picture that is drawn now: every n-th point. held: a button or finger is down.
  next(now, points, held) {
    const moving = held || now - this.motion < this.rest;
    if (!moving || points < LARGE) {
      this.before = null;
      if (points < LARGE) this.thinning = 1;
      return 1;
    }
    if (this.before !== null) {
      this.taken = Math.min(1000, now - this.before);
      if (this.taken > SLOW) this.thinning *= 2 ** Math.ceil(Math.log2(this.taken / SLOW));
      else if (this.taken < QUICK) this.thinning /= 2;
      this.thinning = Math.min(MOST, Math.max(1, this.thinning));
    }
    this.before = now;
    return this.thinning;
  }
}
