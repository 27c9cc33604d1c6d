// A field that may be absent, guarded: `has()` before the clause that reads it, or read as an optional with a default.

import { trimEndOf } from "@celadon/base";
import { createEnv, type Type } from "@celadon/cel";
import { type Expr, parentsOf } from "@celadon/cel/ast";
import { optionalLibrary } from "@celadon/cel/lib";
import { cursorAt, type ExpressionAt } from "../cursor/expression-at.ts";
import type { File } from "../document/file.ts";
import { localViews } from "../expression/locals.ts";
import type { Site } from "../expression/sites.ts";
import { ExpressionText } from "../expression/written.ts";
import { writtenTypes } from "../expression/written-types.ts";
import { editScalar } from "../format/scalar-edit.ts";
import type { Known } from "../known.ts";
import type { TextRange } from "../text/range.ts";
import type { Action } from "./action.ts";

/** Reads any expression as it is written, macros as calls. */
const SYNTAX = createEnv({ standard: false, macros: false, libraries: [optionalLibrary()] });

export function guardActions(workspace: Known, file: File, range: TextRange): Action[] {
  const { expression } = cursorAt(file, range.start);
  const site = expression && workspace.sites.at(expression.object, expression.path);
  if (expression === undefined || site === undefined) return [];
  const found = guarded(site, expression.scalar.text, expression.offset);
  return found.flatMap(({ title, text }) => {
    const edit = replaceText(file, expression, text);
    return edit === undefined
      ? []
      : [{ title, kind: "refactor.rewrite" as const, edits: new Map([[file.uri, [edit]]]) }];
  });
}

const VARIABLE = /^variables\.\w+$/;

interface Rewritten {
  readonly title: string;
  readonly text: string;
}

/** The expression with a guard, in both ways there are. */
export function guarded(site: Site, text: string, offset: number): Rewritten[] {
  const { ast } = SYNTAX.parse(text);
  if (ast === undefined) return [];
  const written = new ExpressionText(text);
  const at = written.tokenAt(offset);
  const token = written.tokens[at];
  if (token?.is !== "name" || !written.is(at - 1, ".") || written.is(at + 1, "(")) return [];
  const start = written.tokens[written.operandStart(at)]!.start;
  const path = text.slice(start, token.end);
  // A variable is always there.
  if (VARIABLE.test(path) || !mayExist(site, written, token.start, path)) return [];
  const parents = parentsOf(ast.expr);
  const node = [...ast.spans].find(([, span]) => span.start === start && span.end === token.end)?.[0];
  if (node === undefined) return [];
  const clause = clauseOf(node, parents);
  const span = ast.spans.get(clause);
  const isInHas = written.open(offset).some(({ name }) => name === "has");
  if (span === undefined || isInHas) return [];
  const own = text.slice(span.start, span.end);
  const guard = `(!has(${path}) || ${own})`;
  const whole = span.start === 0 && span.end === text.trimEnd().length;
  const rewritten: Rewritten[] = [
    {
      title: `Guard with has(${path})`,
      text: text.slice(0, span.start) + (whole ? guard.slice(1, -1) : guard) + text.slice(span.end),
    },
  ];
  const optional = optionalRead(site, written, at, path);
  if (optional !== undefined) {
    rewritten.push({ title: `Read as ${optional}`, text: text.slice(0, start) + optional + text.slice(token.end) });
  }
  return rewritten;
}

/** Whether some kind of object has the field, for all that schemas say. */
function mayExist(site: Site, written: ExpressionText, offset: number, path: string): boolean {
  return localViews(site.views, written, offset).some(({ env }) => {
    const { ast } = env.parse(path);
    return ast !== undefined && !env.check(ast).issues.some(({ code }) => code === "undefined_field");
  });
}

/** The smallest part around a node that is true or false by itself: an operand of && or ||, a branch, an argument, or the whole. */
function clauseOf(node: number, parents: ReadonlyMap<number, Expr>): number {
  let at = node;
  for (let parent = parents.get(at); parent !== undefined; parent = parents.get(at)) {
    const isLogic = parent.kind === "call" && ["_&&_", "_||_", "_?_:_"].includes(parent.function);
    const isArgument =
      parent.kind === "call" &&
      /^(?:all|exists|exists_one|existsOne|filter)$/.test(parent.function) &&
      parent.args.at(-1)?.id === at;
    if (isLogic || isArgument) return at;
    at = parent.id;
  }
  return at;
}

const DEFAULTS: Readonly<Record<string, string>> = {
  string: "''",
  int: "0",
  uint: "0u",
  double: "0.0",
  bool: "false",
  list: "[]",
  map: "{}",
};

/** `object.?spec.?replicas.orValue(0)`; only if the type has a default. */
function optionalRead(site: Site, written: ExpressionText, at: number, path: string): string | undefined {
  const [view] = localViews(site.views, written, written.tokens[at]!.start);
  const type: Type | undefined = view && writtenTypes(path, view.env)[0];
  const fallback = type && DEFAULTS[type.kind];
  const [, root, fields] = /^((?:variables\.)?\w+)\.(\w+(?:\.\w+)*)$/.exec(path) ?? [];
  if (fallback === undefined || fields === undefined) return undefined;
  return `${root}.?${fields.replaceAll(".", ".?")}.orValue(${fallback})`;
}

function replaceText(
  file: File,
  { scalar }: ExpressionAt,
  text: string,
): { range: TextRange; text: string } | undefined {
  const { range, style } = scalar;
  const first = scalar.toSource(0);
  const line = file.source.lineAt(first);
  const margin =
    style === "literal" || style === "folded" ? first - file.source.lineStart(line) : indentOf(file, range.start) + 2;
  const inFlow = /[{[]/.test(file.text.slice(file.source.lineStart(file.source.lineAt(range.start)), range.start));
  const edit = editScalar(file.text, { range: { ...range, style }, margin, inFlow }, trimEndOf(text, /\n/));
  return edit && { range: { start: edit.start, end: edit.end }, text: edit.text };
}

/** The column in which the key of a value begins. */
function indentOf(file: File, offset: number): number {
  const line = file.source.lineText(file.source.lineAt(offset));
  return /^ *(?:- +)*/.exec(line)?.[0].length ?? 0;
}
