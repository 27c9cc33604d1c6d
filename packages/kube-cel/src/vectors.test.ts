// Every recorded vector: value, error, type, cost and compile errors, interpreted and compiled.

import { describe, expect, test } from "vitest";
import { admissionTypes, admissionVariables } from "./admission-variables.ts";
import { compileExpression } from "./compile.ts";
import { kubeEnv } from "./environment.ts";
import { KNOWN_DIFFERENCES, readVectors, tag, type Vector, vectorAreas } from "./vectors.testing.ts";

const env = kubeEnv({
  mode: "newExpressions",
  version: "1.36",
  variables: admissionVariables({ params: true }),
  provider: admissionTypes,
});

const ABSENT = { object: null, oldObject: null, params: null, request: null, namespaceObject: null };

type Outcome = { readonly [K in "compileError" | "type" | "value" | "error" | "cost"]?: Vector[K] | undefined };

function run(vector: Vector, mode: "interpreted" | "compiled"): Outcome {
  const compiled = compileExpression(env, vector.expr, { mode });
  if (!compiled.ok) return { compileError: compiled.message };
  const { value, error, cost } = compiled.program.evaluate({ ...ABSENT, ...vector.vars });
  const type = String(compiled.checked.type);
  return error === undefined ? { type, cost, value: tag(value) } : { type, cost, error: error.message };
}

function recorded({ compileError, type, value, error, cost }: Vector): Outcome {
  if (compileError !== undefined) return { compileError };
  return error === undefined ? { type, cost, value } : { type, cost, error };
}

describe.each(vectorAreas())("%s", (area) => {
  test.each(["interpreted", "compiled"] as const)("%s", (mode) => {
    const differing: unknown[] = [];
    for (const vector of readVectors(area)) {
      const got = run(vector, mode);
      const want = recorded(vector);
      const same = JSON.stringify(sorted(got)) === JSON.stringify(sorted(want));
      if (same === vector.id in KNOWN_DIFFERENCES)
        differing.push({ id: vector.id, expr: vector.expr.slice(0, 200), want, got });
    }
    expect(differing).toEqual([]);
  });
});

const sorted = ({ compileError, type, cost, error, value }: Outcome): unknown => [
  compileError,
  type,
  cost,
  error,
  value,
];
