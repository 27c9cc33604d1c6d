// The mutants of one expression. Those equal to the expression itself, or to an earlier one, are left out and counted.

import { unparseWritten, writtenTree } from "@celadon/cel/ast";
import { astOf } from "../ast-of.ts";
import { EXPRESSION_MUTATORS } from "./expression-mutators.ts";
import { fold } from "./fold.ts";
import { type Role, sitesOf } from "./sites.ts";
import { replaceIn } from "./written.ts";

export interface ExpressionMutant {
  readonly mutator: string;
  /** The whole expression, changed. */
  readonly text: string;
  /** The offset of the changed part in the author's text. */
  readonly offset: number;
  /** The changed part; empty when it is gone. */
  readonly original: string;
  readonly mutated: string;
}

export interface ExpressionMutants {
  readonly mutants: readonly ExpressionMutant[];
  readonly same: number;
}

/** `answers`: the expression says yes or no. None for a text that cannot be parsed. */
export function expressionMutants(text: string, answers: boolean): ExpressionMutants {
  const ast = astOf(text);
  if (ast === undefined) return { mutants: [], same: 0 };
  const root = writtenTree(ast);
  const role: Role = answers ? "clause" : "value";
  const seen = new Set([unparseWritten(fold(root))]);
  const mutants: ExpressionMutant[] = [];
  let same = 0;
  for (const site of sitesOf(root, role)) {
    for (const { name, of } of EXPRESSION_MUTATORS) {
      for (const { by, dropped } of of(site)) {
        const changed = replaceIn(root, site.node, by);
        const key = unparseWritten(fold(changed));
        if (seen.has(key)) {
          same++;
          continue;
        }
        seen.add(key);
        const part = dropped ?? site.node;
        mutants.push({
          mutator: name,
          text: unparseWritten(changed),
          offset: ast.spans.get(part.id)?.start ?? 0,
          original: unparseWritten(part),
          mutated: dropped === undefined ? unparseWritten(by) : "",
        });
      }
    }
  }
  return { mutants, same };
}
