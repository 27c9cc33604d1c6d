// Recorded objects as admission was given them: through their type, with defaults, through the internal version.

import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { readJsonBody } from "../read/index.ts";
import type { DecodeKind } from "../types/index.ts";
import { receive, receiveBody } from "./index.ts";

interface Row {
  readonly id: string;
  readonly raw?: string;
  readonly in: DecodeKind;
  readonly out?: unknown;
  readonly seen?: unknown;
}

const rows = readFileSync(new URL("../types/testdata/types-cases.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n");

test("recorded objects are seen as they were", () => {
  const differences: string[] = [];
  for (const line of rows) {
    const body = readJsonBody(line);
    const row = ("value" in body ? body.value : undefined) as Row;
    if (row.out === undefined) continue;
    const got =
      row.raw === undefined
        ? receive(row.in, row.in)!.object
        : receiveBody(row.raw, { apiVersion: "", kind: "" }).object;
    if (!isDeepStrictEqual(got, row.seen ?? row.out)) differences.push(row.id);
  }
  expect(differences).toEqual([]);
});
