// Directories for tests, removed afterwards.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const made: string[] = [];

export function freshDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "celadon-store-"));
  made.push(directory);
  return directory;
}

afterAll(() => {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
});
