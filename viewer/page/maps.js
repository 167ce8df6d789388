// SPDX-License-Identifier: BSD-3-Clause
//
// maps.js: a map as a texture that lies on the ground plane, on a rectangle with an outline. Points are drawn over it.
import {
  BufferAttribute, BufferGeometry, DataTexture, DoubleSide, GLSL3, Mesh, NearestFilter, RawShaderMaterial, Vector3,
} from "three";
import { OVER } from "./blend.js";
import { clusterColour, clustersByLabel, GROUND, parseColour, rampPlace, robustLimits } from "./colour.js";
import { groundHeight } from "./boxes.js";

// Between the background (0) and the colour of text (1): cells without a value, and the outline.
const EMPTY = 0.07;
const OUTLINE = 0.5;

const VERTEX = `
in vec3 position;
in vec2 place;
uniform mat4 modelViewMatrix, projectionMatrix;
out vec2 at;
void main() {
  at = place;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FRAGMENT = `
precision highp float;
precision highp sampler2D;
uniform sampler2D cells;
uniform vec3 empty, outline;
uniform float opacity;
in vec2 at;
out vec4 result;
void main() {
  // Far away a pixel has several cells, of which many are empty: the mean of those that are not.
  vec2 pixel = fwidth(at);
  vec4 sum = vec4(0.0);
  for (int k = 0; k < 9; k++) {
    vec4 cell = texture(cells, at + pixel * (vec2(float(k % 3), float(k / 3)) - 1.0) / 3.0);
    sum += vec4(cell.rgb * cell.a, cell.a);
  }
  vec4 full = sum.a > 0.0 ? vec4(sum.rgb / sum.a, min(1.0, sum.a / 2.0)) : vec4(0.0);
  vec2 edge = min(at, 1.0 - at) / pixel;
  float line = clamp(2.0 - min(edge.x, edge.y), 0.0, 1.0);
  result = vec4(mix(mix(empty, full.rgb, full.a), outline, line), mix(opacity, 1.0, line));
}`;

// Colour of a value: a function per kind of map. null: the cell is empty.
function painter(map, frame, scene, special) {
  if (map.kind === "f32") {
    const [low, high] = robustLimits(map.values, null);
    const ramp = scene.ramp.map(parseColour);
    return (v) => (Number.isFinite(v) ? ramp[rampPlace(v, low, high, ramp.length)] : null);
  }
  if (map.kind === "u8") {
    const colours = [parseColour(special.noise), parseColour(special.highlight)];
    return (v) => colours[v ? 1 : 0];
  }
  const colours = new Map([[GROUND, parseColour(special.ground)]]);
  for (const [label, cluster] of clustersByLabel(frame, 0))
    colours.set(label, parseColour(clusterColour(frame, 0, cluster, scene)));
  const other = (v) => (v < 0 ? null : parseColour(scene.palette[v % scene.palette.length]));
  return (v) => colours.get(v) ?? other(v);
}

// The cells as 4 bytes each; alpha 0: empty.
function mapTexels(map, frame, scene, special) {
  const paint = painter(map, frame, scene, special);
  const { values } = map;
  const texels = new Uint8Array(4 * values.length);
  for (let i = 0; i < values.length; i++) {
    const rgb = paint(values[i]);
    if (rgb === null) continue;
    texels[4 * i] = rgb[0];
    texels[4 * i + 1] = rgb[1];
    texels[4 * i + 2] = rgb[2];
    texels[4 * i + 3] = map.kind === "u8" && values[i] === 0 ? 60 : 255;
  }
  return texels;
}

export class MapPlane {
  constructor() {
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, side: DoubleSide,
      depthTest: false, ...OVER,
      uniforms: {
        cells: { value: null }, empty: { value: new Vector3() }, outline: { value: new Vector3() }, opacity: { value: 1 },
      },
    });
    this.mesh = null;
    this.texture = null;
  }

  // Rows of a map grow along x; columns along y, or along z where y is up.
  set(map, frame, scene, special) {
    this.clear();
    const { rows, columns, corner, cell } = map;
    if (rows * columns === 0) return;
    this.texture = new DataTexture(mapTexels(map, frame, scene, special), columns, rows);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
    this.texture.needsUpdate = true;
    const height = groundHeight(frame);
    const places = [];
    for (const [row, column] of [[0, 0], [0, 1], [1, 0], [1, 1]]) {
      const u = corner[0] + row * rows * cell;
      const v = corner[1] + column * columns * cell;
      places.push(...(frame.header.up === "y" ? [u, height, v] : [u, v, height]));
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
    geometry.setAttribute("place", new BufferAttribute(new Float32Array([0, 0, 1, 0, 0, 1, 1, 1]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    const { cells, empty, outline } = this.material.uniforms;
    const [background, text] = [special.background, special.text].map(parseColour);
    const between = (share) => background.map((v, i) => (v + share * (text[i] - v)) / 255);
    cells.value = this.texture;
    empty.value.set(...between(EMPTY));
    outline.value.set(...between(OUTLINE));
  }

  get shown() {
    return this.mesh !== null;
  }

  draw(renderer, camera, opacity) {
    this.material.uniforms.opacity.value = opacity;
    renderer.render(this.mesh, camera);
  }

  get bytes() {
    return this.texture ? this.texture.image.data.length : 0;
  }

  clear() {
    this.mesh?.geometry.dispose();
    this.texture?.dispose();
    this.material.uniforms.cells.value = null;
    this.mesh = null;
    this.texture = null;
  }

  dispose() {
    this.clear();
    this.material.dispose();
  }
}
