// Answers of every other version to the recorded vectors: for expressions being written and stored ones. Stored expressions are evaluated
// in both forms.

import { describe, expect, test } from "vitest";
import { pricesAdmission } from "./admission-prices.ts";
import { admissionTypes, admissionVariables } from "./admission-variables.ts";
import { type EnvironmentMode, kubeEnv } from "./environment.ts";
import { KNOWN_MINOR_DIFFERENCES } from "./known-minor-differences.testing.ts";
import { differencesOf, type MinorDifference, recordedMinors } from "./minors.testing.ts";
import { serverOptions } from "./server-options.ts";
import { isSameOutcome, type Outcome, outcomeIn, recordedOutcome } from "./vector-outcomes.testing.ts";
import { KNOWN_DIFFERENCES, readVectors, type Vector, vectorAreas } from "./vectors.testing.ts";

const vectors = vectorAreas().flatMap(readVectors);

function wanted(vector: Vector, difference: MinorDifference | undefined, mode: EnvironmentMode): Outcome {
  const written = mode === "newExpressions" ? difference?.new : undefined;
  return recordedOutcome(written ?? difference?.stored ?? vector);
}

/** Two releases of cel-go print an expression's address in memory, or its fields with spaces that differ by build: left out here. */
function readable(outcome: Outcome): Outcome {
  const { compileError } = outcome;
  if (compileError === undefined) return outcome;
  return {
    compileError: compileError.replace(/(already exists for expression: )(?:&?\{|id:).*?(\(\d+\) old:)/g, "$1$2"),
  };
}

// biome-ignore format: one way per line
const ways = [
  { mode: "storedExpressions", form: "interpreted" },
  { mode: "storedExpressions", form: "compiled" },
  { mode: "newExpressions",    form: "interpreted" },
] as const;

describe.each(recordedMinors())("%s", (minor) => {
  const differences = differencesOf(minor);
  const listed = KNOWN_MINOR_DIFFERENCES[minor] ?? {};
  test.each(ways)("$mode, $form", ({ mode, form }) => {
    const env = kubeEnv({
      ...serverOptions(minor, mode).environment,
      strictCosts: pricesAdmission(minor),
      variables: admissionVariables({ params: true }),
      provider: admissionTypes,
    });
    const differing: unknown[] = [];
    const stale = new Set(Object.keys(listed));
    for (const vector of vectors) {
      const { id } = vector;
      const difference = differences.get(id);
      if (difference?.unstable || id in KNOWN_DIFFERENCES) continue;
      const want = readable(wanted(vector, difference, mode));
      const got = outcomeIn(env, vector, form);
      if (isSameOutcome(got, want)) continue;
      if (!stale.delete(id)) differing.push({ id, expr: vector.expr.slice(0, 200), want, got });
    }
    expect(differing).toEqual([]);
    expect([...stale]).toEqual([]);
  });
});
