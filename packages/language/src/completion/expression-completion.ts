// Completes an expression: members by the type of the operand before the dot, names by declaration, the most likely first.

import { pushAll, trimEndOf } from "@celadon/base";
import type { Macro, Overload, Type } from "@celadon/cel";
import type { Schema } from "@celadon/kube/schemas";
import { functionText } from "../describe/function-text.ts";
import { schemaText } from "../describe/schema-text.ts";
import { typeText } from "../describe/type-text.ts";
import { functionTable, macroFits, mayBe, signatureOf } from "../expression/functions.ts";
import { type LocalView, localViews } from "../expression/locals.ts";
import type { Site } from "../expression/sites.ts";
import { fieldSchema } from "../expression/view.ts";
import { ExpressionText } from "../expression/written.ts";
import { writtenTypes } from "../expression/written-types.ts";
import type { Completion } from "./completion.ts";
import { IDIOMS } from "./idioms.ts";
import { textCompletions } from "./literal-completion.ts";
import { popularity } from "./popular.ts";
import type { Usage } from "./usage.ts";

export interface ExpressionCompletions {
  readonly items: readonly Completion[];
  /** The part of the expression that is replaced. */
  readonly start: number;
  readonly end: number;
}

/** Keys that objects of the workspace have where a map is read, by the operand: of ConfigMaps that are params. */
export type KeysOf = (operand: string) => readonly string[];

export interface ExpressionContext {
  readonly site: Site;
  readonly text: string;
  readonly offset: number;
  readonly usage: Usage;
  readonly keysOf?: KeysOf;
}

interface Scored extends Completion {
  readonly score: number;
}

/** Completes at a place in an expression. */
export function completeExpression(context: ExpressionContext): ExpressionCompletions {
  const { site, text, offset } = context;
  const written = new ExpressionText(text);
  const at = written.tokenAt(offset);
  const token = written.tokens[at];
  if (token !== undefined && (token.is === "comment" || token.is === "number") && token.start < offset)
    return NOTHING(offset);
  if (
    token !== undefined &&
    token.start < offset &&
    (token.is === "text" || token.is === "invalid") &&
    /^[rRbB]{0,2}["']/.test(written.textOf(token))
  ) {
    const isInside = offset < token.end || token.is === "invalid";
    return isInside ? textCompletions(context, written, at) : NOTHING(offset);
  }
  const isWord = token !== undefined && (token.is === "name" || token.is === "keyword") && token.start <= offset;
  const start = isWord ? token.start : offset;
  const end = isWord ? token.end : offset;
  const views = localViews(site.views, written, start);
  const before = written.before(start);
  const isOptional = written.is(before, "?") && written.is(before - 1, ".");
  const dot = isOptional ? before - 1 : before;
  const scored = written.is(dot, ".")
    ? members(context, written, views, dot, isOptional)
    : (structFields(written, views, start) ?? names(context, written, views, start));
  return { items: inOrder(scored), start, end };
}

const NOTHING = (offset: number): ExpressionCompletions => ({ items: [], start: offset, end: offset });

/** The best first; what several views offer is offered once, and ranks by how many do. */
function inOrder(scored: readonly Scored[]): readonly Completion[] {
  const found = new Map<string, Scored>();
  for (const entry of scored) {
    const key = `${entry.kind === "field" ? "field" : ""} ${entry.label}`;
    const known = found.get(key);
    if (known === undefined || known.score < entry.score) found.set(key, entry);
  }
  return [...found.values()]
    .sort((a, b) => b.score - a.score || (a.label < b.label ? -1 : 1))
    .map(({ score: _, ...item }) => item);
}

function members(
  context: ExpressionContext,
  written: ExpressionText,
  views: readonly LocalView[],
  dot: number,
  isOptional: boolean,
): Scored[] {
  const { usage, keysOf } = context;
  if (dot === 0) return [];
  const first = written.operandStart(dot - 1);
  const operand = written.text.slice(written.tokens[first]!.start, written.tokens[dot - 1]!.end);
  const found: Scored[] = [];
  let isKnown = views.length > 0;
  for (const view of views) {
    pushAll(found, namespaceMembers(view, operand, usage));
    const types = writtenTypes(operand, view.env);
    if (types.length === 0) isKnown = false;
    for (const type of types) {
      const holder = withoutOptional(type);
      if (!isOptional) pushAll(found, methods(view, type, operand, usage));
      const fields = fieldsOf(view, holder);
      if (fields.length === 0) isKnown = false;
      for (const field of fields) {
        const schema = fieldSchema(view, holder, field.name);
        found.push(fieldItem(field, schema, operand, context));
      }
    }
  }
  if (operand === "authorizer")
    found.push({ ...item("requestResource", "field"), detail: "the resource of the request", score: 2 });
  for (const key of keysOf?.(operand) ?? []) {
    const isName = /^[A-Za-z_]\w*$/.test(key);
    if (isName)
      found.push({
        ...item(key, "field"),
        detail: "a key found in the workspace",
        score: 4 + usageScore(usage, operand, key),
      });
  }
  // Without a schema: common keys of maps with that name, and keys that were read there before.
  const name = operand.slice(trimEndOf(operand, /\w/).length);
  for (const key of WELL_KNOWN_KEYS[name] ?? []) {
    found.push({ ...item(key, "field"), score: 6 + usageScore(usage, operand, key) });
  }
  for (const known of isKnown ? [] : usage.membersOf(operand)) {
    if (found.some(({ label }) => label === known)) continue;
    found.push({
      ...item(known, "field"),
      detail: "used in this expression",
      score: 5 + usageScore(usage, operand, known),
    });
  }
  return found;
}

const WELL_KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  limits: ["cpu", "memory"],
  requests: ["cpu", "memory", "storage"],
};

interface FieldOf {
  readonly name: string;
  readonly type: Type;
}

function fieldsOf({ env }: LocalView, type: Type): readonly FieldOf[] {
  if (type.kind !== "struct") return [];
  const struct = env.declarations.provider.findStruct(type.name);
  return (struct?.fieldNames() ?? []).flatMap((name) => {
    const field = struct?.field(name);
    if (field === undefined) return [];
    // A reserved word may be written as it is; older servers want it escaped.
    const plain = /^__\w+__$/.test(name) ? struct?.field(name.slice(2, -2)) : undefined;
    return [...(plain === undefined ? [] : [{ name: plain.name, type: plain.type }]), { name, type: field.type }];
  });
}

function withoutOptional(type: Type): Type {
  return type.name === "optional_type" ? (type.params[0] ?? type) : type;
}

const RARE: ReadonlySet<string> = new Set([
  "managedFields",
  "selfLink",
  "resourceVersion",
  "deletionGracePeriodSeconds",
  "generation",
]);

function fieldItem(
  { name, type }: FieldOf,
  schema: Schema | undefined,
  operand: string,
  context: ExpressionContext,
): Scored {
  const { usage, site } = context;
  const score =
    5 +
    usageScore(usage, operand, name) +
    3 * popularity("field", name) +
    (usage.isMentioned(name) ? 3 : 0) -
    (RARE.has(name) || (name === "status" && site.system !== "definition") ? 2 : 0);
  const documentation = schema && schemaText(schema);
  return {
    ...item(name, "field"),
    detail: typeText(type),
    ...(documentation !== undefined && { documentation }),
    score,
  };
}

function usageScore(usage: Usage, operand: string, name: string): number {
  return 4 * Math.min(3, usage.behind(operand, name)) + 1.5 * Math.min(2, usage.member(name));
}

function methods(view: LocalView, type: Type, operand: string, usage: Usage): Scored[] {
  const { members: table, macros } = functionTable(view.env);
  const found: Scored[] = [];
  const base = type.kind === "struct" && fieldsOf(view, type).length > 0 ? 0 : 5;
  for (const [name, rows] of table) {
    const fitting = rows.filter(({ args }) => mayBe(type, args[0]!));
    // Everything fits a type that is not known; completions for one type alone come last.
    if (fitting.length > 0)
      found.push({ ...callItem(name, fitting, true), score: base + memberScore(usage, operand, name) });
  }
  if (type.kind === "struct") return found;
  for (const macro of macros) {
    if (!macro.receiver || (macro.namespace ?? "receiver") !== "receiver" || !macroFits(macro, type)) continue;
    found.push({ ...macroItem(macro), score: base + memberScore(usage, operand, macro.name) });
  }
  return found;
}

function memberScore(usage: Usage, operand: string, name: string): number {
  return (
    3 * popularity("member", name) + 3 * Math.min(2, usage.behind(operand, name)) + Math.min(2, usage.member(name))
  );
}

function namespaceMembers(view: LocalView, operand: string, usage: Usage): Scored[] {
  const { global, macros, namespaces } = functionTable(view.env);
  if (!namespaces.has(operand)) return [];
  const found: Scored[] = [];
  for (const [name, rows] of global) {
    if (!name.startsWith(`${operand}.`)) continue;
    const short = name.slice(operand.length + 1);
    found.push({ ...callItem(short, rows, false), score: 6 + usageScore(usage, operand, short) });
  }
  for (const macro of macros) if (macro.namespace === operand) found.push({ ...macroItem(macro), score: 6 });
  return found;
}

function names(
  context: ExpressionContext,
  written: ExpressionText,
  views: readonly LocalView[],
  start: number,
): Scored[] {
  const { usage, site } = context;
  const inside = written.open(start).at(-1);
  const inHas = inside?.name === "has" && inside.receiver === undefined;
  const found: Scored[] = [];
  const nameScore = (name: string): number => 4 * popularity("name", name) + 1.5 * Math.min(3, usage.name(name));
  for (const view of views) {
    for (const [i, { name, type }] of view.locals.entries()) {
      const score = 14 + i - (view.locals.length - 1 - i) * 3;
      found.push({ ...item(name, "variable"), detail: typeText(type), score });
    }
    for (const [name, type] of view.env.declarations.variables) {
      if (!/^\w+$/.test(name) || view.locals.some((local) => local.name === name)) continue;
      found.push({ ...item(name, "variable"), detail: typeText(type), score: 4 + nameScore(name) });
    }
    if (inHas) continue;
    const { global, namespaces, macros } = functionTable(view.env);
    for (const [name, rows] of global) {
      if (!name.includes(".")) found.push({ ...callItem(name, rows, false), score: nameScore(name) });
    }
    for (const namespace of namespaces) {
      if (!namespace.includes(".")) found.push({ ...item(namespace, "namespace"), score: nameScore(namespace) });
    }
    for (const macro of macros) {
      if (!macro.receiver) found.push({ ...macroItem(macro), score: 4 + nameScore(macro.name) });
    }
  }
  if (inHas) return found;
  for (const word of ["true", "false", "null"]) found.push({ ...item(word, "keyword"), score: 0.5 });
  for (const idiom of IDIOMS) if (idiom.systems.includes(site.system)) found.push({ ...idiom.item, score: -1 });
  return found;
}

/** In `Object.spec{ … }`: the fields that are set. */
function structFields(written: ExpressionText, views: readonly LocalView[], start: number): Scored[] | undefined {
  const name = written.structAt(start);
  if (name === undefined) return undefined;
  return views.flatMap(({ env }) => {
    const struct = env.declarations.provider.findStruct(name);
    return (struct?.fieldNames() ?? []).map((field): Scored => {
      const type = struct?.field(field)?.type;
      return {
        ...item(field, "field"),
        insert: `${field}: `,
        ...(type && { detail: typeText(type) }),
        score: 3 * popularity("field", field),
      };
    });
  });
}

const item = (label: string, kind: Completion["kind"]): Completion => ({ label, kind, insert: label });

function callItem(name: string, rows: readonly Overload[], member: boolean): Completion {
  const takesMore = rows.some(({ args }) => args.length > (member ? 1 : 0));
  const documentation = functionText(rows);
  return {
    label: name,
    kind: "function",
    detail: signatureOf(rows[0]!) + (rows.length > 1 ? ` (+${rows.length - 1})` : ""),
    documentation,
    insert: takesMore ? `${name}($1)` : `${name}()`,
    ...(takesMore && { snippet: true }),
  };
}

function macroItem({ name, arity = 1 }: Macro): Completion {
  const isLoop = !["has", "bind", "optMap", "optFlatMap"].includes(name) && arity > 1;
  const insert = isLoop ? `${name}(\${1:x}, $2)` : `${name}($1)`;
  return { label: name, kind: "macro", detail: isLoop ? `${name}(x, …)` : `${name}(…)`, insert, snippet: true };
}
