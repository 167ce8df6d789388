// SPDX-License-Identifier: BSD-3-Clause
//
// play.js: goes from frame to frame: by wish, and by time.

export class Player {
  // show(frame) draws a frame; fail(number, error) says why it cannot be drawn. drawn() returns a promise of the next
  // picture.
  constructor({ state, frames, show, fail, drawn }) {
    Object.assign(this, { state, frames, show, fail, drawn });
    this.shown = -1;
    this.loading = null;
    this.times = frames.times();
    state.on(["number"], () => this.load());
    state.on(["playing"], ({ playing }) => playing && this.play());
  }

  // Shows the wanted frame. Frames are decoded one after the other; those wanted in between are skipped.
  load() {
    this.loading ??= this.loadWanted().finally(() => { this.loading = null; });
    return this.loading;
  }

  async loadWanted() {
    while (this.shown !== this.state.values.number) {
      const { number } = this.state.values;
      try {
        const frame = await this.frames.load(number);
        if (number !== this.state.values.number) continue;
        this.show(frame);
      } catch (error) {
        this.fail(number, error);
      }
      this.shown = number;
    }
  }

  // Steps forward or back; after the last frame comes the first.
  step(by) {
    const { count } = this.frames;
    if (count < 2) return;
    this.state.set({ playing: false, number: (this.state.values.number + by + count) % count });
  }

  // Plays at the speed of the stamps. A page that draws too slowly leaves frames out. After the last frame it starts again.
  async play() {
    const { state, frames, times } = this;
    if (frames.count < 2) {
      state.set({ playing: false });
      return;
    }
    let clock = times[state.values.number];
    let before = performance.now();
    while (state.values.playing) {
      const { number, speed } = state.values;
      const next = (number + 1) % frames.count;
      frames.load(next).catch(() => {});
      const pause = next === 0 ? 0.6 : (times[next] - clock) / speed;
      await new Promise((resolve) => setTimeout(resolve, Math.min(5000, Math.max(0, 1000 * pause))));
      if (!state.values.playing) return;
      const now = performance.now();
      clock = next === 0 ? 0 : Math.min(clock + (state.values.speed * (now - before)) / 1000, times[next] + 5);
      before = now;
      const due = next === 0 ? 0 : this.lastBefore(clock, next);
      const picture = this.drawn();
      state.set({ number: due });
      await this.load();
      await picture;
    }
  }

  // Returns the last frame that is due at this time, but not before the next one.
  lastBefore(clock, next) {
    let due = next;
    while (due + 1 < this.times.length && this.times[due + 1] <= clock) ++due;
    return due;
  }
}
