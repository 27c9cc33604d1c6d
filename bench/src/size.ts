// npm run bench -- size — the weight of the engine in a browser: bundled, minified, compressed. The core is the public entry without
// protobuf (a separate entry) and without the regular expression engine; then the addition of each library.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** kB, compressed, that the core without protobuf and regex engine should stay under. */
const GOAL = 60;
const CORE = `export { createEnv, DYN } from "@celadon/cel";`;

const cel = new URL("../../packages/cel/", import.meta.url);
/** The engine's own part of regular expressions. */
const REGEX = `${fileURLToPath(cel)}dist/regex/*`;
const rows: (readonly [string, Size])[] = [
  ["core", await bundle(CORE, [REGEX])],
  ["core with regular expressions", await bundle(CORE, [])],
  ["everything of the main entry", await bundle(`export * from "@celadon/cel";`, [])],
  ["main entry and all libraries", await bundle(`export * from "@celadon/cel"; export * from "@celadon/cel/lib";`, [])],
];
const core = rows[0]![1];
for (const [title, size] of rows) print(title, size);

console.log("\neach library on top of the core:");
for (const name of await libraryNames()) {
  const size = await bundle(`${CORE} export { ${name} } from "@celadon/cel/lib";`, [REGEX]);
  print(`  ${name}`, { minified: size.minified - core.minified, gzip: size.gzip - core.gzip });
}
console.log(
  `\ngoal for the core: ${GOAL} kB compressed; it is ${kB(core.gzip)} kB${core.gzip > GOAL * 1000 ? ", too much" : ""}`,
);

interface Size {
  readonly minified: number;
  readonly gzip: number;
}

async function bundle(code: string, external: string[]): Promise<Size> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: fileURLToPath(cel), loader: "js" },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: [...external, "@bufbuild/protobuf"],
    write: false,
    logLevel: "error",
  });
  const { contents } = outputFiles[0]!;
  return { minified: contents.length, gzip: gzipSync(contents, { level: 9 }).length };
}

/** The exports of the library entry, as its built module lists them. */
async function libraryNames(): Promise<string[]> {
  const { exports } = JSON.parse(readFileSync(new URL("package.json", cel), "utf8"));
  const entry = await import(new URL(exports["./lib"].default, cel).href);
  return Object.keys(entry).filter((name) => name.endsWith("Library"));
}

function print(title: string, { minified, gzip }: Size): void {
  console.log(`${title.padEnd(36)} ${kB(minified).padStart(8)} kB minified ${kB(gzip).padStart(8)} kB compressed`);
}

function kB(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
