// What to do about an expression that does not compile: names that were probably meant, and fields that bring a name.

import { type JsonPath, nearestName } from "@celadon/base";
import type { ExpressionIssue } from "@celadon/kube";
import type { AcceptedSetUp } from "@celadon/simulator";
import type { Vocabulary } from "./vocabulary.ts";

const NAMES: Readonly<Record<AcceptedSetUp["role"], readonly string[]>> = {
  policy: ["object", "oldObject", "request", "params", "namespaceObject", "variables", "authorizer"],
  webhooks: ["object", "oldObject", "request", "authorizer"],
  definition: ["self", "oldSelf"],
  certificatePolicy: ["self", "cr"],
  binding: [],
};

/** `rest` is the expression from where the issue is, `path` where it stands in the resource. */
export function compileHelp(
  { code, name = "" }: ExpressionIssue,
  rest: string,
  accepted: AcceptedSetUp,
  path: JsonPath,
  vocabulary: Vocabulary,
): string | undefined {
  switch (code) {
    case "undeclared_reference":
      return rest.startsWith("(") ? functionHelp(name, vocabulary) : nameHelp(name, accepted, path);
    case "undefined_field":
      return fieldHelp(name, accepted);
    default:
      return /^=[^=]/.test(rest) ? "compare with ==" : undefined;
  }
}

const guessed = (guess: string | undefined): string | undefined =>
  guess === undefined ? undefined : `did you mean "${guess}"?`;

function functionHelp(name: string, { callable }: Vocabulary): string | undefined {
  const guess = nearestName(name, callable);
  return guess === name ? undefined : guessed(guess);
}

function fieldHelp(field: string, accepted: AcceptedSetUp): string | undefined {
  const variables = variablesOf(accepted);
  return variables.includes(field)
    ? "variables know only those that stand before them"
    : guessed(nearestName(field, variables));
}

function nameHelp(name: string, accepted: AcceptedSetUp, path: JsonPath): string | undefined {
  if (accepted.role === "policy") {
    if (name === "params") return "params are there when the policy has a spec.paramKind";
    if (name === "variables" && path.includes("matchConditions"))
      return "match conditions are evaluated before variables";
    if (variablesOf(accepted).includes(name)) return `write variables.${name}`;
  }
  if (name === "oldSelf" || (accepted.role === "definition" && name === "object")) return undefined;
  return guessed(nearestName(name, NAMES[accepted.role]));
}

function variablesOf(accepted: AcceptedSetUp): readonly string[] {
  return accepted.role === "policy" ? (accepted.resource?.spec.variables ?? []).map(({ name }) => name) : [];
}
