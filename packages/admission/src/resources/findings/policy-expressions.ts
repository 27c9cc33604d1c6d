// Expressions that do not mean what they seem to: messages that are expressions, pods without their ephemeral containers, variables
// that are not read. Reads that fail are found in null-reads.ts and unguarded.ts.

import { type Expr, visit } from "@celadon/cel/ast";
import { resourceHits } from "../../match/rules.ts";
import type { NamedRuleWithOperations, Policy } from "../../policy.ts";
import { expressionFields } from "../expression-fields.ts";
import { type ExpressionFacts, expressionFacts, parseTree, variablesByName } from "./expression-facts.ts";
import { finding, type PolicyFinding } from "./finding.ts";
import { readWhereNull } from "./null-reads.ts";
import { NOT_EPHEMERAL } from "./optional-fields.ts";
import { unguardedReads } from "./unguarded.ts";
import { hasName } from "./wildcard.ts";

export function expressionFindings(policy: Policy): PolicyFinding[] {
  const facts = expressionFacts(policy);
  return [
    ...messagesThatAreExpressions(policy),
    ...ephemeralContainers(policy, facts),
    ...readWhereNull(policy, facts, policy.spec.matchConstraints?.resourceRules ?? []),
    ...unusedVariables(policy, facts),
    ...unguardedReads(policy, facts),
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

/** The placeholders of other tools: `{{ object.metadata.name }}`, `${name}`. */
/** Whether a line has an action of a template in it. */
function isTemplate(text: string): boolean {
  return text.split(/[\n\r\u2028\u2029]/).some((line) => encloses(line, "{{", "}}") || encloses(line, "${", "}"));
}

function encloses(line: string, open: string, close: string): boolean {
  const at = line.indexOf(open);
  return at >= 0 && line.lastIndexOf(close) > at + open.length;
}

function messagesThatAreExpressions(policy: Policy): PolicyFinding[] {
  if (policy.kind === "MutatingAdmissionPolicy") return [];
  return (policy.spec.validations ?? []).flatMap(({ message = "", messageExpression = "" }, i) => {
    if (messageExpression !== "" || !(looksLikeExpression(message) || isTemplate(message))) return [];
    const text = "the message looks like an expression, but is shown as written";
    return [finding(policy, "message_is_expression", ["spec", "validations", i, "message"], text)];
  });
}

/** Whether a message looks like an expression: it parses, and it selects a field of a variable or concatenates strings. */
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

/** Whether all that is read of containers is something that ephemeral containers cannot have. Names are read for messages. */
function isAboutOthers(facts: readonly ExpressionFacts[]): boolean {
  const fields = facts.flatMap(({ data }) =>
    [...data.read, ...data.asked].flatMap((path) => /[cC]ontainers\[\*\]\.(\w+)/.exec(path)?.[1] ?? []),
  );
  const telling = fields.filter((field) => field !== "name");
  return telling.length > 0 && telling.every((field) => NOT_EPHEMERAL.has(field));
}

const CONTAINER_LISTS = ["containers", "initContainers", "ephemeralContainers"];

// Ephemeral containers are added by updates of a subresource, which a rule for `pods` does not hit.
function ephemeralContainers(policy: Policy, facts: readonly ExpressionFacts[]): PolicyFinding[] {
  // A mutation changes the containers that are sent.
  if (policy.kind === "MutatingAdmissionPolicy") return [];
  if (!facts.some(({ fields }) => CONTAINER_LISTS.some((name) => fields.has(name)))) return [];
  if (isAboutOthers(facts)) return [];
  const rules = policy.spec.matchConstraints?.resourceRules ?? [];
  const hitsPods = (rule: NamedRuleWithOperations, subresource: string): boolean =>
    hasName(rule.apiGroups, "") && hasName(rule.apiVersions, "v1") && resourceHits(rule.resources, "pods", subresource);
  const at = rules.findIndex((rule) => hitsPods(rule, ""));
  const covered = rules.some((rule) => hitsPods(rule, "ephemeralcontainers") && hasName(rule.operations, "UPDATE"));
  if (at === -1 || covered) return [];
  const message = `no rule matches UPDATE of "pods/ephemeralcontainers", so the policy does not check ephemeral containers`;
  return [
    finding(
      policy,
      "ephemeral_containers_not_matched",
      ["spec", "matchConstraints", "resourceRules", at, "resources"],
      message,
    ),
  ];
}

// In a policy with an expression that cannot be read no variable counts as unused.
function unusedVariables(policy: Policy, facts: readonly ExpressionFacts[]): PolicyFinding[] {
  if (facts.length < expressionFields(policy).filter(({ text }) => text !== "").length) return [];
  const variables = variablesByName(facts);
  const used = new Set<string>();
  const follow = (name: string): void => {
    if (used.has(name)) return;
    used.add(name);
    for (const next of variables.get(name)?.variables ?? []) follow(next);
  };
  for (const fact of facts) if (fact.role !== "variable") fact.variables.forEach(follow);
  return (policy.spec.variables ?? []).flatMap(({ name }, i) => {
    if (used.has(name)) return [];
    const message = `no expression uses the variable "${name}"`;
    return [finding(policy, "unused_variable", ["spec", "variables", i, "name"], message, { severity: "note" })];
  });
}
