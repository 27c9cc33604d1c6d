// Advice for an error that an API server reports about a policy, webhook or definition: the same help wherever the error is shown.

import { valueAt } from "@celadon/base";
import type { FieldError } from "@celadon/kube/errors";
import type { AcceptedSetUp } from "@celadon/simulator";
import type { Manifest } from "@celadon/simulator/manifests";
import { compileHelp } from "./compile-help.ts";
import { withoutConsequences } from "./consequences.ts";
import { CostHelp } from "./cost-help.ts";
import { guessed } from "./expression-help.ts";
import type { Vocabulary } from "./vocabulary.ts";

/**
 * Advice for an error of a resource; undefined if there is no advice. The first issue with advice counts among several of an expression.
 */
export function errorHelp(
  error: FieldError,
  manifest: Manifest,
  accepted: AcceptedSetUp,
  vocabulary: Vocabulary,
): string | undefined {
  const { expression, path, code } = error;
  if (expression !== undefined) {
    const helps = withoutConsequences(expression, vocabulary).map((issue) =>
      compileHelp(issue, expression.text, accepted, expression.steps, vocabulary),
    );
    return helps.find((help) => help !== undefined);
  }
  if (code === "cost_over_limit") return new CostHelp(manifest, accepted).of(path.steps).help;
  return misspelt(error, manifest);
}

/** For a field with a few values, the nearest of them. The API server's message lists all. */
export function misspelt({ supported = [], path }: FieldError, { object }: Manifest): string | undefined {
  return guessed(String(valueAt(object, path.steps) ?? ""), supported);
}
