// Rewrites the text of an expression. Callers compile both texts: the original, because only correct expressions can be rewritten, and the
// result, because a cluster reads it.

import { positionOf } from "@celadon/cel";
import { type Ast, type Expr, unparseWritten, visit } from "@celadon/cel/ast";
import { parsingEnvironment } from "../compile/parsing-environment.ts";
import type { NoteCode, SkipCode } from "./outcome.ts";
import { rewritePatches } from "./rewrite-patch.ts";
import { type Rewriting, rewriteTree } from "./rewrite-tree.ts";
import { writtenSize } from "./written-tree.ts";

export interface RewriteRefusal {
  readonly code: SkipCode;
  readonly message: string;
  readonly position: { readonly line: number; readonly column: number };
}

export interface RewrittenExpression {
  /** Absent when there are refusals. */
  readonly text: string | undefined;
  readonly isPod: boolean;
  readonly refusals: readonly RewriteRefusal[];
  readonly notes: readonly { readonly code: NoteCode; readonly message: string }[];
}

/** Nodes. A larger tree is longer than the API server accepts, or about to be. */
const MAX_SIZE = 100_000;

const COMMENTS = { code: "comments_lost", message: "comments and line breaks are lost" } as const;
const OWN_NAME = { code: "own_name_read", message: "the name is the workload's, not a pod's" } as const;

export function rewriteExpression(
  text: string,
  rewriting: Omit<Rewriting, "macroCalls" | "refuse" | "ownName"> & { readonly patches?: boolean },
): RewrittenExpression {
  const source = { name: "<input>", text };
  const { ast } = parsingEnvironment().parse(source);
  if (ast === undefined) throw new Error("an expression that compiled does not parse");
  const refusals: RewriteRefusal[] = [];
  let readsName = false;
  const refuse: Rewriting["refuse"] = (at, code, message) => {
    const { line, column } = positionOf(source, ast.spans.get(at.id)?.at ?? 0);
    refusals.push({ code, message, position: { line, column } });
  };
  const { expr: read, isPod } = rewriteTree(ast.expr, {
    ...rewriting,
    macroCalls: ast.macroCalls,
    refuse,
    ownName: () => {
      readsName = true;
    },
  });
  const expr = rewriting.patches ? rewritePatches(read, { template: rewriting.template, refuse }) : read;
  if (writtenSize(expr) > MAX_SIZE) {
    const message = "the rewritten expression is too long, because parts of it must be repeated";
    refusals.push({ code: "derived_does_not_compile", message, position: { line: 1, column: 1 } });
  }
  const notes = [...(hasComments(ast) ? [COMMENTS] : []), ...(readsName ? [OWN_NAME] : [])];
  return { text: refusals.length > 0 ? undefined : unparseWritten(expr), isPod, refusals, notes };
}

/** Two slashes outside of every literal. */
function hasComments({ expr, source, spans, macroCalls }: Ast): boolean {
  if (!source.text.includes("//")) return false;
  const literals: { readonly start: number; readonly end: number }[] = [];
  const note = (node: Expr): undefined => {
    const span = node.kind === "literal" ? spans.get(node.id) : undefined;
    // nodes made by a macro have the place of the macro, and no text
    if (span !== undefined && node.kind === "literal" && typeof node.value !== "boolean") literals.push(span);
  };
  visit(expr, { enter: note });
  for (const macro of macroCalls.values()) visit(macro, { enter: note });
  for (let at = source.text.indexOf("//"); at !== -1; at = source.text.indexOf("//", at + 1)) {
    if (!literals.some(({ start, end }) => start <= at && at < end)) return true;
  }
  return false;
}
