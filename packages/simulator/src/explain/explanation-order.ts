// In what order, and under what names, the expressions of an explanation are shown to people.

import type { ExplainedExpression } from "@celadon/admission/explain";
import type { ExplainedNode } from "@celadon/cel/explain";
import type { ExplainedRule } from "@celadon/crd/rules";

/** Moves each message below its validation: messages are evaluated after all validations, but people read them together. */
export function messagesAfterTheirs(expressions: readonly ExplainedExpression[]): readonly ExplainedExpression[] {
  const messages = expressions.filter(({ kind }) => kind === "messageExpression");
  return expressions.flatMap((expression) => {
    if (expression.kind === "messageExpression") return [];
    const at = expression.kind === "validation" ? messages.findIndex(({ index }) => index === expression.index) : -1;
    // The message of a validation that held is never shown to anybody.
    return at === -1 || expression.value === true ? [expression] : [expression, ...messages.splice(at, 1)];
  });
}

/** The variable whose failure made the expression fail; the error and its tree are shown there. */
export function failedVariable(tree: ExplainedNode): string | undefined {
  if (tree.error === undefined) return undefined;
  const cause = tree.children.find(({ error }) => error !== undefined);
  if (cause !== undefined) return failedVariable(cause);
  const [name, ...rest] = tree.dataPath?.root === "variables" ? tree.dataPath.path : [];
  return typeof name === "string" && rest.length === 0 ? name : undefined;
}

/** `spec.list rule[0]`, `object rule[1] message` */
export function ruleName({ fieldPath, index, kind }: Pick<ExplainedRule, "fieldPath" | "index" | "kind">): string {
  return `${fieldPath === "" ? "object" : fieldPath} rule[${index}]${kind === "rule" ? "" : " message"}`;
}
