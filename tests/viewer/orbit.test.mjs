// SPDX-License-Identifier: BSD-3-Clause
//
// orbit.test.mjs: the camera of the page. Run by: node --test tests/viewer/orbit.test.mjs
import assert from "node:assert/strict";
import test from "node:test";
import { add, baseOf, between, cross, dot, length, Orbit } from "../../viewer/page/orbit.js";

function near(a, b, what) {
  assert.ok(length(add(a, b, -1)) < 1e-9 * (1 + length(b)), `${what}: ${a} instead of ${b}`);
}

const BASES = [["z", false], ["z", true], ["y", false], ["y", true]];

test("bases are right-handed and point upwards", () => {
  for (const [up, flip] of BASES) {
    const base = baseOf(up, flip);
    near(cross(base.first, base.second), base.up, `${up} ${flip}`);
    assert.equal(base.up[up === "y" ? 1 : 2], flip ? -1 : 1);
  }
});

test("a camera that is looked up comes back, also from straight above", () => {
  for (const [up, flip] of BASES) {
    const orbit = new Orbit();
    orbit.base = baseOf(up, flip);
    for (const elevation of [0, 30, -20, 89, 90, -90])
      for (const azimuth of [0, 45, 180, -100]) {
        const other = new Orbit();
        other.base = orbit.base;
        other.target = [3, -4, 5];
        other.distance = 7;
        other.elevation = (elevation * Math.PI) / 180;
        other.azimuth = (azimuth * Math.PI) / 180;
        orbit.look({ eye: other.eye, target: other.target, up: other.up });
        const what = `${up} ${flip} ${azimuth} ${elevation}`;
        assert.ok(length(add(orbit.eye, other.eye, -1)) < 1e-6, `${what}: eye`);
        assert.ok(length(add(orbit.up, other.up, -1)) < 1e-6, `${what}: up`);
        assert.ok(Math.abs(dot(orbit.up, orbit.back)) < 1e-12, `${what}: up is not across`);
        near(cross(orbit.up, orbit.back), orbit.right, what);
      }
  }
});

test("zoom keeps the place, and stops at its limits", () => {
  const orbit = new Orbit();
  const place = [10, 2, 1];
  // Where a place is in the picture: right and up per depth.
  const seen = () => {
    const from = add(place, orbit.eye, -1);
    return [dot(from, orbit.right), dot(from, orbit.up)].map((v) => v / -dot(from, orbit.back));
  };
  const before = seen();
  orbit.zoom(0.5, place);
  seen().forEach((v, i) => assert.ok(Math.abs(v - before[i]) < 1e-12));
  assert.equal(orbit.distance, 5);
  for (let i = 0; i < 100; i++) orbit.zoom(0.5, orbit.target);
  assert.equal(orbit.distance, orbit.least);
});

test("elevation stops at the poles", () => {
  const orbit = new Orbit();
  orbit.turn(0, 100);
  assert.equal(orbit.elevation, Math.PI / 2);
  orbit.turn(0, -200);
  assert.equal(orbit.elevation, -Math.PI / 2);
});

test("narrow pictures are seen from further away, wide ones are not", () => {
  const fitted = (aspect) => {
    const orbit = new Orbit();
    orbit.distance = 50;
    orbit.fit([-100, -100, -2], [100, 100, 2], aspect);
    return orbit.distance;
  };
  assert.equal(fitted(16 / 9), 50);
  assert.equal(fitted(3), 50);
  assert.ok(Math.abs(fitted(8 / 9) - 100) < 1e-9);
});

test("a flight takes the shorter way round", () => {
  const [from, to] = [new Orbit(), new Orbit()];
  from.azimuth = 3;
  to.azimuth = -3;
  assert.ok(between(from, to, 0.5).azimuth > 3);
  near(between(from, to, 1).eye, to.eye, "end");
  near(between(from, to, 0).eye, from.eye, "start");
});
