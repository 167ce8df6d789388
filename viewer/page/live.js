// SPDX-License-Identifier: BSD-3-Clause
//
// live.js: frames from the server of `clump play --serve`. An event announces a frame; the newest one is fetched. There is
// never more than one fetch at a time, so a slow page gets fewer frames and stays up to date.
import { decodePacket } from "./packet.js";

const PATIENCE = 10000; // milliseconds until a fetch is given up

export class Live {
  // where: scene.live. show(frame) returns a promise, and the next frame is fetched after it. tell(status) gets
  // {phase: "waiting"|"running"|"paused"|"lost"|"ended", event, skipped, error}.
  constructor(where, show, tell) {
    this.where = where;
    this.show = show;
    this.tell = tell;
    this.status = { phase: "waiting", event: null, skipped: 0, error: null };
    this.newest = null; // the last event that was not fetched yet
    this.busy = false;
    this.paused = false;
    this.connect();
  }

  connect() {
    const events = new EventSource(this.where.events);
    events.onopen = () => this.update({ phase: this.status.event ? "running" : "waiting" });
    events.onmessage = (message) => this.announced(message.data);
    events.addEventListener("end", () => {
      events.close();
      this.update({ phase: "ended" });
    });
    // The browser connects again by itself, unless the server refused.
    events.onerror = () => {
      if (this.status.phase === "ended") return;
      this.update({ phase: "lost" });
      if (events.readyState === EventSource.CLOSED) setTimeout(() => this.connect(), 2000);
    };
  }

  announced(text) {
    let event;
    try {
      event = JSON.parse(text);
    } catch {
      this.update({ error: "The server sent an event that cannot be read." });
      return;
    }
    const skipped = this.status.skipped + (this.newest && !this.paused ? 1 : 0);
    this.newest = event;
    this.update({ phase: "running", event, skipped });
    this.fetchNewest();
  }

  // Returns a promise of the bytes of the newest frame. The browser's own messages are no sentences.
  async fetchPacket() {
    let answer;
    let bytes;
    try {
      answer = await fetch(this.where.frame, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
      bytes = await answer.arrayBuffer();
    } catch (error) {
      throw new Error(error.name === "TimeoutError" ? "The server sends no frame." : "The frame cannot be fetched.");
    }
    if (!answer.ok) throw new Error(`The server answered with status ${answer.status}.`);
    return bytes;
  }

  async fetchNewest() {
    if (this.busy || this.paused || !this.newest) return;
    this.busy = true;
    this.newest = null;
    try {
      const frame = await decodePacket(await this.fetchPacket());
      if (this.newest?.frame === frame.header.number) this.newest = null; // announced while it was fetched
      if (!this.paused) await this.show(frame);
      this.update({ error: null });
    } catch (error) {
      this.update({ error: error.message });
    }
    this.busy = false;
    this.fetchNewest();
  }

  setPaused(paused) {
    this.paused = paused;
    this.tell(this.seen());
    this.fetchNewest();
  }

  update(changes) {
    Object.assign(this.status, changes);
    this.tell(this.seen());
  }

  seen() {
    const paused = this.paused && this.status.phase === "running";
    return { ...this.status, phase: paused ? "paused" : this.status.phase };
  }
}
