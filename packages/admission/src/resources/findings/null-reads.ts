// Variables that are null for some operations, and the expressions that read their fields all the same.

import type { JsonPath } from "@celadon/base";
import type { Policy } from "../../policy.ts";
import { type ExpressionFacts, expressionFacts, type Nullable, variablesByName } from "./expression-facts.ts";
import { type FoundResource, finding, type PolicyFinding } from "./finding.ts";
import { hasName } from "./wildcard.ts";

/** A variable that is null for an operation, and what to do about expressions that read it there. */
interface NullOn {
  readonly operation: "CREATE" | "DELETE";
  readonly name: Nullable;
  readonly code: "object_read_on_delete" | "old_object_read_on_create";
  readonly message: string;
}

const NULL_ON: readonly NullOn[] = [
  {
    operation: "DELETE",
    name: "object",
    code: "object_read_on_delete",
    message: "object is null on DELETE, so reading its fields is an error",
  },
  {
    operation: "CREATE",
    name: "oldObject",
    code: "old_object_read_on_create",
    message: "oldObject is null on CREATE, so reading its fields is an error",
  },
];

// Without short cuts: every validation runs. Match conditions that read the operation are assumed to exclude it.
export function readWhereNull(
  resource: FoundResource,
  facts: readonly ExpressionFacts[],
  rules: readonly { readonly operations?: readonly string[] }[],
): PolicyFinding[] {
  return NULL_ON.flatMap(({ operation, name, code, message }) => {
    if (!rules.some(({ operations }) => hasName(operations, operation))) return [];
    const reading = readers(facts, name);
    const paths = facts.filter((fact) => reading.has(fact)).map(({ path }) => path);
    // If the rules match no other operation, the mistake is in the rules: it is reported once.
    const never = rules.every(({ operations }) => operations?.every((text) => text === operation));
    return paths.slice(0, never ? 1 : undefined).map((path) => finding(resource, code, path, message));
  });
}

/** The expressions that read a variable, themselves or through others, without asking whether it is null. */
function readers(
  facts: readonly ExpressionFacts[],
  name: Nullable,
  from: readonly ExpressionFacts[] = facts.filter(({ role }) => role !== "variable"),
): ReadonlySet<ExpressionFacts> {
  const asks = (fact: ExpressionFacts): boolean => fact.readsOperation || fact.compared.has(name);
  if (facts.some((fact) => fact.role === "matchCondition" && asks(fact))) return new Set();
  const variables = variablesByName(facts);
  const found = new Set<ExpressionFacts>();
  const followed = new Set<ExpressionFacts>();
  const follow = (fact: ExpressionFacts): void => {
    if (asks(fact) || followed.has(fact)) return;
    followed.add(fact);
    if (fact.reads.has(name)) found.add(fact);
    for (const used of fact.variables) {
      const variable = variables.get(used);
      if (variable !== undefined) follow(variable);
    }
  };
  from.forEach(follow);
  return found;
}

/** The expressions that fail without params, as they read them themselves or through variables. */
export function unguardedParams(policy: Policy): JsonPath[] {
  const facts = expressionFacts(policy);
  return facts
    .filter((fact) => fact.role !== "variable" && readers(facts, "params", [fact]).size > 0)
    .map(({ path }) => path);
}

/** Whether a policy fails every request for which it has no params. */
export function needsParams(policy: Policy): boolean {
  return readers(expressionFacts(policy), "params").size > 0;
}
