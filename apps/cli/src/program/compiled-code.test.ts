// Code that V8 has compiled is taken back where it may be, and never in the place of another source.

import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type CompiledCode, loadCompiled } from "./compiled-code.ts";

type Loaded = CompiledCode<{ readonly answer: () => number; readonly join: typeof join }>;

function setting() {
  const directory = mkdtempSync(join(tmpdir(), "celadon-code-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const load = (name: string, text: string, env: Record<string, string> = {}): Loaded => {
    writeFileSync(join(directory, name), text);
    return loadCompiled(pathToFileURL(join(directory, name)), "check", { XDG_CACHE_HOME: directory, ...env });
  };
  return { load, directory, kept: join(directory, "celadon") };
}

const moduleOf = (text: string): string => `(function (exports, require, module, __filename) {${text}})`;
const source = (answer: number): string =>
  moduleOf(`"use strict"; exports.answer = () => ${answer}; exports.join = require("node:path").join;`);

test("the file is a module like any other", () => {
  const { exports } = setting().load("a.cjs", source(1));
  expect([exports.answer(), exports.join("a", "b")]).toEqual([1, "a/b"]);
  const { load, directory } = setting();
  expect(load("b.cjs", moduleOf("exports.answer = () => __filename")).exports.answer()).toBe(join(directory, "b.cjs"));
});

test("kept code is used, by the same source alone", () => {
  const { load, kept } = setting();
  const first = load("a.cjs", source(1));
  expect(existsSync(kept)).toBe(false);
  first.exports.answer();
  first.keep();
  const [name] = readdirSync(kept);
  const file = join(kept, name!);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const content = readFileSync(file);

  const second = load("a.cjs", source(1));
  expect(second.exports.answer()).toBe(1);
  writeFileSync(file, ""); // would be written again if it had not been taken
  second.keep();
  expect(readFileSync(file)).toHaveLength(0);

  writeFileSync(file, content);
  const other = load("b.cjs", source(2));
  expect(other.exports.answer()).toBe(2);
  other.keep();
  expect(readFileSync(file).subarray(0, 6).toString()).toBe("b.cjs ");
  expect(readdirSync(kept)).toEqual([name]);
});

test.each([
  ["shorter", (content: Buffer) => content.subarray(0, -20)],
  ["empty", () => Buffer.alloc(0)],
  ["zeros", (content: Buffer) => Buffer.alloc(content.length)],
  ["another byte", (content: Buffer) => content.with(content.length >> 1, content[content.length >> 1]! ^ 1)],
])("damaged code is made anew: %s", (_, damage) => {
  const { load, kept } = setting();
  load("a.cjs", source(1)).keep();
  const file = join(kept, readdirSync(kept)[0]!);
  const whole = readFileSync(file);
  writeFileSync(file, damage(whole));
  const { exports, keep } = load("a.cjs", source(1));
  expect(exports.answer()).toBe(1);
  keep();
  expect(readFileSync(file).length).toBeGreaterThan(whole.length / 2);
  expect(readFileSync(file).toString("latin1")).toMatch(/^a\.cjs \d+\n/);
});

test.skipIf(process.getuid === undefined)("nothing is taken from a directory that others can write to", () => {
  const { load, kept } = setting();
  load("a.cjs", source(1)).keep();
  const file = join(kept, readdirSync(kept)[0]!);
  chmodSync(kept, 0o777);
  const before = readFileSync(file);
  const again = load("a.cjs", source(1));
  again.keep();
  expect(readFileSync(file)).toEqual(before);
  expect(again.exports.answer()).toBe(1);
});

test.skipIf(process.getuid === undefined)("nothing is taken from a file that others can write to", () => {
  const { load, kept } = setting();
  load("a.cjs", source(1)).keep();
  const file = join(kept, readdirSync(kept)[0]!);
  chmodSync(file, 0o666);
  load("a.cjs", source(1)).keep();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("NODE_DISABLE_COMPILE_CACHE is heeded", () => {
  const { load, kept } = setting();
  const { exports, keep } = load("a.cjs", source(1), { NODE_DISABLE_COMPILE_CACHE: "1" });
  keep();
  expect(exports.answer()).toBe(1);
  expect(existsSync(kept)).toBe(false);
});
