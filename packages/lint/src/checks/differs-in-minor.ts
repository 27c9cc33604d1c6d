// Expressions that a requested minor accepts and answers otherwise than the current one.

import { type Ast, type Expr, visit } from "@celadon/cel/ast";
import { CURRENT, compareMinors, FIRST, type Minor, minorsBetween } from "@celadon/kube-cel";
import { expressionsIn, type Manifest } from "@celadon/simulator/manifests";
import type { Vocabulary } from "../help/vocabulary.ts";
import { type LintProblem, problem } from "../problem.ts";
import { exceedsByChecks, MINOR_CAUSES, type MinorCause, UNCOUNTED_CHECKS } from "./minor-causes.ts";
import { minorsText } from "./server-problems.ts";
import { wordLength } from "./word-length.ts";

type Call = Extract<Expr, { readonly kind: "call" }>;

export function differsProblems(manifest: Manifest, minors: readonly Minor[], { env }: Vocabulary): LintProblem[] {
  // Most calls ask for the newest alone, which has none of the causes.
  if (minors.every((minor) => minor === CURRENT)) return [];
  return expressionsIn(manifest.object).flatMap(({ kind, path, text }) => {
    const { ast, issues } = env.parse({ name: "<input>", text });
    if (ast === undefined || issues.length > 0) return [];
    return causesIn(ast, kind === "rule").flatMap(({ cause, call }): LintProblem[] => {
      const affected = minors.filter((minor) => holdsIn(cause, minor));
      if (affected.length === 0) return [];
      const at = Math.max(0, ast.spans.get(call.id)?.at ?? 0);
      const message = `${minorsText(affected)}: ${cause.there}`;
      const place = { offset: at, length: wordLength(text, at) };
      return [
        problem("differs_in_minor", manifest, path, message.replaceAll("`", "'"), { ...place, help: cause.help }),
      ];
    });
  });
}

const holdsIn = ({ since = FIRST, until }: MinorCause, minor: Minor): boolean =>
  minorsBetween(since, until).some((other) => compareMinors(other, minor) === 0);

interface Found {
  readonly cause: MinorCause;
  readonly call: Call;
}

/** Each cause once, at its first call. */
function causesIn(ast: Ast, isRule: boolean): readonly Found[] {
  const calls: Call[] = [];
  visit(ast.expr, {
    enter(expr: Expr) {
      if (expr.kind === "call") calls.push(expr);
      return undefined;
    },
  });
  const found = MINOR_CAUSES.flatMap((cause): Found[] => {
    const call = calls.find(cause.isShownBy);
    return call === undefined ? [] : [{ cause, call }];
  });
  if (isRule || !exceedsByChecks(calls)) return found;
  return [...found, { cause: UNCOUNTED_CHECKS, call: calls.find((call) => call.function === "check")! }];
}
