// SPDX-License-Identifier: BSD-3-Clause
//
// clusters.js: the list of clusters: sort, filter, fly to one.
import { iconButton, make } from "./dom.js";
import { count, fixed, plural } from "./format.js";
import { choose, parseQuery, quantities } from "./query.js";
import { Rows } from "./rows.js";

const COLUMNS = [
  { id: "label", title: "Cluster", about: "Label of the cluster", text: (n, i) => String(n.label[i]) },
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
  { id: "track", title: "Track", about: "Identity of the tracked object", text: (n, i) => fixed(n.track[i], 0) },
  { id: "speed", title: "m/s", about: "Speed, in metres per second", text: (n, i) => fixed(n.speed[i], 1) },
];

export function makeClusters({ state, scene, flyToCluster }) {
  let numbers = { count: 0, label: [] };
  let colours = null;
  let chosen = [];
  let columns = [];

  const labelAt = (index) => (index < 0 ? null : numbers.label[chosen[index]]);
  const rows = new Rows({
    id: "clump-list", label: "Clusters", rowHeight: 30,
    fill: (row, index) => fillRow(row, chosen[index]),
    activate: (index) => {
      state.set({ selected: labelAt(index), hover: null, picked: -1 });
      flyToCluster(labelAt(index));
    },
    move: (index) => state.set({ selected: labelAt(index), hover: null, picked: -1 }),
    hover: (index) => state.set({ hover: labelAt(index) }),
  });

  function fillRow(row, i) {
    while (row.children.length < columns.length) row.append(make("span", { role: "gridcell" }));
    while (row.children.length > columns.length) row.lastChild.remove();
    row.dataset.label = numbers.label[i];
    columns.forEach((column, k) => {
      row.children[k].className = `cell ${column.id}`;
      row.children[k].textContent = column.text(numbers, i);
    });
    row.style.setProperty("--swatch", colours ? scene.palette[colours[i] % scene.palette.length] : "transparent");
    row.classList.toggle("selected", numbers.label[i] === state.values.selected);
  }

  const filter = make("input", {
    id: "clump-filter", type: "search", placeholder: "Filter: points>100  distance<20", "aria-label": "Filter clusters",
    spellcheck: "false", autocomplete: "off", oninput: () => state.set({ filter: filter.value }),
  });
  const only = iconButton("eye", "Draw only the clusters of this list", null, () => state.toggle("only"));
  const which = make("div", { class: "segments", role: "group", "aria-label": "Labelling" });
  const head = make("div", { class: "head", role: "row" });
  const said = make("p", { class: "said", role: "status" });
  const table = make("div", { class: "table" }, head, rows.element);
  const element = make("div", { class: "clusters" }, which, make("div", { class: "bar" }, filter, only), said, table);

  function makeHead() {
    head.replaceChildren(...columns.map(({ id, title, about }) => {
      const active = state.values.sort === id;
      const direction = active ? (state.values.descending ? "descending" : "ascending") : "none";
      return make("span", { class: `cell ${id}`, role: "columnheader", "aria-sort": direction },
        make("button", { type: "button", "data-sort": id, title: about, onclick: () => sortBy(id) }, title));
    }));
  }

  function sortBy(id) {
    const { sort, descending } = state.values;
    state.set({ sort: id, descending: sort === id ? !descending : id !== "label" && id !== "distance" });
  }

  function update() {
    const { filter: text, sort, descending, selected } = state.values;
    const { conditions, error } = parseQuery(text);
    chosen = choose(numbers, conditions, sort, descending);
    makeHead();
    rows.setCount(chosen.length);
    rows.setActive(chosen.findIndex((i) => numbers.label[i] === selected));
    if (filter.value !== text) filter.value = text;
    filter.setAttribute("aria-invalid", error !== null);
    said.textContent = error ?? summary();
    const hides = state.values.only && chosen.length < numbers.count && !error;
    state.set({ shown: hides ? new Set(chosen.map((i) => numbers.label[i])) : null });
    only.setAttribute("aria-pressed", state.values.only);
  }

  function summary() {
    if (numbers.count === 0) return "This frame has no clusters.";
    if (chosen.length === numbers.count) return plural(numbers.count, "cluster");
    return `${count(chosen.length)} of ${plural(numbers.count, "cluster")}`;
  }

  function load() {
    const { frame, labeling } = state.values;
    const labelings = frame.header.labelings;
    const cluster = frame.clusters[labeling];
    numbers = cluster ? quantities(cluster, frame.header.up) : { count: 0, label: [] };
    colours = cluster?.get("colour") ?? null;
    columns = COLUMNS.filter(({ id }) => id in numbers);
    element.classList.toggle("tracked", "track" in numbers);
    which.hidden = labelings.length < 2;
    which.replaceChildren(...labelings.map(({ name }, i) => make("button", {
      type: "button", "aria-pressed": i === labeling, title: name, onclick: () => state.set({ labeling: i }),
    }, name)));
    update();
  }

  state.on(["frame", "labeling"], load);
  state.on(["filter", "sort", "descending", "only"], (values, changed) => {
    if (!values.frame) return;
    if (!changed.has("only")) rows.element.scrollTop = 0;
    update();
  });
  state.on(["selected"], ({ selected }) => {
    rows.setActive(chosen.findIndex((i) => numbers.label[i] === selected), true);
  });
  return { element, focusFilter: () => filter.focus() };
}
