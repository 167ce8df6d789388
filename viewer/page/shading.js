// SPDX-License-Identifier: BSD-3-Clause
//
// shading.js: eye-dome lighting. Points are drawn into a texture with a depth texture; a second pass darkens every pixel
// that has nearer neighbours, so that unlit points read as surfaces. The picture of the program uses the same formula.
import {
  BufferAttribute, BufferGeometry, DepthTexture, GLSL3, Mesh, NearestFilter, NoBlending, RawShaderMaterial,
  UnsignedIntType, Vector2, Vector3, Vector4, WebGLRenderTarget,
} from "three";
import { OVER } from "./blend.js";

const STRENGTH = 40;
const OVER_MAP = 0.6; // opacity of points over a map
const DARKEST = 0.25; // factor of a pixel far behind its neighbours

const VERTEX = `
in vec2 corner;
void main() { gl_Position = vec4(corner, 0.0, 1.0); }`;

// part: the pixels of this view: x, y of the first, x, y after the last.
const FRAGMENT = `
precision highp float;
precision highp sampler2D;
uniform sampler2D colours, depths;
uniform ivec4 part;
uniform vec2 range;
uniform vec3 background;
uniform float strength, darkest, opacity; // opacity below 1: over a map
uniform int radius;
out vec4 result;
float distanceLog(float depth) {
  return log2(range.x * range.y / (range.y - depth * (range.y - range.x)));
}
void main() {
  ivec2 here = ivec2(gl_FragCoord.xy);
  float depth = texelFetch(depths, here, 0).r;
  if (depth >= 1.0 && opacity < 1.0) discard;
  if (depth >= 1.0) { result = vec4(background, 1.0); return; }
  vec4 colour = texelFetch(colours, here, 0);
  float shade = 1.0;
  if (strength > 0.0) {
    float mine = distanceLog(depth), response = 0.0;
    for (int k = 0; k < 9; k++) {
      if (k == 4) continue;
      ivec2 there = here + radius * ivec2(k % 3 - 1, k / 3 - 1);
      if (any(lessThan(there, part.xy)) || any(greaterThanEqual(there, part.zw))) continue;
      float other = texelFetch(depths, there, 0).r;
      if (other < depth) response += mine - distanceLog(other);
    }
    shade = mix(darkest, 1.0, exp(-strength * response / 8.0));
  }
  result = vec4(colour.rgb * mix(1.0, shade, colour.a), opacity < 1.0 ? colour.a * opacity : 1.0);
}`;

export class Shading {
  constructor() {
    const depthTexture = new DepthTexture(1, 1, UnsignedIntType);
    depthTexture.minFilter = depthTexture.magFilter = NearestFilter;
    this.target = new WebGLRenderTarget(1, 1, {
      minFilter: NearestFilter, magFilter: NearestFilter, generateMipmaps: false, depthTexture,
    });
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader: VERTEX, fragmentShader: FRAGMENT, blending: NoBlending, depthTest: false,
      uniforms: {
        colours: { value: this.target.texture },
        depths: { value: depthTexture },
        part: { value: new Vector4() },
        range: { value: new Vector2() },
        background: { value: new Vector3() },
        strength: { value: STRENGTH },
        darkest: { value: DARKEST },
        opacity: { value: 1 },
        radius: { value: 1 },
      },
    });
    const geometry = new BufferGeometry();
    // One triangle that covers the picture.
    geometry.setAttribute("corner", new BufferAttribute(new Float32Array([-1, -1, 3, -1, -1, 3]), 2));
    geometry.setDrawRange(0, 3);
    this.mesh = new Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
  }

  resize(width, height) {
    this.target.setSize(width, height);
    this.material.uniforms.radius.value = Math.max(1, Math.round((1.2 * height) / 900));
  }

  // Draws the part of the texture to the same part of the canvas. part: {x, y, width, height} from the lower left corner.
  // overMap: the points let through what the canvas has.
  draw(renderer, camera, part, background, on, overMap) {
    const { uniforms } = this.material;
    uniforms.part.value.set(part.x, part.y, part.x + part.width, part.y + part.height);
    uniforms.range.value.set(camera.near, camera.far);
    uniforms.background.value.set(...background);
    uniforms.strength.value = on ? STRENGTH : 0;
    uniforms.opacity.value = overMap ? OVER_MAP : 1;
    Object.assign(this.material, overMap ? OVER : { blending: NoBlending });
    renderer.render(this.mesh, camera);
  }

  dispose() {
    this.mesh.geometry.dispose();
    this.material.dispose();
    this.target.depthTexture.dispose();
    this.target.dispose();
  }
}
