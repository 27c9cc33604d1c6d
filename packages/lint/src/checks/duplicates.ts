// Validations and match conditions of one resource that say the same: the expression is the same but for blanks, comments and quotes.

import { valueAt } from "@celadon/base";
import { unparse } from "@celadon/cel/ast";
import { expressionsIn, type Manifest } from "@celadon/simulator/manifests";
import type { Vocabulary } from "../help/vocabulary.ts";
import { type LintProblem, problem } from "../problem.ts";

const DECIDING: ReadonlySet<string> = new Set(["validation", "matchCondition"]);

export function duplicateProblems(manifest: Manifest, { env }: Vocabulary): LintProblem[] {
  const first = new Map<string, readonly (string | number)[]>();
  return expressionsIn(manifest.object).flatMap(({ kind, path, text }) => {
    if (!DECIDING.has(kind)) return [];
    const { ast, issues } = env.parse({ name: "<input>", text });
    if (ast === undefined || issues.length > 0) return [];
    // Conditions of different webhooks have nothing to do with each other; two messages may be meant for two readers.
    const list = path.slice(0, -2);
    const { message, messageExpression } = Object(valueAt(manifest.object, path.slice(0, -1))) as Record<
      string,
      unknown
    >;
    const key = JSON.stringify([list, unparse(ast)]);
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, path);
      return [];
    }
    const what = kind === "validation" ? "validation" : "match condition";
    const isReworded = message !== undefined || messageExpression !== undefined;
    return [
      problem("duplicate_validation", manifest, path, `the ${what} repeats the one at ${at(before)}`, {
        ...(isReworded && kind === "validation" && { help: "join their messages, and remove one of them" }),
        related: [{ message: "the first", manifest, path: before }],
      }),
    ];
  });
}

/** `validations[0]` */
function at(path: readonly (string | number)[]): string {
  return `${String(path.at(-3))}[${String(path.at(-2))}]`;
}
