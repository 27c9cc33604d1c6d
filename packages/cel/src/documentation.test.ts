// The documentation is tested: every `ts` block of a page is a program of its own that runs and type checks, what follows
// `// →` is what the expression before it answers, links lead somewhere, and generated pages are what the tables say.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as protobuf from "@bufbuild/protobuf";
import * as wkt from "@bufbuild/protobuf/wkt";
import * as cel from "@celadon/cel";
import * as extend from "@celadon/cel/extend";
import * as format from "@celadon/cel/format";
import * as lib from "@celadon/cel/lib";
import * as proto from "@celadon/cel/proto";
import * as crd from "@celadon/crd";
import * as kube from "@celadon/kube-cel";
import * as kubeLib from "@celadon/kube-cel/library";
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const docs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".md"))
  .map((path) => `docs/${path.replaceAll("\\", "/")}`);
const pages = ["README.md", "packages/cel/README.md", ...docs.sort()].map((path) => {
  const text = readFileSync(join(root, path), "utf8");
  const examples = [...text.matchAll(/^```(?:ts|js)\n(.*?)^```$/gms)].map(([, code]) => code ?? "");
  return { path, text, examples: examples.map((code, i) => ({ title: `example ${i + 1}`, code })) };
});

describe.each(pages.filter(({ examples }) => examples.length > 0))("$path", ({ examples }) => {
  test.each(examples)("$title", ({ code }) => {
    const got: { answer: unknown; want: unknown }[] = [];
    new Function("modules", "answers", toProgram(code))(MODULES, (answer: unknown, want: unknown) =>
      got.push({ answer, want }),
    );
    expect(got.length, "an example states what it answers").toBeGreaterThan(0);
    for (const { answer, want } of got) expect(answer).toEqual(want);
  });
});

const MODULES: Readonly<Record<string, unknown>> = {
  "@bufbuild/protobuf": protobuf,
  "@bufbuild/protobuf/wkt": wkt,
  "@celadon/cel": cel,
  "@celadon/cel/extend": extend,
  "@celadon/cel/format": format,
  "@celadon/cel/lib": lib,
  "@celadon/cel/proto": proto,
  "@celadon/crd": crd,
};

/** Imports become destructuring, `expression; // → answer` a comparison, and types disappear. */
function toProgram(code: string): string {
  const body = code
    .replace(/^import type .*$/gm, "")
    .replace(/^import \{(.*?)\} from "(.*?)";$/gms, (_, names: string, from) => {
      const values = names.split(",").filter((name) => !name.trim().startsWith("type "));
      return `const {${values.join(",").replaceAll(" as ", ": ")}} = modules["${from}"];`;
    })
    .replace(/^(.*); \/\/ → (.*)$/gm, (_, expression, want) => `answers(${expression}, ${want});`);
  return `"use strict";\n${transformSync(body, { loader: "ts", target: "es2022" }).code}`;
}

test("examples type check", () => {
  const folder = join(root, "node_modules", `.celadon-examples-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { path, examples } of pages) {
    const name = path.replaceAll("/", "-").replace(/\.md$/, "");
    for (const { title, code } of examples) writeFileSync(join(folder, `${name}-${title.replace(" ", "-")}.ts`), code);
  }
  const config = {
    extends: join(root, "tsconfig.test.json"),
    compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
    include: [join(folder, "*.ts")],
    exclude: [],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder], { encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  expect(stdout.split("\n").filter((line) => line.includes(".celadon-examples"))).toEqual([]);
});

test("links lead somewhere", () => {
  const broken = pages.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target]) => target ?? "")
      .filter((target) => !existsSync(join(root, dirname(path), target)))
      .map((target) => `${path}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test("library pages are what the tables say", async () => {
  const script = new URL("../../../scripts/library-pages.mjs", import.meta.url).href;
  const { libraryPages } = (await import(/* @vite-ignore */ script)) as {
    libraryPages(...from: [typeof cel, typeof lib, typeof kube, typeof kubeLib]): ReadonlyMap<string, string>;
  };
  const folder = join(root, "docs/reference/libraries");
  const committed = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const wanted = libraryPages(cel, lib, kube, kubeLib);
  expect([...committed.keys()].sort()).toEqual([...wanted.keys()].sort());
  for (const [name, text] of wanted) expect(committed.get(name), `${name}: run npm run docs`).toBe(text);
});
