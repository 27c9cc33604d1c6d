// `celadon fmt`: files in place, byte for byte; exit codes; standard input.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { celadon, expectGolden, expectGoldenRun, folder, ROOT } from "./run.testing.ts";

/** An example with its expressions on one line each, as people first write them. */
function example(name: string): string {
  const text = readFileSync(join(ROOT, "examples", name), "utf8");
  return text.replaceAll(/expression: \|-\n((?: {8,}.*\n)+)/g, (_, lines: string) => {
    const line = lines
      .trim()
      .replaceAll(/\s*\n\s*/g, " ")
      .replaceAll(" )", ")");
    // A plain scalar that begins with `!` would be a tag.
    return `expression: ${line.startsWith("!") ? `"${line}"` : line}\n`;
  });
}

const FILES = {
  "images/policy.yaml": example("trusted-images/policy.yaml"),
  "queues.yaml": example("crd/definition.yaml"),
  "webhook.yaml": example("webhooks/webhook.yaml"),
};

test("examples: reported, formatted, then unchanged", async () => {
  const cwd = folder(FILES);
  expectGoldenRun("fmt/check.txt", await celadon(["fmt", "--check", "."], { cwd }));
  for (const [name, text] of Object.entries(FILES)) expect(readFileSync(join(cwd, name), "utf8")).toBe(text);
  expectGoldenRun("fmt/written.txt", await celadon(["fmt", "."], { cwd }));
  expectGolden("fmt/policy.yaml", readFileSync(join(cwd, "images/policy.yaml"), "utf8"));
  expectGolden("fmt/webhook.yaml", readFileSync(join(cwd, "webhook.yaml"), "utf8"));
  expectGoldenRun("fmt/again.txt", await celadon(["fmt", "--check", "."], { cwd }));
});

test("a byte order mark and line ends stay", async () => {
  const text = `\ufeff${FILES["images/policy.yaml"].replaceAll("\n", "\r\n")}`;
  const cwd = folder({ "a.yaml": text });
  const { code } = await celadon(["fmt", "a.yaml"], { cwd });
  expect(code).toBe(0);
  const after = readFileSync(join(cwd, "a.yaml"), "utf8");
  expect(after).not.toBe(text);
  expect(after.startsWith("\ufeff")).toBe(true);
  expect(after.replaceAll("\r\n", "")).not.toContain("\n");
});

test("standard input goes to standard output", async () => {
  const { code, stdout, stderr } = await celadon(["fmt", "-"], { stdin: FILES["webhook.yaml"] });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expectGolden("fmt/webhook.yaml", stdout);
});

const BROKEN = {
  "a.yaml": FILES["webhook.yaml"].replace("oldObject == null ||", "oldObject = null ||"),
  "b.yaml": "a: [",
};
// biome-ignore format: one mistake per line
const mistakes: { name: string; argv: string[]; files: Readonly<Record<string, string | Uint8Array>> }[] = [
  { name: "syntax",   argv: ["."],                    files: BROKEN },
  { name: "utf-16",   argv: ["."],                    files: { "a.yaml": Buffer.from("\ufeffa: b\n", "utf16le") } },
  { name: "nothing",  argv: [],                       files: {} },
  { name: "no-file",  argv: ["none.yaml"],            files: {} },
  { name: "width",    argv: ["--width", "7", "."],    files: {} },
];
test.each(mistakes)("$name", async ({ name, argv, files }) => {
  const cwd = folder(files);
  expectGoldenRun(`fmt/${name}.txt`, await celadon(["fmt", ...argv], { cwd }));
});
