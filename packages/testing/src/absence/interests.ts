// What the expressions of a policy, or the rules of a schema, look at.

import type { CompiledPolicy } from "@celadon/admission";
import type { RuleNode } from "@celadon/crd";
import { collect, type Scope, scopeOf } from "../generate/collect.ts";
import { createInterests, Focus, type Interests } from "../generate/focus.ts";

export function interestsOf(policy: CompiledPolicy): Interests {
  const interests = createInterests();
  const { object, params, request, namespaceObject } = interests;
  const scope = new Map(scopeOf({ object, oldObject: object, params, request, namespaceObject }));
  for (const { name, program } of policy.variables.expressions) {
    if (program !== undefined) scope.set(`variables.${name}`, collect(program.ast.expr, scope));
  }
  const messages = policy.validations.flatMap(({ messageExpression }) => messageExpression ?? []);
  for (const { program } of [...policy.conditions, ...policy.validations, ...messages, ...policy.auditAnnotations]) {
    if (program !== undefined) collect(program.ast.expr, scope);
  }
  return interests;
}

/** What the rules of a schema and of all below it look at; `focus` stands for the value of that schema. */
export function ruleInterests(node: RuleNode | undefined, focus: Focus = new Focus()): Focus {
  if (node === undefined) return focus;
  const scope: Scope = scopeOf({ self: focus, oldSelf: focus });
  for (const { program, message } of node.rules) {
    for (const one of [program, message]) if (one !== undefined) collect(one.ast.expr, scope);
  }
  for (const [name, property] of node.properties) ruleInterests(property, focus.child(name));
  if (node.items !== undefined) ruleInterests(node.items, focus.items);
  if (node.values !== undefined) ruleInterests(node.values, focus.items);
  return focus;
}
