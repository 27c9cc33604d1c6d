// Inside quotes: values of fields with a fixed set of values, keys of maps found in the workspace, and arguments of the
// authorizer.

import type { ExpressionText } from "../expression/written.ts";
import type { Completion } from "./completion.ts";
import type { ExpressionCompletions, ExpressionContext } from "./expression-completion.ts";

const VERBS = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "use",
  "bind",
  "escalate",
  "impersonate",
  "approve",
  "sign",
];
const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

export function textCompletions(
  context: ExpressionContext,
  written: ExpressionText,
  at: number,
): ExpressionCompletions {
  const token = written.tokens[at]!;
  const quoted = written.textOf(token);
  const open = /^[rRbB]{0,2}("""|'''|["'])/.exec(quoted)?.[0].length ?? 1;
  const close = token.is === "invalid" ? 0 : 1;
  const start = token.start + open;
  const end = Math.max(start, token.is === "invalid" ? context.offset : token.end - close);
  const values = valuesAt(context, written, at);
  const items = values.map((label): Completion => ({ label, kind: "value", insert: label }));
  return { items, start, end };
}

function valuesAt({ keysOf, site }: ExpressionContext, written: ExpressionText, at: number): readonly string[] {
  const before = at - 1;
  if (written.is(before, "[")) {
    const start = written.operandStart(before - 1);
    const operand = written.text.slice(written.tokens[start]?.start ?? 0, written.tokens[before - 1]?.end ?? 0);
    return keysOf?.(operand) ?? [];
  }
  const called = written.is(before, "(") ? written.textOf(written.tokens[before - 1]) : "";
  if (called === "check") return VERBS;
  const compared = comparedWith(written, at);
  if (compared === "request.operation") return OPERATIONS;
  if (/(^|\.)kind$/.test(compared)) return [...new Set(site.views.flatMap(({ kind }) => kind?.kind ?? []))];
  return [];
}

/** The operand on the other side of `==`, `!=` or `in [`. */
function comparedWith(written: ExpressionText, at: number): string {
  let i = at - 1;
  const bracket = written.open(written.tokens[at]!.start).at(-1);
  if (bracket?.sign === "[" && written.textOf(written.tokens[bracket.token - 1]) === "in") i = bracket.token - 1;
  if (!["==", "!=", "in"].includes(written.textOf(written.tokens[i]))) return "";
  const start = written.operandStart(i - 1);
  return written.text.slice(written.tokens[start]?.start ?? 0, written.tokens[i - 1]?.end ?? 0);
}
