// Recorded behaviour of kube-apiserver's own schema types and values: type, static estimate, result or error, and cost, for
// every expression over schema-typed data. Compiled and interpreted.

import { readFileSync } from "node:fs";
import { Double, Duration, isError, Optional, Timestamp, Type, Uint, type Value } from "@celadon/cel";
import { durationToNanos, isDouble, isList, isMap, listGet, listSize, mapFind, mapKeys } from "@celadon/cel/values";
import { describe, expect, test } from "vitest";
import { compileExpression } from "../compile.ts";
import { kubeEnv } from "../environment.ts";
import { declareType } from "./decl-type.ts";
import { createSchemaProvider } from "./provider.ts";
import type { Schema } from "./schema.ts";
import { createSizeEstimator } from "./size-estimator.ts";

interface Vector {
  readonly schema: string;
  readonly data: string;
  readonly resource: boolean;
  readonly expr: string;
  readonly type?: string;
  readonly min?: string;
  readonly max?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
  readonly compileError?: string;
  readonly programError?: string;
}

interface Recording {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly data: Readonly<Record<string, unknown>>;
  readonly cases: readonly Vector[];
}

const recorded = JSON.parse(
  readFileSync(new URL("./testdata/schema-typed.json", import.meta.url), "utf8"),
  revive,
) as Recording;

/** `{"$double": 1}` is 1.0, which JSON.parse would take for 1. */
function revive(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$double" in value)) return value;
  return new Double((value as { $double: number }).$double);
}

/** The known differences, with reasons. One that no longer differs fails the run. */
const KNOWN_DIFFERENCES: ReadonlyMap<string, string> = new Map([
  [
    "nullparts: self.lo[1].x",
    "an element that cannot be converted ends the path there; upstream charges one more select before it fails",
  ],
  [
    "nullparts: self.lo[?1].hasValue()",
    "an element that cannot be converted is an error at once, not the content of an optional",
  ],
  [
    "lists: [self.s].all(x, size(x + ['c']) == 3 && x == ['a','c'])",
    "a union leaves its operands as they are; upstream's left operand answers to the new elements from then on",
  ],
]);

describe.each(["interpreted", "compiled"] as const)("%s", (mode) => {
  test.each(recorded.cases.map((vector) => [`${vector.data}: ${vector.expr}`, vector] as const))(
    "%s",
    (name, vector) => {
      const outcome = expect(outcomeOf(vector, mode));
      if (KNOWN_DIFFERENCES.has(name)) outcome.not.toEqual(wanted(vector));
      else outcome.toEqual(wanted(vector));
    },
  );
});

function wanted({ type, min, max, value, error, cost, compileError, programError }: Vector): unknown {
  if (compileError !== undefined) return { compileError: `compilation failed: ${compileError}` };
  if (programError !== undefined) return { programError: `program instantiation failed: ${programError}` };
  return { type, min, max, cost, ...(error === undefined ? { value } : { error }) };
}

function outcomeOf({ schema, data, resource, expr }: Vector, mode: "interpreted" | "compiled"): unknown {
  const root = declareType(recorded.schemas[schema] as Schema, "selfType", { resource });
  if (root === undefined) return { notExposed: true };
  const provider = createSchemaProvider({ selfType: root });
  const env = kubeEnv({ server: "1.36", variables: { self: root.type, oldSelf: root.type }, provider });
  const compiled = compileExpression(env, expr, { mode });
  if (!compiled.ok) return { [compiled.phase === "program" ? "programError" : "compileError"]: compiled.message };
  const estimate = env.estimate(compiled.checked, { sizes: createSizeEstimator(root) });
  const self = recorded.data[data];
  const { value, error, cost } = compiled.program.evaluate({ self, oldSelf: self });
  return {
    type: String(compiled.checked.type),
    min: String(estimate.min),
    max: String(estimate.max),
    cost,
    ...(error === undefined ? { value: tagged(value) } : { error: error.message }),
  };
}

/** A value with its type, as the recording writes it. Map entries are sorted by key. */
function tagged(value: Value): unknown {
  switch (typeof value) {
    case "boolean":
      return { bool: value };
    case "string":
      return { string: value };
    case "bigint":
      return { int: String(value) };
  }
  if (value === null) return { null: true };
  if (isDouble(value)) return { double: String(value instanceof Double ? value.value : value) };
  if (typeof value === "number") return { int: String(value) };
  if (isError(value)) return { error: value.message };
  if (value instanceof Uint) return { uint: String(value.value) };
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("base64") };
  if (value instanceof Timestamp) return { timestamp: rfc3339(value) };
  if (value instanceof Duration) return { duration: String(durationToNanos(value)) };
  if (value instanceof Type) return { type: String(value) };
  if (value instanceof Optional) return { optional: value.hasValue ? tagged(value.value) : null };
  if (isList(value)) return { list: Array.from({ length: listSize(value) }, (_, i) => tagged(listGet(value, i))) };
  if (!isMap(value)) return { other: String(value) };
  const entries = [...mapKeys(value)].map((key) => [tagged(key), tagged(mapFind(value, key))] as const);
  return { map: entries.sort(([a], [b]) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

function rfc3339({ seconds, nanos, offsetMinutes }: Timestamp): string {
  const date = new Date((seconds + offsetMinutes * 60) * 1000).toISOString().slice(0, 19);
  const fraction = nanos === 0 ? "" : `.${String(nanos).padStart(9, "0").replace(/0+$/, "")}`;
  const pad = (n: number): string => String(n).padStart(2, "0");
  const abs = Math.abs(offsetMinutes);
  const zone =
    offsetMinutes === 0 ? "Z" : `${offsetMinutes < 0 ? "-" : "+"}${pad(Math.floor(abs / 60))}:${pad(abs % 60)}`;
  return `${date}${fraction}${zone}`;
}
