// Issues of an expression that are only there because of another one: once that is mended, they are gone.

import { type Expr, visit } from "@celadon/cel/ast";
import type { ExpressionIssue, FieldError } from "@celadon/kube/errors";
import { syntaxHelp } from "./expression-help.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** The issues that are causes, or stand for themselves. */
export function withoutConsequences(
  { issues, text }: NonNullable<FieldError["expression"]>,
  vocabulary: Vocabulary,
): readonly ExpressionIssue[] {
  return withoutMacroVariables(withoutLaterErrors(issues, text), text, vocabulary);
}

/** After a syntax error with a known cause, later errors only follow from it. */
function withoutLaterErrors(issues: readonly ExpressionIssue[], text: string): readonly ExpressionIssue[] {
  const cause = issues.find((issue) => issue.code === "syntax_error" && syntaxHelp(issue, text) !== undefined);
  return cause === undefined ? issues : issues.filter((issue) => issue === cause || issue.code !== "syntax_error");
}

/** A macro that does not exist declares no variables: `x.forAll(c, c > 1)` has three undeclared references, and one mistake. */
function withoutMacroVariables(
  issues: readonly ExpressionIssue[],
  text: string,
  { plain }: Vocabulary,
): readonly ExpressionIssue[] {
  const undeclared = issues.filter(({ code }) => code === "undeclared_reference");
  if (undeclared.length < 2) return issues;
  const { ast } = plain.parse({ name: "<input>", text });
  if (ast === undefined) return issues;
  const isUndeclared = (expr: Expr, name: string): boolean => {
    const at = ast.spans.get(expr.id)?.at;
    return undeclared.some((issue) => issue.name === name && issue.span?.at === at);
  };
  const places = new Set<number>();
  visit(ast.expr, {
    enter(expr) {
      if (expr.kind !== "call" || expr.args.length < 2 || !isUndeclared(expr, expr.function)) return undefined;
      const declared = new Set(expr.args.slice(0, -1).flatMap((arg) => (arg.kind === "ident" ? [arg.name] : [])));
      for (const arg of expr.args) {
        visit(arg, {
          enter(inner) {
            const at = ast.spans.get(inner.id)?.at;
            if (inner.kind === "ident" && declared.has(inner.name) && at !== undefined) places.add(at);
            return undefined;
          },
        });
      }
      return undefined;
    },
  });
  return issues.filter(({ code, span }) => code !== "undeclared_reference" || !places.has(span?.at ?? -1));
}
