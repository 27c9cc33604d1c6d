// Expressions that do not mean what they seem to: messages that are expressions, pods without their ephemeral containers, objects
// read where there are none.

import { type Expr, visit } from "@celadon/cel";
import { resourceHits } from "../../match/rules.ts";
import type { NamedRuleWithOperations, ValidatingAdmissionPolicy } from "../../policy.ts";
import { type ExpressionFacts, expressionFacts, parseTree } from "./expression-facts.ts";
import { type Finding, finding } from "./finding.ts";

export function expressionFindings(policy: ValidatingAdmissionPolicy): Finding[] {
  const facts = expressionFacts(policy);
  return [
    ...messagesThatAreExpressions(policy),
    ...ephemeralContainers(policy, facts),
    ...objectOnDelete(policy, facts),
  ];
}

const KNOWN: ReadonlySet<string> = new Set([
  "object",
  "oldObject",
  "request",
  "params",
  "variables",
  "namespaceObject",
]);

function messagesThatAreExpressions(policy: ValidatingAdmissionPolicy): Finding[] {
  return (policy.spec.validations ?? []).flatMap(({ message = "", messageExpression = "" }, i) => {
    if (messageExpression !== "" || !looksLikeExpression(message)) return [];
    const text = `the message is shown as it is written: to have it evaluated, make it messageExpression`;
    return [finding(policy, "message_is_expression", ["spec", "validations", i, "message"], text)];
  });
}

/** It can be read as one, and selects something of what expressions know or joins texts. */
export function looksLikeExpression(message: string, names: ReadonlySet<string> = KNOWN): boolean {
  const root = message.trim() === "" ? undefined : parseTree(message);
  if (root === undefined) return false;
  let found = false;
  visit(root, {
    enter(expr, parent) {
      if (expr.kind === "ident" && names.has(expr.name)) found ||= parent?.kind === "select" || isIndex(parent);
      if (expr.kind === "call" && expr.function === "_+_") found ||= expr.args.some(isText);
      return undefined;
    },
  });
  return found;
}

function isIndex(expr: Expr | undefined): boolean {
  return expr?.kind === "call" && expr.function === "_[_]";
}

function isText(expr: Expr): boolean {
  return expr.kind === "literal" && typeof expr.value === "string";
}

const CONTAINER_LISTS = ["containers", "initContainers", "ephemeralContainers"];

// Ephemeral containers are added by updates of a subresource, which a rule for `pods` does not hit.
function ephemeralContainers(policy: ValidatingAdmissionPolicy, facts: readonly ExpressionFacts[]): Finding[] {
  if (!facts.some(({ fields }) => CONTAINER_LISTS.some((name) => fields.has(name)))) return [];
  const rules = policy.spec.matchConstraints?.resourceRules ?? [];
  const hitsPods = (rule: NamedRuleWithOperations, subresource: string): boolean =>
    includes(rule.apiGroups, "") &&
    includes(rule.apiVersions, "v1") &&
    resourceHits(rule.resources, "pods", subresource);
  const at = rules.findIndex((rule) => hitsPods(rule, ""));
  const covered = rules.some((rule) => hitsPods(rule, "ephemeralcontainers") && includes(rule.operations, "UPDATE"));
  if (at === -1 || covered) return [];
  const message = `ephemeral containers are added through "pods/ephemeralcontainers" with UPDATE, which no rule matches: the policy does not see them`;
  return [
    finding(
      policy,
      "ephemeral_containers_not_matched",
      ["spec", "matchConstraints", "resourceRules", at, "resources"],
      message,
    ),
  ];
}

// Without short cuts: every validation runs. Match conditions that look at the operation are taken to keep DELETE away.
function objectOnDelete(policy: ValidatingAdmissionPolicy, facts: readonly ExpressionFacts[]): Finding[] {
  const rules = policy.spec.matchConstraints?.resourceRules ?? [];
  if (!rules.some(({ operations }) => includes(operations, "DELETE"))) return [];
  const conditions = facts.filter(({ role }) => role === "matchCondition");
  if (conditions.some(({ knowsDelete }) => knowsDelete)) return [];
  const variables = new Map(facts.filter(({ role }) => role === "variable").map((one) => [one.name ?? "", one]));
  const reported = new Set<ExpressionFacts>();
  const follow = (one: ExpressionFacts): void => {
    if (one.knowsDelete || reported.has(one)) return;
    if (one.readsObject) reported.add(one);
    for (const name of one.variables) {
      const variable = variables.get(name);
      if (variable !== undefined && variable !== one) follow(variable);
    }
  };
  for (const one of facts) if (one.role !== "variable") follow(one);
  const message =
    "on DELETE object is null, and reading a field of it is an error: use oldObject, or ask request.operation first";
  return facts
    .filter((one) => reported.has(one))
    .map(({ path }) => finding(policy, "object_read_on_delete", path, message));
}

function includes(list: readonly string[] | undefined, name: string): boolean {
  return list?.some((one) => one === "*" || one === name) ?? false;
}
