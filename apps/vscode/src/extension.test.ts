// The content of the package, the matches of the grammars, and the lines for terminals.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { commandLine } from "./command-line.ts";
import { explainArguments } from "./explain-arguments.ts";
import { unzip } from "./unzip.testing.ts";
import { vsix } from "./vsix.ts";

const folder = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

test("the package", () => {
  const files = new Map([
    ["package.json", Buffer.from("{}")],
    ["extension.cjs", Buffer.from("x")],
  ]);
  const found = unzip(vsix({ ...manifest, description: 'a <b> & "c"' }, files));
  expect([...found.keys()]).toEqual([
    "[Content_Types].xml",
    "extension.vsixmanifest",
    "extension/extension.cjs",
    "extension/package.json",
  ]);
  expect(found.get("extension.vsixmanifest")).toContain('Id="celadon-vscode" Version="0.1.0" Publisher="celadon"');
  expect(found.get("extension.vsixmanifest")).toContain("a &#60;b&#62; &#38; &#34;c&#34;");
  expect(found.get("[Content_Types].xml")).toContain(
    '<Default Extension=".cjs" ContentType="application/javascript"/>',
  );
});

test("every file that the manifest names exists, and only the user sets the server's path", () => {
  const { grammars, languages } = manifest.contributes;
  const paths = [
    ...grammars.map(({ path }: { path: string }) => path),
    ...languages.map(({ configuration }: { configuration: string }) => configuration),
  ];
  for (const path of paths) expect(() => JSON.parse(readFileSync(join(folder, path), "utf8"))).not.toThrow();
  expect(manifest.contributes.configuration.properties["celadon.server.path"].scope).toBe("machine");
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe(false);
});

describe("the grammar that is injected into YAML", () => {
  const { patterns } = JSON.parse(readFileSync(join(folder, "syntaxes/cel-in-yaml.tmLanguage.json"), "utf8"));
  // `\\G` is where the rule before ended; at the start of a line it is `^`.
  const begins = patterns.map(({ begin }: { begin: string }) => new RegExp(begin.replaceAll("\\G", "^")));
  // biome-ignore format: one case per line
  test.each([
    ["  - expression: |",                     0],
    ["- rule: >-  # why",                     0],
    ["    messageExpression: |-",             1],
    ['  - expression: "a == b"',              2],
    ["- { rule: 'a', message: b }",           2],
    ["  valueExpression: string(object.x)",   3],
    ["  - expression: has(object.x)",         3],
    ["  message: has(object.x)",              -1],
    ["  ruler: x",                            -1],
    ["  expression: !has(object.x)",          -1],
  ])("%j", (line, want) => expect(begins.findIndex((begin: RegExp) => begin.test(line))).toBe(want));

  test("a block ends where a line is indented no deeper than its key", () => {
    const blockAt = (nth: number, indent: string): RegExp =>
      new RegExp(patterns[nth].while.replaceAll("\\G", "^").replace("\\2", indent));
    expect(["     object.x", "", "    message: y"].map((line) => blockAt(0, "  ").test(line))).toEqual([
      true,
      true,
      false,
    ]);
    expect(["   object.x", "  message: y"].map((line) => blockAt(1, "  ").test(line))).toEqual([true, false]);
  });
});

// biome-ignore format: one case per line
test.each([
  { words: ["celadon", "check", "-f", "."],       asNode: false, platform: "linux", want: "celadon check -f ." },
  { words: ["/a b/node", "it's"],                 asNode: true,  platform: "linux", want: "ELECTRON_RUN_AS_NODE=1 '/a b/node' 'it'\\''s'" },
  { words: ["C:\\a b\\node.exe", "it's"],         asNode: true,  platform: "win32", want: "$env:ELECTRON_RUN_AS_NODE=1; & 'C:\\a b\\node.exe' 'it''s'" },
])("$want", ({ words, asNode, platform, want }) => expect(commandLine(words, asNode, platform)).toBe(want));

describe("the explained subject", () => {
  const entry = (name: string, start: number, end: number) => ({
    name,
    range: { start: { line: start }, end: { line: end } },
  });
  const outline = [
    entry("Deployment web", 0, 8),
    entry("ValidatingAdmissionPolicy limits", 10, 20),
    entry("List", 22, 30),
  ];
  // biome-ignore format: one case per line
  test.each([
    [4,  ["explain", "-f", ".", "Deployment/web"]],
    [20, ["explain", "-f", ".", "--policy", "limits"]],
    [9,  ["explain", "-f", "."]],
    [25, ["explain", "-f", "."]],
  ])("line %i", (line, want) => expect(explainArguments(outline, line)).toEqual(want));
});
