// The hooks of typescript-loader.mjs, in the thread that Node gives hooks. JavaScript is cached by the source it was made from: the workers
// of the tests load the same files.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform, version } from "esbuild";

const KEPT = fileURLToPath(new URL("../node_modules/.cache/typescript", import.meta.url));
mkdirSync(KEPT, { recursive: true });

export async function load(url, context, next) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return next(url, context);
  return { format: "module", source: await javaScriptOf(fileURLToPath(url)), shortCircuit: true };
}

async function javaScriptOf(sourcefile) {
  const source = readFileSync(sourcefile, "utf8");
  const key = createHash("sha256").update(JSON.stringify([version, sourcefile, source]));
  const kept = join(KEPT, `${key.digest("hex")}.js`);
  try {
    return readFileSync(kept, "utf8");
  } catch {
    const { code } = await transform(source, { loader: "ts", target: "es2022", sourcefile, sourcemap: "inline" });
    // Others may be reading: whole or not at all.
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
    return code;
  }
}
