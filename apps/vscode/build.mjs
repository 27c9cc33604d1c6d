// npm run vsix: the extension as a package that VS Code installs, in dist/celadon.vsix. Nothing is published.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { pack } from "./dist/pack.js";

const folder = fileURLToPath(new URL(".", import.meta.url));
const root = join(folder, "../..");

/** One CommonJS file, which is what VS Code loads; `vscode` is VS Code's own. */
export async function bundleClient(entry) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["vscode"],
    minify: true,
    legalComments: "none",
    logLevel: "warning",
  });
  return outputFiles[0].contents;
}

console.log(await pack({ folder, root, bundleClient }));
