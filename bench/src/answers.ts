// A wrong answer is not a fast answer: before anything is timed, an engine answers every document of the case, and every
// answer is compared with the hand-written check's.

import { isDeepStrictEqual } from "node:util";
import type { Adapter } from "./adapter.ts";
import type { Case } from "./cases.ts";

/** The engine's compiled form of a case, its answers verified. Throws with the reason when it cannot take part. */
export function verified(adapter: Adapter, row: Case): ReturnType<Adapter["compile"]> {
  const run = adapter.compile(row.expr);
  row.docs.forEach((vars, i) => {
    const got = plain(adapter, run(vars));
    const want = row.handWritten(vars);
    if (!isDeepStrictEqual(got, want)) {
      throw new Error(`document ${i}: answered ${show(got)}, want ${show(want)}`);
    }
  });
  return run;
}

function plain(adapter: Adapter, result: unknown): unknown {
  return toPlain(adapter.toPlain === undefined ? result : adapter.toPlain(result));
}

/** Integers as numbers, lists as arrays. */
function toPlain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "object" && value !== null && Symbol.iterator in value) {
    return Array.from(value as Iterable<unknown>, toPlain);
  }
  return value;
}

function show(value: unknown): string {
  if (value instanceof Error) return String(value);
  return JSON.stringify(value, (_, v) => (typeof v === "bigint" ? Number(v) : v)) ?? String(value);
}
