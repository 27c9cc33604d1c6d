// Of typescript-loader.mjs, in the thread that Node gives hooks.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";

export async function load(url, context, next) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const source = await readFile(sourcefile, "utf8");
  const { code } = await transform(source, { loader: "ts", target: "es2022", sourcefile, sourcemap: "inline" });
  return { format: "module", source: code, shortCircuit: true };
}
