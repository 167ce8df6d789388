// SPDX-License-Identifier: BSD-3-Clause
//
// view.js: brings the state to the stage: which points have which colours, what is drawn, what stands out.
import { colourModes, colourPoints, parseColour } from "./colour.js";
import { hasClusters } from "./state.js";
import { labelText } from "./ui/format.js";

// Returns the label that stands for the same object in another frame, or null. Only tracks tell.
function followed(before, after, labeling, label) {
  const [old, now] = [before?.clusters[labeling], after.clusters[labeling]];
  if (label === null || !old?.has("track") || !now?.has("track")) return null;
  const track = old.get("track")[old.get("label").indexOf(label)];
  const index = now.get("track").indexOf(track);
  return index < 0 ? null : now.get("label")[index];
}

export class View {
  constructor({ scene, state, stage, legend }) {
    Object.assign(this, { scene, state, stage, legend });
    this.modes = [];
    this.preferred = window.matchMedia("(prefers-color-scheme: dark)");
    this.preferred.addEventListener("change", () => this.setTheme());
    state.on(["theme"], () => this.setTheme());
    state.on(["compare"], ({ compare }) => stage.setCompare(compare && this.hasTwo()));
    state.on(["labeling"], ({ labeling }) => stage.setLabeling(labeling));
    state.on(["colour", "limits", "hidden", "shown", "labeling", "compare", "marks", "dark", "boxes"], () => this.colour());
    state.on(["selected", "hover", "labeling"], () => this.highlight());
    state.on(["boxes"], ({ boxes }) => stage.setBoxes(boxes));
    state.on(["pairs"], ({ pairs }) => stage.setPairs(pairs));
    state.on(["rings"], ({ rings }) => stage.setRings(rings));
    state.on(["shading"], ({ shading }) => stage.setShading(shading));
    state.on(["pointSize"], ({ pointSize }) => stage.setPointSize(pointSize));
    state.on(["map", "mapOpacity"], () => this.map());
    this.setTheme();
    this.setAll();
  }

  hasTwo() {
    return (this.state.values.frame?.header.labelings.length ?? 0) > 1;
  }

  setAll() {
    const { boxes, pairs, rings, shading, pointSize } = this.state.values;
    this.stage.setBoxes(boxes);
    this.stage.setPairs(pairs);
    this.stage.setRings(rings);
    this.stage.setShading(shading);
    this.stage.setPointSize(pointSize);
  }

  setTheme() {
    const { theme } = this.state.values;
    const dark = theme === "auto" ? this.preferred.matches : theme === "dark";
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.setProperty("--stage", this.scene.special[dark ? "dark" : "light"].background);
    this.stage.setTheme(dark);
    this.state.set({ dark });
  }

  // Shows another frame. The camera stays.
  show(frame) {
    const { frame: before, labeling, selected } = this.state.values;
    const which = frame.header.labelings.length > labeling ? labeling : 0;
    const label = followed(before, frame, which, selected);
    if (before === null) this.begin(frame);
    this.modes = colourModes(frame);
    this.stage.setFrame(frame, { keepCamera: before !== null });
    this.state.set({ frame, labeling: which, picked: -1, spot: -1, selected: label, hover: null });
    this.stage.setCompare(this.state.values.compare && this.hasTwo());
    this.stage.setLabeling(which);
    this.map();
    this.colour();
    this.highlight();
  }

  // What the first frame decides: two labellings are there to be compared, and without clusters the list is of no use.
  begin(frame) {
    if (frame.header.labelings.length > 1) this.state.set({ compare: true });
    if (!hasClusters({ ...this.state.values, frame })) this.state.set({ panel: "display" });
  }

  // The colour that can be shown: the wanted one, or the first.
  mode() {
    const { colour } = this.state.values;
    return this.modes.some(({ id }) => id === colour) ? colour : this.modes[0].id;
  }

  colour() {
    const { frame, limits, hidden, shown, labeling, compare, dark } = this.state.values;
    if (!frame) return;
    const mode = this.mode();
    const options = (side) => {
      const filter = new Set(hidden);
      if (shown && side === labeling) this.addUnlisted(filter, side, shown);
      return { filter, low: limits?.[0], high: limits?.[1] };
    };
    const draw = (side, which) => {
      const { rgba, legend } = colourPoints(frame, mode, which, this.scene, dark, options(which));
      if (compare && this.hasTwo()) this.markDifferences(rgba);
      this.stage.setColours(side, rgba);
      return legend;
    };
    this.legend.setModes(this.modes, mode);
    this.stage.setHidden(options(labeling).filter);
    if (compare && this.hasTwo()) {
      const legends = [draw(0, 0), draw(1, 1)];
      this.legend.show(legends[labeling]);
    } else {
      this.legend.show(draw(0, labeling));
    }
  }

  // Paints the points that differ, unless they are hidden.
  markDifferences(rgba) {
    const { frame, marks, dark } = this.state.values;
    const differs = frame.column("differs")?.values;
    if (!marks || !differs) return;
    const [r, g, b] = parseColour(this.scene.special[dark ? "dark" : "light"].differs);
    for (let row = 0; row < frame.rows; ++row) {
      if (differs[row] === 1 && rgba[4 * row + 3] > 0) rgba.set([r, g, b], 4 * row);
    }
  }

  addUnlisted(filter, labeling, shown) {
    const labels = this.state.values.frame.clusters[labeling]?.get("label") ?? [];
    for (const label of labels) if (!shown.has(label)) filter.add(label);
  }

  highlight() {
    const { selected, hover, labeling } = this.state.values;
    this.stage.setHighlight(hover ?? selected, labeling);
  }

  map() {
    const { frame, map, mapOpacity } = this.state.values;
    if (!frame) return;
    this.stage.setMap(frame.maps.some(({ name }) => name === map) ? map : null, mapOpacity);
  }

  // Moves the camera. The same view may be asked for again after the user has turned the scene.
  setView(view) {
    this.state.set({ view });
    this.stage.setView(view);
  }

  flyToCluster(label) {
    const { frame, labeling } = this.state.values;
    const table = frame?.clusters[labeling];
    const i = table ? table.get("label").indexOf(label) : -1;
    if (i < 0) return;
    const low = ["lx", "ly", "lz"].map((name) => table.get(name)[i]);
    const high = ["ux", "uy", "uz"].map((name) => table.get(name)[i]);
    const centre = low.map((value, k) => (value + high[k]) / 2);
    this.stage.flyTo({ centre, size: Math.max(3, Math.hypot(...low.map((value, k) => high[k] - value))) });
  }

  // Inspects the point at this place of the window, and selects its cluster. Returns its row, or -1.
  pick(x, y) {
    const row = this.stage.pick(x, y);
    const { frame, compare } = this.state.values;
    const area = this.stage.canvas.getBoundingClientRect();
    const side = compare && this.hasTwo() ? Number(x > area.left + area.width / 2) : this.state.values.labeling;
    const label = row < 0 ? null : frame.column(`label${side}`)?.value(row) ?? null;
    this.state.set({ labeling: side });
    this.state.set({ picked: row, selected: label !== null && label >= 0 ? label : null, hover: null });
    return row;
  }

  // What screen readers are told of the picked point.
  describe(row) {
    if (row < 0) return "No point here";
    const label = this.state.values.frame.column(`label${this.state.values.labeling}`)?.value(row);
    return `Point ${row}${label === undefined ? "" : `, ${labelText(label)}`}`;
  }
}
