// SPDX-License-Identifier: BSD-3-Clause
//
// blend.js: how something half transparent is drawn over the canvas. The alpha of the canvas stays 1: a browser would let
// the page shine through a canvas with less, and pale lines would become paler than the background.
import { CustomBlending, OneFactor, OneMinusSrcAlphaFactor, SrcAlphaFactor, ZeroFactor } from "three";

export const OVER = {
  blending: CustomBlending, blendSrc: SrcAlphaFactor, blendDst: OneMinusSrcAlphaFactor,
  blendSrcAlpha: ZeroFactor, blendDstAlpha: OneFactor,
};
