// SPDX-License-Identifier: BSD-3-Clause
//
// build.mjs [FOLDER]: bundles the page into FOLDER (default bundle/): viewer.js and viewer.css. The same sources and
// the same package-lock.json give the same bytes.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

await build({
  absWorkingDir: fileURLToPath(new URL(".", import.meta.url)),
  entryPoints: { viewer: "main.js" },
  outdir: process.argv[2] ?? "bundle",
  bundle: true,
  minify: true,
  format: "iife",
  target: ["chrome80", "firefox113", "safari16.4"],
  charset: "utf8",
  legalComments: "eof",
  logLevel: "warning",
});
