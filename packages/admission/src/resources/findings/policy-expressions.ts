// Expressions that do not mean what they seem to: messages that are expressions, pods without their ephemeral containers, variables read
// where they are null or not read at all, keys that may be absent.

import type { JsonPath } from "@celadon/base";
import { type Expr, visit } from "@celadon/cel/ast";
import { resourceHits } from "../../match/rules.ts";
import type { NamedRuleWithOperations, Policy } from "../../policy.ts";
import { expressionFields } from "../expression-fields.ts";
import { type ExpressionFacts, expressionFacts, type MapKey, type Nullable, parseTree } from "./expression-facts.ts";
import { finding, type PolicyFinding } from "./finding.ts";

export function expressionFindings(policy: Policy): PolicyFinding[] {
  const facts = expressionFacts(policy);
  return [
    ...messagesThatAreExpressions(policy),
    ...ephemeralContainers(policy, facts),
    ...readWhereNull(policy, facts),
    ...unusedVariables(policy, facts),
    ...unguardedKeys(policy, facts),
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

const CONTAINER_LISTS = ["containers", "initContainers", "ephemeralContainers"];

// Ephemeral containers are added by updates of a subresource, which a rule for `pods` does not hit.
function ephemeralContainers(policy: Policy, facts: readonly ExpressionFacts[]): PolicyFinding[] {
  // A mutation changes the containers that are sent.
  if (policy.kind === "MutatingAdmissionPolicy") return [];
  if (!facts.some(({ fields }) => CONTAINER_LISTS.some((name) => fields.has(name)))) return [];
  const rules = policy.spec.matchConstraints?.resourceRules ?? [];
  const hitsPods = (rule: NamedRuleWithOperations, subresource: string): boolean =>
    includes(rule.apiGroups, "") &&
    includes(rule.apiVersions, "v1") &&
    resourceHits(rule.resources, "pods", subresource);
  const at = rules.findIndex((rule) => hitsPods(rule, ""));
  const covered = rules.some((rule) => hitsPods(rule, "ephemeralcontainers") && includes(rule.operations, "UPDATE"));
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
function readWhereNull(policy: Policy, facts: readonly ExpressionFacts[]): PolicyFinding[] {
  const rules = policy.spec.matchConstraints?.resourceRules ?? [];
  return NULL_ON.flatMap(({ operation, name, code, message }) => {
    if (!rules.some(({ operations }) => includes(operations, operation))) return [];
    const reading = readers(facts, name);
    const paths = facts.filter((fact) => reading.has(fact)).map(({ path }) => path);
    // If the rules match no other operation, the mistake is in the rules: it is reported once.
    const never = rules.every(({ operations }) => operations?.every((text) => text === operation));
    return paths.slice(0, never ? 1 : undefined).map((path) => finding(policy, code, path, message));
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

const variablesByName = (facts: readonly ExpressionFacts[]): ReadonlyMap<string, ExpressionFacts> =>
  new Map(facts.filter(({ role }) => role === "variable").map((fact) => [fact.name ?? "", fact]));

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

// A key that a match condition tests for exists when the others run; within an expression the order is not checked.
function unguardedKeys(policy: Policy, facts: readonly ExpressionFacts[]): PolicyFinding[] {
  const idOf = ({ map, key }: MapKey): string => JSON.stringify([map, key]);
  const always = facts.flatMap(({ role, keys }) => (role === "matchCondition" ? keys.asked.map(idOf) : []));
  return facts.flatMap(({ path, keys }) => {
    const asked = new Set([...always, ...keys.asked.map(idOf)]);
    const unguarded = new Map(keys.read.map((key) => [idOf(key), key]));
    return [...unguarded].flatMap(([id, { map, key }]) => {
      if (asked.has(id)) return [];
      const shown = JSON.stringify(key);
      const message = `evaluation fails for objects without the key ${shown} in ${map}`;
      return [finding(policy, "unguarded_key", path, message)];
    });
  });
}

function includes(list: readonly string[] | undefined, name: string): boolean {
  return list?.some((text) => text === "*" || text === name) ?? false;
}
