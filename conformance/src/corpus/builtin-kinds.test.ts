// Real objects of built-in kinds through a simulated cluster, compared whole with what kube-apiserver answered: code, reason, message,
// causes and warnings. The objects are of the policy corpus; without it nothing is compared.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "@celadon/kube";
import type { StatusCause } from "@celadon/kube/status";
import { SimulatedCluster } from "@celadon/simulator";
import { expect, test } from "vitest";
import { CORPUS, hasCorpus } from "./corpus-directory.ts";

interface Row {
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly object?: KubeObject;
  readonly oldObject?: KubeObject;
  readonly subresource?: string;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly StatusCause[];
  readonly warnings?: readonly string[];
  readonly unordered?: boolean;
}

/** Requests that are answered otherwise, with the reason. */
const KNOWN: Readonly<Record<string, string>> = {};

const file = join(CORPUS, "built-in-kinds.jsonl");
const rows = hasCorpus
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Row)
  : [];

test.skipIf(!hasCorpus)("objects of the policy corpus are answered as they were", async () => {
  const simulated = SimulatedCluster.of([], { fieldValidation: "Warn" });
  const different: Record<string, unknown> = {};
  for (const row of rows) {
    const { allowed, status, warnings } = await simulated.review({
      object: row.object!,
      ...(row.oldObject && { oldObject: row.oldObject }),
      ...(row.subresource !== undefined && { subresource: row.subresource }),
    });
    const got = {
      code: allowed ? row.code : status?.code,
      allowed,
      reason: status?.reason,
      message: status?.message,
      causes: ordered(
        row,
        (status?.details?.causes ?? []).map((cause) => JSON.stringify([cause.reason, cause.field, cause.message])),
      ),
      warnings: ordered(row, warnings),
    };
    const want = {
      code: row.code,
      allowed: row.code < 300,
      reason: row.reason,
      message: row.message,
      causes: ordered(
        row,
        (row.causes ?? []).map((cause) => JSON.stringify([cause.reason, cause.field, cause.message])),
      ),
      warnings: ordered(row, row.warnings ?? []),
    };
    if (JSON.stringify(got) !== JSON.stringify(want)) different[row.id] = { got, want };
  }
  expect(rows.length).toBeGreaterThan(200);
  for (const id of Object.keys(KNOWN))
    expect(different, `${id} is answered as recorded: take it off the list`).toHaveProperty([id]);
  expect(Object.fromEntries(Object.entries(different).filter(([id]) => KNOWN[id] === undefined))).toEqual({});
});

function ordered({ unordered = false }: Row, texts: readonly string[]): readonly string[] {
  return unordered ? [...texts].sort() : texts;
}
