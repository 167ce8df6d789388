// SPDX-License-Identifier: BSD-3-Clause
//
// main.js: starts the page.
import "./style.css";
import { WebGLRenderer } from "three";

window.clumpView = { WebGLRenderer };
