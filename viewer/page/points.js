// SPDX-License-Identifier: BSD-3-Clause
//
// points.js: the points of a frame on the GPU, in chunks that are culled one by one. x, y and z are three attributes, so
// the arrays of the frame are uploaded as they are. Both sides of a comparison share them and differ in the colours.
//
// The alpha of a colour says how a point is drawn: 0 not at all, FAINT, DIM, STRONG, or 255 as usual. The alpha in the
// texture is the weight of the point: how much it is shaded, and how much of a map it hides.
import { BufferAttribute, BufferGeometry, GLSL3, Group, NoBlending, Points, RawShaderMaterial, Sphere, Vector3 } from "three";

const CHUNK = 65536; // rows per draw
const FAINT = 40;
const DIM = 85;
const STRONG = 170;

const VERTEX = `
in float x, y, z;
in vec4 colour;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float size, far;    // pixels at the distance of the target; distance of the target
uniform vec3 background;
uniform uint first;
flat out vec4 shade;
flat out float diameter;
void main() {
  vec4 place = modelViewMatrix * vec4(x, y, z, 1.0);
  gl_Position = projectionMatrix * place;
  float strong = step(0.6, colour.a) * step(colour.a, 0.7);
  float dim = step(0.3, colour.a) * step(colour.a, 0.4);
  float faint = step(0.1, colour.a) * step(colour.a, 0.2);
  diameter = size * clamp(sqrt(far / max(-place.z, 1e-6)), 0.7, 2.5);
  diameter = clamp(diameter * (1.0 + 0.6 * strong), 1.0, 64.0);
  gl_PointSize = diameter;
#ifdef IDS
  uint id = first + uint(gl_VertexID) + 1u;
  shade = vec4(float(id & 255u), float((id >> 8) & 255u), float((id >> 16) & 255u), float(id >> 24)) / 255.0;
#else
  shade = vec4(mix(colour.rgb, background, 0.78 * dim), 1.0 - 0.7 * dim - 0.85 * faint);
#endif
  if (colour.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `
precision highp float;
flat in vec4 shade;
flat in float diameter;
out vec4 result;
void main() {
  vec2 away = gl_PointCoord - 0.5;
  if (diameter > 3.5 && dot(away, away) > 0.25) discard;
  result = shade;
}`;

function material(ids) {
  return new RawShaderMaterial({
    glslVersion: GLSL3,
    vertexShader: (ids ? "#define IDS\n" : "") + "precision highp float;\n" + VERTEX,
    fragmentShader: FRAGMENT,
    blending: NoBlending,
    uniforms: {
      size: { value: 2 },
      far: { value: 10 },
      background: { value: new Vector3() },
      first: { value: 0 },
    },
  });
}

// The sphere around the middle of the box of some rows that holds all finite ones. Radius -1: there is none.
function sphereOf(frame, from, to) {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  [frame.x, frame.y, frame.z].forEach((values, axis) => {
    for (let i = from; i < to; i++) {
      const v = values[i];
      if (v < low[axis]) low[axis] = v;
      if (v > high[axis]) high[axis] = v;
    }
  });
  const centre = new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5);
  const radius = centre.distanceTo(new Vector3(...high));
  return Number.isFinite(radius) ? new Sphere(centre, radius) : new Sphere(new Vector3(), -1);
}

export class PointSet {
  constructor() {
    this.materials = { colours: material(false), ids: material(true) };
    this.sides = [new Group(), new Group()];
    this.chunks = [];
    this.sphere = new Sphere(new Vector3(), -1);
    this.rgba = [null, null];
    this.thinning = 1;
    this.indices = new Map(); // per thinning; all chunks share them
  }

  // Takes the arrays of the frame. The colours come later.
  setFrame(frame) {
    this.clear();
    this.frame = frame;
    for (let from = 0; from < frame.rows; from += CHUNK) {
      const to = Math.min(from + CHUNK, frame.rows);
      const sphere = sphereOf(frame, from, to);
      if (sphere.radius < 0) continue;
      const axes = ["x", "y", "z"].map((axis) => [axis, new BufferAttribute(frame[axis].subarray(from, to), 1)]);
      const objects = this.sides.map((group) => {
        const geometry = new BufferGeometry();
        for (const [axis, attribute] of axes) geometry.setAttribute(axis, attribute);
        geometry.setDrawRange(0, to - from);
        geometry.boundingSphere = sphere;
        const points = new Points(geometry, this.materials.colours);
        points.matrixAutoUpdate = false;
        points.visible = false;
        points.onBeforeRender = (_renderer, _scene, _camera, _geometry, used) => {
          used.uniforms.first.value = from;
          used.uniformsNeedUpdate = true;
        };
        group.add(points);
        return points;
      });
      this.chunks.push({ from, to, objects });
      if (this.sphere.radius < 0) this.sphere.copy(sphere);
      else this.sphere.union(sphere);
    }
  }

  // rgba: 4 bytes per row. The array is kept, not copied.
  setColours(side, rgba) {
    this.rgba[side] = rgba;
    for (const { from, to, objects } of this.chunks) {
      const { geometry } = objects[side];
      const part = rgba.subarray(4 * from, 4 * to);
      const attribute = geometry.getAttribute("colour");
      if (attribute) {
        attribute.array = part;
        attribute.needsUpdate = true;
      } else geometry.setAttribute("colour", new BufferAttribute(part, 4, true));
      objects[side].visible = true;
    }
  }

  // Draws every n-th point only, n a power of two: for slow devices, while the camera moves.
  setThinning(n) {
    if (n === this.thinning) return;
    this.thinning = n;
    if (!this.indices.has(n)) {
      const rows = Uint16Array.from({ length: CHUNK / n }, (_, i) => i * n);
      this.indices.set(n, new BufferAttribute(rows, 1));
    }
    for (const { from, to, objects } of this.chunks)
      for (const { geometry } of objects) {
        geometry.setIndex(n === 1 ? null : this.indices.get(n));
        geometry.setDrawRange(0, Math.ceil((to - from) / n));
      }
  }

  setMaterial(name) {
    for (const { objects } of this.chunks) for (const points of objects) points.material = this.materials[name];
  }

  // size: pixels of a point in the distance of the target.
  setUniforms(size, far, background) {
    for (const { uniforms } of Object.values(this.materials)) {
      uniforms.size.value = size;
      uniforms.far.value = far;
      uniforms.background.value.set(...background);
    }
  }

  get bytes() {
    return (this.frame?.rows ?? 0) * (12 + 4 * this.rgba.filter(Boolean).length);
  }

  clear() {
    for (const { objects } of this.chunks)
      for (const points of objects) {
        points.removeFromParent();
        points.geometry.dispose();
      }
    this.chunks = [];
    this.rgba = [null, null];
    this.thinning = 1;
    this.sphere.radius = -1;
    this.frame = null;
  }

  dispose() {
    this.clear();
    for (const each of Object.values(this.materials)) each.dispose();
  }
}

// A copy of the colours in which the points of one label, those of the ground, are faint: for maps, which lie there.
export function faintColours(rgba, labels, label) {
  const copy = rgba.slice();
  for (let i = 0, at = 3; at < copy.length; i++, at += 4)
    if (copy[at] !== 0 && labels[i] === label) copy[at] = FAINT;
  return copy;
}

// A copy of the colours in which the points of one label stand out and all others are dim.
export function highlightColours(rgba, labels, label) {
  const copy = rgba.slice();
  for (let i = 0, at = 3; at < copy.length; i++, at += 4)
    if (copy[at] !== 0) copy[at] = labels[i] === label ? STRONG : DIM;
  return copy;
}
