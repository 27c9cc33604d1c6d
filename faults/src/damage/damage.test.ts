// Some damaged files in the ordinary run; `npm run faults` tries thousands, in processes that may crash.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seeded } from "../random.ts";
import { fillStore, tryDamaged } from "./damage.ts";

test("a damaged store is found by a check, and refused or read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "celadon-damage-"));
  await fillStore(join(folder, "source"));
  const content = readFileSync(join(folder, "source", "data.mdb"));
  const outcomes = new Map<string, number>();
  for (let i = 0; i < 40; i++) {
    const { check, use } = await tryDamaged(content, join(folder, String(i)), seeded(i));
    for (const said of [check, use]) outcomes.set(said, (outcomes.get(said) ?? 0) + 1);
  }
  expect([...outcomes.keys()].sort()).toEqual(["damaged", "read", "refused", "sound"]);
  rmSync(folder, { recursive: true });
});
