import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkOwnDirectory } from "./own-directory.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "celadon-own-"));
  mkdirSync(join(directory, "pki"), { mode: 0o700 });
  mkdirSync(join(directory, "store"), { mode: 0o700 });
  writeFileSync(join(directory, "pki/ca.key"), "", { mode: 0o600 });
  writeFileSync(join(directory, "pki/ca.crt"), "", { mode: 0o644 });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

test("a directory of one's own is used", () => {
  expect(() => checkOwnDirectory(directory)).not.toThrow();
  chmodSync(directory, 0o2770);
  expect(() => checkOwnDirectory(directory)).not.toThrow();
});

// biome-ignore format: one case per line
test.each([
  ["",           0o777, "other users may write"],
  ["store",      0o707, "other users may write"],
  ["pki",        0o777, "other users may write"],
  ["pki/ca.crt", 0o666, "other users may write"],
  ["pki/ca.key", 0o604, "other users may read"],
])("%s with other rights is refused", (path, mode, message) => {
  chmodSync(join(directory, path), mode);
  expect(() => checkOwnDirectory(directory)).toThrow(message);
});
