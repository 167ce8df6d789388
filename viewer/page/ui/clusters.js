// SPDX-License-Identifier: BSD-3-Clause
//
// clusters.js: the list of clusters: sort, filter, fly to one.
import { iconButton, make } from "./dom.js";
import { count, fitText, fixed, plural } from "./format.js";
import { choose, parseQuery, quantities } from "./query.js";
import { Rows } from "./rows.js";

const COLUMNS = [
  { id: "label", title: "Cluster", about: "Label of the cluster", text: (n, i) => String(n.label[i]) },
  { id: "track", title: "Track", about: "Identity of the object, the same in all frames", text: (n, i) => fixed(n.track[i], 0) },
  {
    id: "speed", title: "m/s", about: "Speed in metres per second; 0 unless the object moves",
    text: (n, i) => (n.moving && !n.moving[i] ? "\u2013" : fixed(n.speed[i], 1)),
  },
  { id: "points", title: "Points", about: "Number of points", text: (n, i) => count(n.points[i]) },
  {
    id: "length", title: "Size, m", about: "Length × width × height of the box, in metres; sorts by length",
    text: (n, i) => [n.length, n.width, n.tall].map((values) => fixed(values?.[i], 1)).join("\u2009×\u2009"),
  },
  { id: "distance", title: "Dist.", about: "Distance from the sensor, in metres", text: (n, i) => fixed(n.distance[i], 1) },
  {
    id: "height", title: "Height", about: "Height of the highest point above the ground, in metres",
    text: (n, i) => fixed(n.height[i], 1),
  },
  {
    id: "fits", title: "Size of", about: "Whose size the object has, not what it is; objects that have none are background",
    text: (n, i) => fitText(n.object[i], n.fits[i]),
  },
  {
    id: "score", title: "Score", about: "Share of road users among objects like this one, on labelled scans; 0 to 1",
    text: (n, i) => fixed(n.score[i], 2),
  },
];

// The columns of a list. That of a drive names objects by their tracks: labels differ from frame to frame.
function columnsOf(numbers) {
  const left = new Set("track" in numbers ? ["label"] : []);
  if ("track" in numbers && "score" in numbers) left.add("height");
  return COLUMNS.filter(({ id }) => id in numbers && !left.has(id));
}

export class Clusters {
  constructor({ state, scene, flyToCluster }) {
    Object.assign(this, { state, scene, flyToCluster });
    this.numbers = { count: 0, label: [] };
    this.colours = null;
    this.chosen = []; // indices of the listed clusters, in the order of the list
    this.columns = [];
    this.makeElements();
    state.on(["frame", "labeling"], () => this.load());
    state.on(["filter", "sort", "descending", "only"], (values, changed) => {
      if (!values.frame) return;
      if (!changed.has("only")) this.rows.element.scrollTop = 0;
      this.update();
    });
    state.on(["selected"], () => this.rows.setActive(this.placeOfSelected(), true));
  }

  makeElements() {
    const { state } = this;
    const select = (index) => state.set({ selected: this.labelAt(index), hover: null, picked: -1 });
    this.head = make("div", { class: "head", role: "row" });
    this.rows = new Rows({
      id: "clump-list", label: "Clusters", head: this.head, rowHeight: 30,
      fill: (row, index) => this.fillRow(row, this.chosen[index]),
      activate: (index) => {
        select(index);
        this.flyToCluster(this.labelAt(index));
      },
      move: select,
      hover: (index) => state.set({ hover: this.labelAt(index) }),
    });
    this.filter = make("input", {
      id: "clump-filter", type: "search", placeholder: "Filter: points>100  distance<20", "aria-label": "Filter clusters",
      spellcheck: "false", autocomplete: "off", oninput: () => state.set({ filter: this.filter.value }),
    });
    this.only = iconButton("eye", "Draw only the clusters of this list", null, () => state.toggle("only"));
    this.which = make("div", { class: "segments", role: "group", "aria-label": "Labelling" });
    this.said = make("p", { class: "said", role: "status" });
    this.element = make("div", { class: "clusters" }, this.which, make("div", { class: "bar" }, this.filter, this.only),
      this.said, make("div", { class: "table" }, this.rows.element));
  }

  focusFilter() {
    this.filter.focus();
  }

  labelAt(index) {
    return index < 0 ? null : this.numbers.label[this.chosen[index]];
  }

  placeOfSelected() {
    return this.chosen.findIndex((i) => this.numbers.label[i] === this.state.values.selected);
  }

  fillRow(row, i) {
    const { numbers, colours, columns } = this;
    const { palette } = this.scene;
    while (row.children.length < columns.length) row.append(make("span", { role: "gridcell" }));
    while (row.children.length > columns.length) row.lastChild.remove();
    row.dataset.label = numbers.label[i];
    columns.forEach((column, k) => {
      row.children[k].className = `cell ${column.id}`;
      row.children[k].textContent = column.text(numbers, i);
    });
    row.style.setProperty("--swatch", colours ? palette[colours[i] % palette.length] : "transparent");
    row.classList.toggle("selected", numbers.label[i] === this.state.values.selected);
  }

  // The column that the list is sorted by. Until one is clicked: the speed where it is known what moves, the score where there
  // is one, else the points.
  get sort() {
    return this.state.values.sort ?? ("moving" in this.numbers ? "speed" : "score" in this.numbers ? "score" : "points");
  }

  makeHead() {
    const { sort } = this;
    const { descending } = this.state.values;
    this.head.replaceChildren(...this.columns.map(({ id, title, about }) => {
      const direction = sort === id ? (descending ? "descending" : "ascending") : "none";
      return make("span", { class: `cell ${id}`, role: "columnheader", "aria-sort": direction },
        make("button", { type: "button", "data-sort": id, title: about, onclick: () => this.sortBy(id) }, title));
    }));
  }

  sortBy(id) {
    const { descending } = this.state.values;
    this.state.set({ sort: id, descending: this.sort === id ? !descending : !["label", "track", "distance"].includes(id) });
    this.head.querySelector(`[data-sort="${id}"]`).focus();
  }

  // Filters and sorts again.
  update() {
    const { numbers, state } = this;
    const { filter, descending, only } = state.values;
    const { conditions, error } = parseQuery(filter, "track" in numbers ? "track" : "label");
    this.chosen = choose(numbers, conditions, this.sort, descending);
    this.makeHead();
    this.rows.setCount(this.chosen.length);
    this.rows.setActive(this.placeOfSelected());
    if (this.filter.value !== filter) this.filter.value = filter;
    this.filter.setAttribute("aria-invalid", error !== null);
    this.said.textContent = error ?? this.summary();
    this.only.setAttribute("aria-pressed", only);
    const hides = only && !error && this.chosen.length < numbers.count;
    state.set({ shown: hides ? new Set(this.chosen.map((i) => numbers.label[i])) : null });
  }

  summary() {
    const all = this.numbers.count;
    if (all === 0) return "This frame has no clusters.";
    const listed = this.chosen.length;
    const moving = this.numbers.moving?.reduce((sum, value) => sum + value, 0);
    const moves = moving === undefined ? "" : moving === 1 ? ", 1 moves" : `, ${count(moving)} move`;
    return `${listed === all ? "" : `${count(listed)} of `}${plural(all, "cluster")}${moves}`;
  }

  // Takes the clusters of another frame or labelling.
  load() {
    const { frame, labeling } = this.state.values;
    const { labelings } = frame.header;
    const table = labelings.length > labeling ? frame.clusters[labeling] : null;
    this.numbers = table ? quantities(table, frame.header.up) : { count: 0, label: [] };
    this.colours = table?.get("colour") ?? null;
    this.columns = columnsOf(this.numbers);
    this.filter.placeholder = `Filter: ${"moving" in this.numbers ? "speed>1" : "points>100"}  distance<20`;
    this.element.classList.toggle("tracked", "track" in this.numbers);
    this.element.classList.toggle("scored", "score" in this.numbers);
    this.which.hidden = labelings.length < 2;
    this.which.replaceChildren(...labelings.map(({ name }, i) => make("button", {
      type: "button", "aria-pressed": i === labeling, title: name, onclick: () => this.state.set({ labeling: i }),
    }, name)));
    this.update();
  }
}
