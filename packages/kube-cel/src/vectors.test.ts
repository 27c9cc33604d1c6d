// Every recorded vector: value, error, type, cost and compile errors, interpreted and compiled.

import { describe, expect, test } from "vitest";
import { admissionTypes, admissionVariables } from "./admission-variables.ts";
import { kubeEnv } from "./environment.ts";
import { serverOptions } from "./server-options.ts";
import { isSameOutcome, outcomeIn, recordedOutcome } from "./vector-outcomes.testing.ts";
import { KNOWN_DIFFERENCES, RECORDED_WITH, readVectors, vectorAreas } from "./vectors.testing.ts";

const env = kubeEnv({
  ...serverOptions(RECORDED_WITH, "newExpressions").environment,
  variables: admissionVariables({ params: true }),
  provider: admissionTypes,
});

describe.each(vectorAreas())("%s", (area) => {
  test.each(["interpreted", "compiled"] as const)("%s", (mode) => {
    const differing: unknown[] = [];
    for (const vector of readVectors(area)) {
      const got = outcomeIn(env, vector, mode);
      const want = recordedOutcome(vector);
      if (isSameOutcome(got, want) === vector.id in KNOWN_DIFFERENCES)
        differing.push({ id: vector.id, expr: vector.expr.slice(0, 200), want, got });
    }
    expect(differing).toEqual([]);
  });
});
