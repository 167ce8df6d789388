// SPDX-License-Identifier: BSD-3-Clause
//
// frames.js: the frames inside the page. A frame is decoded when it is shown, or shortly before.
import { decodePacket } from "./packet.js";

const MOST_ROWS = 6e6; // of decoded frames that are kept
const MOST_FRAMES = 8;

// Returns the bytes of text in base64. Spaces are allowed.
export function bytesOfBase64(text) {
  if (typeof Uint8Array.fromBase64 === "function") return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export class Frames {
  // list: scene.frames, which has names and times.
  constructor(list) {
    this.elements = [...document.querySelectorAll("script.clump-frame")];
    this.list = list ?? [];
    this.cache = new Map(); // number -> promise of a frame; the last used one is last
    this.rows = new Map(); // number -> rows of the decoded frame
  }

  get count() {
    return this.elements.length;
  }

  name(number) {
    return this.list[number]?.name ?? `frame ${number}`;
  }

  // Returns the times of all frames in seconds from the first. Frames without stamps are 0.1 s apart; two of them, such as
  // before and after, are 1 s apart: they shall not flicker.
  times() {
    const stamps = this.elements.map((_, i) => this.list[i]?.stamp ?? null);
    const known = stamps.every((stamp, i) => stamp !== null && (i === 0 || stamp > stamps[i - 1]));
    return stamps.map((stamp, i) => (known ? stamp - stamps[0] : i * (stamps.length === 2 ? 1 : 0.1)));
  }

  // Returns a promise of the frame.
  load(number) {
    let frame = this.cache.get(number);
    if (frame) this.cache.delete(number);
    else frame = this.decode(number);
    this.cache.set(number, frame);
    this.forget(number);
    return frame;
  }

  async decode(number) {
    const element = this.elements[number];
    if (!element) throw new Error(`This page has no frame ${number}.`);
    let packet;
    try {
      packet = bytesOfBase64(element.textContent.trim());
    } catch {
      throw new Error("Its data is not base64 text; the page was changed or cut off.");
    }
    const frame = await decodePacket(packet);
    this.rows.set(number, frame.rows);
    return frame;
  }

  // Drops the frames that were not used for longest. The newest one stays.
  forget(newest) {
    let rows = 0;
    for (const number of this.cache.keys()) rows += this.rows.get(number) ?? 0;
    for (const number of [...this.cache.keys()]) {
      if (number === newest || (rows <= MOST_ROWS && this.cache.size <= MOST_FRAMES)) break;
      rows -= this.rows.get(number) ?? 0;
      this.cache.delete(number);
      this.rows.delete(number);
    }
  }
}
