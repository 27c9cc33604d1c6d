// All expressions of a policy, rewritten for the workloads of one place.

import { pushAll } from "@celadon/base";
import type {
  MutatingAdmissionPolicySpec,
  Mutation,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicySpec,
} from "../policy.ts";
import type { Note, Skipped } from "./outcome.ts";
import { rewriteExpression } from "./rewrite-expression.ts";
import { matchesOperation } from "./rewrite-rules.ts";
import type { Role } from "./rewrite-tree.ts";

/** A reason not to derive anything, before it is known for which policy and kinds. */
export type SkipReason = Pick<Skipped, "code" | "message" | "path" | "expression" | "position">;

type Expressions = Pick<
  ValidatingAdmissionPolicySpec,
  "matchConditions" | "variables" | "validations" | "auditAnnotations"
> &
  Pick<MutatingAdmissionPolicySpec, "mutations">;

export interface RewrittenSpec {
  readonly expressions: Expressions;
  readonly problems: readonly SkipReason[];
  readonly notes: readonly Note[];
}

export function rewriteSpec(
  spec: Expressions,
  rules: readonly NamedRuleWithOperations[],
  template: readonly string[],
): RewrittenSpec {
  const problems: SkipReason[] = [];
  const notes: Note[] = [];
  const podVariables = new Set<string>();
  const nullable = {
    object: matchesOperation(rules, "DELETE"),
    oldObject: matchesOperation(rules, "CREATE") || matchesOperation(rules, "CONNECT"),
  };
  const rewrite = (
    expression: string,
    path: SkipReason["path"],
    role: Role,
    patches = false,
  ): { text: string; isPod: boolean } => {
    const rewritten = rewriteExpression(expression, { template, podVariables, nullable, role, patches });
    pushAll(
      problems,
      rewritten.refusals.map((refusal) => ({ ...refusal, path, expression })),
    );
    pushAll(
      notes,
      rewritten.notes.map((note) => ({ ...note, path })),
    );
    return { text: rewritten.text ?? expression, isPod: rewritten.isPod };
  };

  const names = new Set<string>();
  const variables = spec.variables?.map((variable, i) => {
    const { name, expression } = variable;
    if (names.has(name)) {
      const message = `the variable "${name}" is defined twice, so its meaning depends on where it is used`;
      problems.push({ code: "variable_defined_twice", message, path: ["spec", "variables", i, "name"] });
    }
    names.add(name);
    const { text, isPod } = rewrite(expression, ["spec", "variables", i, "expression"], "decision");
    if (isPod) podVariables.add(name);
    return { ...variable, expression: text };
  });
  const matchConditions = spec.matchConditions?.map((condition, i) => ({
    ...condition,
    expression: rewrite(condition.expression, ["spec", "matchConditions", i, "expression"], "decision").text,
  }));
  const validations = spec.validations?.map((validation, i) => {
    const path = ["spec", "validations", i];
    const { messageExpression = "" } = validation;
    return {
      ...validation,
      expression: rewrite(validation.expression, [...path, "expression"], "decision").text,
      ...(messageExpression !== "" && {
        messageExpression: rewrite(messageExpression, [...path, "messageExpression"], "message").text,
      }),
    };
  });
  const auditAnnotations = spec.auditAnnotations?.map((annotation, i) => ({
    ...annotation,
    valueExpression: rewrite(
      annotation.valueExpression,
      ["spec", "auditAnnotations", i, "valueExpression"],
      "annotation",
    ).text,
  }));
  const mutations = spec.mutations?.map((mutation, i): Mutation => {
    const own = mutation.patchType === "JSONPatch" ? "jsonPatch" : "applyConfiguration";
    const path = ["spec", "mutations", i, own, "expression"];
    const { text } = rewrite(mutation[own]?.expression ?? "", path, "decision", true);
    return { ...mutation, [own]: { expression: text } };
  });
  return {
    expressions: {
      ...(matchConditions && { matchConditions }),
      ...(variables && { variables }),
      ...(validations && { validations }),
      ...(auditAnnotations && { auditAnnotations }),
      ...(mutations && { mutations }),
    },
    problems,
    notes,
  };
}
