// SPDX-License-Identifier: BSD-3-Clause
//
// state.js: what the user has chosen, and who wants to know when it changes.

export class State {
  constructor(values) {
    this.values = values;
    this.listeners = [];
  }

  // Calls listener(values, changed) after a change of any of the keys. Listeners are called in the order of listening.
  on(keys, listener) {
    this.listeners.push({ keys, listener });
  }

  // Changes values. Listeners of keys whose values are the same as before are not called.
  set(changes) {
    const changed = new Set();
    for (const [key, value] of Object.entries(changes)) {
      if (Object.is(this.values[key], value)) continue;
      this.values[key] = value;
      changed.add(key);
    }
    if (changed.size === 0) return;
    for (const { keys, listener } of this.listeners) {
      if (keys.some((key) => changed.has(key))) listener(this.values, changed);
    }
  }

  toggle(key) {
    this.set({ [key]: !this.values[key] });
  }
}

// Whether there can be clusters: so before the first frame, and where other frames have some.
export function hasClusters({ frame, clustered }) {
  if (frame === null) return true;
  const { labelings } = frame.header;
  return clustered ? labelings.length > 0 : labelings.some(({ clusters }) => clusters > 0);
}

// Returns the values of a page that has just been opened.
export function firstValues(scene) {
  const look = scene.look ?? {};
  return {
    frame: null, // the decoded frame that is shown
    clustered: Boolean(scene.live) || (scene.frames ?? []).some(({ clusters }) => clusters > 0), // some frame has clusters
    number: 0, // which frame is wanted
    view: look.view ?? "home",
    colour: look.colour === "field" ? `field:${look.field}` : look.colour ?? "label",
    limits: null, // [low, high] of the ramp; null: from the points
    hidden: [], // keys of legend entries that are not drawn
    labeling: 0,
    compare: false,
    marks: true, // a comparison paints the points that differ
    spot: -1, // row that the tour of differences shows
    boxes: look.boxes ?? true,
    pairs: true,
    rings: false,
    shading: look.shading ?? true,
    pointSize: look.pointSize ?? 3,
    map: null,
    mapOpacity: 0.8,
    theme: look.theme ?? "auto",
    selected: null, // label of the chosen cluster
    hover: null, // label of the cluster under the pointer in the list
    picked: -1, // row of the inspected point
    filter: "",
    only: false, // draw only the clusters that pass the filter
    sort: null, // of the list of clusters: as clusters.js says
    descending: true,
    panel: "clusters",
    failed: false, // the wanted frame cannot be shown
    open: window.innerWidth > 900 && window.innerHeight > 480,
    help: false,
    playing: false,
    paused: false, // live
    speed: 1,
  };
}
