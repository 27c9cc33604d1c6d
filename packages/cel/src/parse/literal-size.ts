// List, map and message literals with more entries than an environment allows.

import type { Ast, Expr } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import { visit } from "../ast/visit.ts";
import { literalTooLarge } from "./issues.ts";

export function largeLiterals({ expr, spans }: Ast, limit: number): Issue[] {
  const issues: Issue[] = [];
  visit(expr, {
    enter(node) {
      const size = entriesOf(node);
      if (size > limit) issues.push(literalTooLarge(spans.get(node.id), size, limit));
      return undefined;
    },
  });
  return issues;
}

function entriesOf(expr: Expr): number {
  switch (expr.kind) {
    case "list":
      return expr.elements.length;
    case "map":
      return expr.entries.length;
    case "struct":
      return expr.fields.length;
    default:
      return 0;
  }
}
