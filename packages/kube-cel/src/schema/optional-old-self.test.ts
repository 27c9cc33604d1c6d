// Recorded answers of kube-apiserver's own types where data of a schema stands in an optional, as `oldSelf` of rules with
// `optionalOldSelf` does: reading it leaves the data without its schema. The answers are those
// of 1.36: from 1.37 on an optional keeps the value that it has.

import { readFileSync } from "node:fs";
import { Optional, optionalOf } from "@celadon/cel";
import { taggedValue } from "@celadon/cel/values";
import { expect, test } from "vitest";
import { compileExpression } from "../compile.ts";
import { kubeEnv } from "../environment.ts";
import { adapterFor } from "./adapt.ts";
import { declareType } from "./decl-type.ts";
import { createSchemaProvider } from "./provider.ts";
import type { Schema } from "./schema.ts";

interface Case {
  readonly expr: string;
  /** There was no old object. */
  readonly none?: boolean;
  readonly compileError?: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
}

const recorded = JSON.parse(readFileSync(new URL("./testdata/optional-old-self.json", import.meta.url), "utf8")) as {
  schema: Schema;
  self: unknown;
  old: unknown;
  cases: Case[];
};

const root = declareType(recorded.schema, "selfType")!;
const env = kubeEnv({
  mode: "newExpressions",
  server: "1.36",
  variables: { self: root.type, oldSelf: optionalOf(root.type) },
  provider: createSchemaProvider({ selfType: root }),
});
const oldSelf = Optional.of(adapterFor(recorded.schema).toValue(recorded.old));

function outcome({ expr, none }: Case, mode: "interpreted" | "compiled"): Omit<Case, "expr" | "none"> {
  const compiled = compileExpression(env, expr, { mode });
  if (!compiled.ok) return { compileError: compiled.message };
  const variables = { self: recorded.self, oldSelf: none ? Optional.none : oldSelf };
  const { value, error, cost } = compiled.program.evaluate(variables as never);
  const type = String(compiled.checked.type);
  return error === undefined ? { type, value: taggedValue(value), cost } : { type, error: error.message, cost };
}

test.each(["interpreted", "compiled"] as const)(`${recorded.cases.length} expressions, %s`, (mode) => {
  for (const recordedCase of recorded.cases) {
    const { expr, none: _, ...want } = recordedCase;
    expect({ expr, ...outcome(recordedCase, mode) }).toEqual({ expr, ...want });
  }
});
