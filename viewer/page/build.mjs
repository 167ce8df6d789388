// SPDX-License-Identifier: BSD-3-Clause
//
// build.mjs [FOLDER]: bundles the page into FOLDER (default bundle/): viewer.js and viewer.css. The same sources and
// the same package-lock.json give the same bytes.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const three = new URL("node_modules/three/", import.meta.url);

// The page has shaders of its own. The shaders of three's materials, and what only lit materials need, are left out: a
// third of three's size.
const leaveOut = {
  name: "leave out",
  setup(builder) {
    const empty = (filter, contents) => builder.onLoad({ filter }, () => ({ contents }));
    empty(/three\/src\/renderers\/shaders\/ShaderChunk\/.*\.glsl\.js$/, 'export default "";');
    empty(/three\/src\/renderers\/shaders\/ShaderLib\/.*\.glsl\.js$/, 'export const vertex = "", fragment = "";');
    empty(/three\/src\/renderers\/shaders\/DFGLUTData\.js$/, "export function getDFGLUT() { return null; }");
    empty(/three\/src\/extras\/PMREMGenerator\.js$/, "export class PMREMGenerator {}");
  },
};

await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: { viewer: "main.js" },
  outdir: process.argv[2] ?? "bundle",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome80", "firefox113", "safari16.4"],
  charset: "utf8",
  alias: { three: fileURLToPath(new URL("src/Three.js", three)) },
  plugins: [leaveOut],
  footer: { js: `/* three.js:\n${readFileSync(new URL("LICENSE", three), "utf8").trim()}\n*/` },
  logLevel: "warning",
});
