// Parsed and checked expressions in the canonical form: the protobuf JSON of cel.expr.ParsedExpr and cel.expr.CheckedExpr, equal to the
// reference's output for the same text. Import accepts the output of every CEL implementation.

import type { Ast, Call, Expr } from "../ast/expr.ts";
import { linesOf, offsetOfCodePoint, positionOf } from "../ast/position.ts";
import type { Source } from "../ast/source.ts";
import { SpanTable } from "../ast/span-table.ts";
import { nodesOf } from "../ast/visit.ts";
import type { Overload } from "../call/overload.ts";
import type { Checked, Reference } from "../check/checked.ts";
import type { TypeProvider } from "../types/provider.ts";
import type { Type } from "../value/type.ts";
import {
  type CanonicalConstant,
  type CanonicalExpr,
  constantFromCanonical,
  constantToCanonical,
  exprFromCanonical,
  exprToCanonical,
} from "./canonical-expr.ts";
import { type CanonicalType, typeFromCanonical, typeToCanonical } from "./canonical-type.ts";
import { checkCanonical } from "./check-canonical.ts";

export type { CanonicalConstant, CanonicalExpr } from "./canonical-expr.ts";
export { type CanonicalType, typeFromCanonical, typeToCanonical } from "./canonical-type.ts";

/** cel.expr.SourceInfo. Offsets count code points. */
export interface CanonicalSourceInfo {
  readonly syntaxVersion?: string;
  readonly location?: string;
  readonly lineOffsets?: readonly number[];
  readonly positions?: Readonly<Record<string, number>>;
  readonly macroCalls?: Readonly<Record<string, CanonicalExpr>>;
}

/** cel.expr.ParsedExpr. */
export interface CanonicalParsed {
  readonly expr?: CanonicalExpr;
  readonly sourceInfo?: CanonicalSourceInfo;
}

/** cel.expr.Reference. */
export interface CanonicalReference {
  readonly name?: string;
  readonly overloadId?: readonly string[];
  readonly value?: CanonicalConstant;
}

/** cel.expr.CheckedExpr. */
export interface CanonicalChecked extends CanonicalParsed {
  readonly referenceMap?: Readonly<Record<string, CanonicalReference>>;
  readonly typeMap?: Readonly<Record<string, CanonicalType>>;
}

/** A parsed expression as `cel.expr.ParsedExpr`. */
export function parsedToCanonical(ast: Ast): CanonicalParsed {
  return { expr: exprToCanonical(ast.expr), sourceInfo: sourceInfoOf(ast) };
}

/**
 * A checked expression. As in the reference, names are written as resolved: if `a.b` means the variable `a.b`, it is one identifier, and a
 * call of the function `math.abs` has no target.
 */
export function checkedToCanonical(checked: Checked): CanonicalChecked {
  const { ast, references, types } = checked;
  const referenceMap: Record<string, CanonicalReference> = {};
  for (const [id, reference] of references) referenceMap[id] = referenceToCanonical(reference);
  const typeMap: Record<string, CanonicalType> = {};
  for (const [id, type] of types) typeMap[id] = typeToCanonical(type);
  return { expr: resolved(ast.expr, references), sourceInfo: sourceInfoOf(ast), referenceMap, typeMap };
}

function resolved(root: Expr, references: ReadonlyMap<number, Reference>): CanonicalExpr {
  return exprToCanonical(root, (expr) => {
    const reference = references.get(expr.id);
    if (reference === undefined) return undefined;
    const id = String(expr.id);
    switch (reference.kind) {
      case "variable":
      case "constant":
        return { id, identExpr: { name: reference.name } };
      case "struct": {
        const written = exprToCanonical(expr, (below) => (below === expr ? undefined : resolved(below, references)));
        return { id, structExpr: { ...written.structExpr, messageName: reference.name } };
      }
      case "function":
        // a function found in the container goes by its full name
        if (expr.kind !== "call" || (!reference.qualified && expr.target !== undefined)) return undefined;
        return { id, callExpr: { function: reference.name, args: expr.args.map((arg) => resolved(arg, references)) } };
    }
  });
}

function referenceToCanonical(reference: Reference): CanonicalReference {
  switch (reference.kind) {
    case "variable":
    case "struct":
      return { name: reference.name };
    case "constant": {
      // a type's name is a reference without a value
      const value = asConstant(reference.value);
      return value === undefined ? { name: reference.name } : { name: reference.name, value };
    }
    case "function":
      return { overloadId: reference.overloads.map((overload) => overload.id) };
  }
}

function asConstant(value: unknown): CanonicalConstant | undefined {
  const scalar = value === null || typeof value !== "object" || value instanceof Uint8Array;
  return scalar && value !== undefined ? constantToCanonical(value) : undefined;
}

function sourceInfoOf(ast: Ast): CanonicalSourceInfo {
  const { source, spans, macroCalls } = ast;
  const positions: Record<string, number> = {};
  for (const [id, span] of spans) positions[id] = positionOf(source, span.at).codePoint;
  const written: Record<string, CanonicalExpr> = {};
  for (const [id, call] of macroCalls) written[id] = macroCallToCanonical(call, macroCalls);
  // each line's end, as the offset of the next line
  const { codePointStarts } = linesOf(source);
  const end = positionOf(source, source.text.length).codePoint + 1;
  const lineOffsets = [...codePointStarts.slice(1), end];
  return { location: source.name, lineOffsets, positions, macroCalls: written };
}

/** Macros within a macro's target, arguments, their arguments and lists are written as a reference to their own call. */
function macroCallToCanonical(call: Expr, macroCalls: ReadonlyMap<number, Expr>): CanonicalExpr {
  return exprToCanonical(call, (expr) => {
    if (macroCalls.has(expr.id)) return { id: String(expr.id) };
    // what else contains macros is written in full
    return expr.kind === "call" || expr.kind === "list" ? undefined : exprToCanonical(expr);
  });
}

/** The text is no part of the canonical form; without it, positions keep their offsets but have no lines. */
export interface ImportOptions {
  readonly text?: string;
}

/** Throws when the JSON is not in the canonical form. */
export function parsedFromCanonical(json: CanonicalParsed, options: ImportOptions = {}): Ast {
  checkCanonical(json, "whole");
  if (json.expr === undefined) throw new Error("an expression is missing");
  const expr = exprFromCanonical(json.expr);
  const info = json.sourceInfo ?? {};
  const source: Source = { name: info.location ?? "<input>", text: options.text ?? "" };
  const spans = new SpanTable();
  const positions = Object.entries(info.positions ?? {}).map(([id, at]) => [Number(id), at] as const);
  for (const [id, at] of positions.sort(([a], [b]) => a - b)) {
    const offset = options.text === undefined ? at : offsetOfCodePoint(source, at);
    spans.set(id, offset, offset, offset);
  }
  return { expr, source, spans, macroCalls: readMacroCalls(expr, info.macroCalls ?? {}) };
}

function readMacroCalls(root: Expr, calls: Readonly<Record<string, CanonicalExpr>>): ReadonlyMap<number, Expr> {
  const nodes = nodesOf(root);
  const read = new Map<number, Expr>();
  const reading = new Set<number>();
  const callOf = (id: number): Expr => {
    const known = read.get(id);
    if (known !== undefined) return known;
    const json = Object.hasOwn(calls, id) ? calls[id] : undefined;
    if (json === undefined || reading.has(id))
      throw new Error(`a macro call refers to expression ${id}, which is not there`);
    reading.add(id);
    const call = exprFromCanonical(json, missing);
    read.set(id, call);
    return call;
  };
  // a macro may use up an argument that is itself a macro call: nothing of it is in the tree
  const missing = (id: number): Expr => nodes.get(id) ?? callOf(id);
  return new Map(Object.keys(calls).map((id) => [Number(id), callOf(Number(id)) as Call]));
}

export interface CheckedImportOptions extends ImportOptions {
  /** The overloads that references name, from the environment the expression is to run in. */
  readonly overload: (id: string) => Overload | undefined;
  /** Needed for message literals. */
  readonly provider?: TypeProvider;
}

/** Throws when the JSON is not in the canonical form or names an overload or message that does not exist. */
export function checkedFromCanonical(json: CanonicalChecked, options: CheckedImportOptions): Checked {
  const ast = parsedFromCanonical(json, options);
  const nodes = nodesOf(ast.expr);
  const types = new Map<number, Type>();
  for (const [id, type] of Object.entries(json.typeMap ?? {})) types.set(Number(id), typeFromCanonical(type));
  const references = new Map<number, Reference>();
  for (const [key, reference] of Object.entries(json.referenceMap ?? {})) {
    const id = Number(key);
    references.set(id, referenceFromCanonical(reference, nodes.get(id), types.get(id), options));
  }
  const type = types.get(ast.expr.id);
  if (type === undefined) throw new Error("the expression has no type");
  return { ast, type, types, references, issues: [] };
}

function referenceFromCanonical(
  json: CanonicalReference,
  node: Expr | undefined,
  type: Type | undefined,
  options: CheckedImportOptions,
): Reference {
  const ids = json.overloadId ?? [];
  const name = json.name ?? "";
  if (ids.length > 0) {
    const overloads = ids.map((id) => {
      const overload = options.overload(id);
      if (overload === undefined) throw new Error(`unknown overload '${id}'`);
      return overload;
    });
    return { kind: "function", name: node?.kind === "call" ? node.function : name, overloads, qualified: false };
  }
  if (node?.kind === "struct") {
    const struct = options.provider?.findStruct(name);
    if (struct === undefined) throw new Error(`unknown message '${name}'`);
    return { kind: "struct", name, struct };
  }
  if (json.value !== undefined) return { kind: "constant", name, value: constantFromCanonical(json.value) };
  // a type's name stands for the type
  if (type?.kind === "type" && type.params[0] !== undefined && node?.kind === "ident") {
    return { kind: "constant", name, value: type.params[0] };
  }
  return { kind: "variable", name };
}
