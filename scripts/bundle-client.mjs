// Bundles the VS Code extension into one CommonJS file, which is what VS Code loads; `vscode` is VS Code's own.

import { build } from "esbuild";
import { noticesOf } from "./notices.mjs";
import { root } from "./sources.mjs";

export async function bundleClient(entry, { minify = true } = {}) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["vscode"],
    minify,
    legalComments: "none",
    logLevel: "warning",
  });
  return {
    contents: outputFiles[0].contents,
    notices: noticesOf("The extension's client", Object.keys(metafile.inputs)),
  };
}
