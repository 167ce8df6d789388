// SPDX-License-Identifier: BSD-3-Clause
//
// lines.js: straight lines of a width in pixels with smooth edges. One instance of a quad per line.
import {
  BufferAttribute, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, InstancedInterleavedBuffer,
  InterleavedBufferAttribute, Mesh, RawShaderMaterial, Vector2,
} from "three";
import { OVER } from "./blend.js";

const VERTEX = `
in vec2 corner;            // x: 0 start, 1 end; y: -1 or 1, side
in vec3 start, end;
in vec4 colour;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec2 half_size;    // half of the picture, pixels
uniform float width, near, cap;
out vec4 shade;
out float across;
void main() {
  vec4 a = modelViewMatrix * vec4(start, 1.0), b = modelViewMatrix * vec4(end, 1.0);
  shade = colour;
  across = 0.0;
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if (a.z > -near && b.z > -near) return;
  // The end behind the eye is moved to the near plane.
  if (a.z > -near) a = mix(a, b, (a.z + near) / (a.z - b.z));
  else if (b.z > -near) b = mix(b, a, (b.z + near) / (b.z - a.z));
  vec4 pa = projectionMatrix * a, pb = projectionMatrix * b;
  vec2 along = (pb.xy / pb.w - pa.xy / pa.w) * half_size;
  float size = length(along);
  along = size > 1e-4 ? along / size : vec2(1.0, 0.0);
  float half_width = 0.5 * width + 0.5;
  vec2 away = vec2(-along.y, along.x) * corner.y + along * (corner.x * 2.0 - 1.0) * cap / half_width;
  gl_Position = corner.x < 0.5 ? pa : pb;
  gl_Position.xy += away * half_width / half_size * gl_Position.w;
  across = corner.y * half_width;
}`;

// Points are not in the depth buffer but in a texture: a line behind a point is drawn fainter.
const FRAGMENT = `
precision highp float;
precision highp sampler2D;
uniform sampler2D depths;
uniform float width, behind, strength;
in vec4 shade;
in float across;
out vec4 result;
void main() {
  float cover = clamp(0.5 * width + 0.5 - abs(across), 0.0, 1.0);
  float seen = gl_FragCoord.z <= texelFetch(depths, ivec2(gl_FragCoord.xy), 0).r ? 1.0 : behind;
  float alpha = shade.a * cover * seen * strength;
  if (alpha <= 0.0) discard;
  result = vec4(shade.rgb, alpha);
}`;

export class Lines {
  // width: CSS pixels. behind: how much is seen of lines behind points, 0 to 1. caps: whether lines are longer by half their
  // width at both ends, for thick lines that meet at corners.
  constructor(width, behind, caps = false) {
    this.width = width;
    this.caps = caps;
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, transparent: true, depthTest: false,
      ...OVER,
      uniforms: {
        half_size: { value: new Vector2(1, 1) }, width: { value: 1 }, near: { value: 0.1 }, cap: { value: 0 },
        behind: { value: behind }, strength: { value: 1 }, depths: { value: null },
      },
    });
    this.mesh = null;
    this.count = 0;
  }

  // places: 6 numbers per line; colours: 4 bytes per line.
  set({ places, colours }) {
    this.clear();
    this.count = colours.length / 4;
    if (this.count === 0) return;
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), 2));
    geometry.setIndex([0, 1, 2, 2, 1, 3]);
    const both = new InstancedInterleavedBuffer(places, 6);
    geometry.setAttribute("start", new InterleavedBufferAttribute(both, 3, 0));
    geometry.setAttribute("end", new InterleavedBufferAttribute(both, 3, 3));
    geometry.setAttribute("colour", new InstancedBufferAttribute(colours, 4, true));
    geometry.instanceCount = this.count;
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
  }

  // Opacity of all lines, 0 to 1.
  setStrength(strength) {
    this.material.uniforms.strength.value = strength;
  }

  // part: the pixels of the view. depths: texture with the depth of the points. ratio: device pixels per CSS pixel.
  draw(renderer, camera, part, depths, ratio) {
    if (!this.mesh) return;
    const { uniforms } = this.material;
    uniforms.half_size.value.set(part.width / 2, part.height / 2);
    uniforms.width.value = this.width * ratio;
    uniforms.cap.value = this.caps ? (this.width * ratio) / 2 : 0;
    uniforms.near.value = camera.near;
    uniforms.depths.value = depths;
    renderer.render(this.mesh, camera);
  }

  get bytes() {
    return this.count * 28;
  }

  clear() {
    this.mesh?.geometry.dispose();
    this.mesh = null;
    this.count = 0;
  }

  dispose() {
    this.clear();
    this.material.dispose();
  }
}
