// Advice for an expression that does not compile, by the resource that contains it: names it has, and fields that declare a name.

import type { JsonPath } from "@celadon/base";
import type { ExpressionIssue } from "@celadon/kube/errors";
import type { AcceptedSetUp } from "@celadon/simulator";
import { expressionHelp, guessed, type WantedResult } from "./expression-help.ts";
import type { Vocabulary } from "./vocabulary.ts";

const POLICY_NAMES = ["object", "oldObject", "request", "params", "namespaceObject", "variables", "authorizer"];

const NAMES: Readonly<Record<AcceptedSetUp["role"], readonly string[]>> = {
  policy: POLICY_NAMES,
  mutatingPolicy: [...POLICY_NAMES, "Object", "JSONPatch"],
  webhooks: ["object", "oldObject", "request", "authorizer"],
  definition: ["self", "oldSelf"],
  certificatePolicy: ["self", "cr"],
  authentication: ["claims"],
  authorization: ["request"],
  binding: [],
  mutatingBinding: [],
};

/** Types that only the expressions of mutations know. */
const PATCH_TYPES: ReadonlySet<string> = new Set(["Object", "JSONPatch"]);

/** `text` is the expression the issue is in, `path` where it stands in the resource. */
export function compileHelp(
  issue: ExpressionIssue,
  text: string,
  accepted: AcceptedSetUp,
  path: JsonPath,
  vocabulary: Vocabulary,
): string | undefined {
  const { code, name = "" } = issue;
  const own =
    code === "undeclared_reference"
      ? nameHelp(name, accepted, path)
      : code === "undefined_field"
        ? variableHelp(name, accepted)
        : undefined;
  if (own !== undefined) return own;
  if (accepted.role === "definition" && (name === "object" || name === "oldSelf")) return undefined;
  const names = path.includes("userValidationRules") ? ["user"] : NAMES[accepted.role];
  return expressionHelp({ issue, text, names, wanted: wantedAt(path) }, vocabulary);
}

function wantedAt(path: JsonPath): WantedResult {
  if (path.includes("applyConfiguration")) return "Object";
  if (path.includes("jsonPatch")) return "list(JSONPatch)";
  const field = path.at(-1);
  return field === "messageExpression" || field === "valueExpression" ? "string" : "bool";
}

function variableHelp(field: string, accepted: AcceptedSetUp): string | undefined {
  const variables = variablesOf(accepted);
  return variables.includes(field) ? "a variable can only use variables above it" : guessed(field, variables);
}

function nameHelp(name: string, accepted: AcceptedSetUp, path: JsonPath): string | undefined {
  if (accepted.role !== "policy" && accepted.role !== "mutatingPolicy") return undefined;
  if (PATCH_TYPES.has(name) && path.includes("variables"))
    return "Object and JSONPatch are only available in mutations";
  if (name === "params") return "add spec.paramKind to the policy; without it there are no params";
  if (name === "variables" && path.includes("matchConditions"))
    return "match conditions cannot use variables: they are evaluated first";
  return variablesOf(accepted).includes(name) ? `write variables.${name}` : undefined;
}

function variablesOf(accepted: AcceptedSetUp): readonly string[] {
  if (accepted.role !== "policy" && accepted.role !== "mutatingPolicy") return [];
  return (accepted.resource?.spec.variables ?? []).map(({ name }) => name);
}
