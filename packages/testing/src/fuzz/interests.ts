// The fields that the expressions of a policy, or the rules of a schema, read.

import type { RuleNode } from "@celadon/crd/rules";
import type { KubeObject } from "@celadon/kube";
import { collect, type Scope, scopeOf } from "../generate/collect.ts";
import { createInterests, Focus, type Interests } from "../generate/focus.ts";
import { expressionsOf, type FuzzedPolicy } from "./fuzzed-policy.ts";

/** With the params that are given, fields are also tried with the values that the policy compares them with there. */
export function interestsOf(policy: FuzzedPolicy, given: readonly KubeObject[] = []): Interests {
  const interests = createInterests();
  const { object, params, request, namespaceObject } = interests;
  const { apiVersion, kind } = policy.paramKind ?? {};
  const known = given.filter((param) => param.apiVersion === apiVersion && param.kind === kind);
  const scope = new Map(scopeOf({ object, oldObject: object, params, request, namespaceObject }, { params: known }));
  for (const { name, program } of policy.variables.expressions) {
    if (program !== undefined) scope.set(`variables.${name}`, collect(program.ast.expr, scope));
  }
  for (const { program } of expressionsOf(policy)) {
    if (program !== undefined) collect(program.ast.expr, scope);
  }
  return interests;
}

/** The fields that the rules of a schema and of all below it read; `focus` is the value of that schema. */
export function ruleInterests(node: RuleNode | undefined, focus: Focus = new Focus()): Focus {
  if (node === undefined) return focus;
  const scope: Scope = scopeOf({ self: focus, oldSelf: focus });
  for (const { program, message } of node.rules) {
    for (const item of [program, message]) if (item !== undefined) collect(item.ast.expr, scope);
  }
  for (const [name, property] of node.properties) ruleInterests(property, focus.child(name));
  if (node.items !== undefined) ruleInterests(node.items, focus.items);
  if (node.values !== undefined) ruleInterests(node.values, focus.items);
  return focus;
}
