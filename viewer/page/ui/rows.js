// SPDX-License-Identifier: BSD-3-Clause
//
// rows.js: a long list of rows of equal height of which only those in sight exist, below a head that stays.
import { make } from "./dom.js";

const HEAD = 28; // pixels, as in panel.css
const SPARE = 6; // rows above and below the part in sight

export class Rows {
  // fill(element, index) writes a row; activate(index) is called for Enter and a click, move(index) for the arrow keys and
  // hover(index or -1) for the pointer. head: the row with the titles of the columns.
  constructor({ id, label, head, rowHeight, fill, activate, move, hover }) {
    this.rowHeight = rowHeight;
    this.fill = fill;
    this.activate = activate;
    this.move = move;
    this.count = 0;
    this.active = -1;
    this.pool = [];
    this.space = make("div", { class: "rows-space", role: "presentation" });
    this.element = make("div", {
      id, class: "rows", role: "grid", tabindex: "0", "aria-label": label,
      onscroll: () => this.draw(),
      onkeydown: (event) => this.key(event),
      onclick: (event) => this.onRow(event, (index) => this.choose(index)),
      onpointerover: (event) => event.pointerType === "mouse" && this.onRow(event, hover),
      onpointerleave: () => hover(-1),
    }, head, this.space);
    head.setAttribute("aria-rowindex", 1);
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  onRow(event, then) {
    const row = event.target.closest("[data-index]");
    if (row) then(Number(row.dataset.index));
  }

  choose(index) {
    this.setActive(index);
    this.activate(index);
  }

  // Shows another list; the place of scrolling stays where that is possible.
  setCount(count) {
    this.count = count;
    this.active = -1;
    this.space.style.height = `${count * this.rowHeight}px`;
    this.element.setAttribute("aria-rowcount", count + 1);
    this.draw();
  }

  setActive(index, scroll = false) {
    this.active = index;
    if (scroll && index >= 0) this.reveal(index);
    this.draw();
  }

  reveal(index) {
    const top = index * this.rowHeight;
    const height = this.height;
    const from = this.element.scrollTop;
    if (top < from) this.element.scrollTop = top;
    else if (top + this.rowHeight > from + height) this.element.scrollTop = top + this.rowHeight - height;
  }

  // Pixels for rows.
  get height() {
    return Math.max(0, this.element.clientHeight - HEAD);
  }

  key(event) {
    if (event.target !== this.element) return; // a button of the head
    const page = Math.max(1, Math.floor(this.height / this.rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps && this.count > 0) {
      const next = Math.min(this.count - 1, Math.max(0, this.active + steps[event.key]));
      this.setActive(next, true);
      this.move(next);
    } else if (event.key === "Enter" && this.active >= 0) {
      this.activate(this.active);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - SPARE);
    const seen = Math.ceil(this.height / this.rowHeight) + 2 * SPARE;
    const last = Math.min(this.count, first + seen);
    while (this.pool.length < last - first) this.pool.push(this.makeRow());
    this.element.removeAttribute("aria-activedescendant");
    this.pool.forEach((row, i) => {
      const index = first + i;
      row.hidden = index >= last;
      if (!row.hidden) this.place(row, index);
    });
  }

  makeRow() {
    const row = make("div", { class: "row", role: "row" });
    this.space.append(row);
    return row;
  }

  place(row, index) {
    row.style.transform = `translateY(${index * this.rowHeight}px)`;
    row.dataset.index = index;
    row.id = `${this.element.id}-${index}`;
    row.setAttribute("aria-rowindex", index + 2);
    row.classList.toggle("active", index === this.active);
    row.setAttribute("aria-selected", index === this.active);
    if (index === this.active) this.element.setAttribute("aria-activedescendant", row.id);
    this.fill(row, index);
  }
}
