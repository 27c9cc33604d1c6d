// Expressions in the canonical form: the protobuf JSON of cel.expr.Expr. Plain objects, no protobuf library; ids and 64-bit
// numbers are strings, bytes are base64, as that JSON has them.

import { decodeBase64, encodeBase64 } from "@celadon/base";
import type { Expr } from "../ast/expr.ts";
import { Double, Uint } from "../value/value.ts";
import { checkCanonical } from "./check-canonical.ts";

/** cel.expr.Constant. */
export interface CanonicalConstant {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string | number;
  readonly uint64Value?: string | number;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
}

/** cel.expr.Expr; one of the members besides `id`, or none where a macro call refers to another by id. */
export interface CanonicalExpr {
  readonly id?: string | number;
  readonly constExpr?: CanonicalConstant;
  readonly identExpr?: { readonly name?: string };
  readonly selectExpr?: { readonly operand?: CanonicalExpr; readonly field?: string; readonly testOnly?: boolean };
  readonly callExpr?: {
    readonly target?: CanonicalExpr;
    readonly function?: string;
    readonly args?: readonly CanonicalExpr[];
  };
  readonly listExpr?: { readonly elements?: readonly CanonicalExpr[]; readonly optionalIndices?: readonly number[] };
  readonly structExpr?: { readonly messageName?: string; readonly entries?: readonly CanonicalEntry[] };
  readonly comprehensionExpr?: {
    readonly iterVar?: string;
    readonly iterVar2?: string;
    readonly iterRange?: CanonicalExpr;
    readonly accuVar?: string;
    readonly accuInit?: CanonicalExpr;
    readonly loopCondition?: CanonicalExpr;
    readonly loopStep?: CanonicalExpr;
    readonly result?: CanonicalExpr;
  };
}

/** cel.expr.Expr.CreateStruct.Entry. */
export interface CanonicalEntry {
  readonly id?: string | number;
  readonly fieldKey?: string;
  readonly mapKey?: CanonicalExpr;
  readonly value?: CanonicalExpr;
  readonly optionalEntry?: boolean;
}

/** `replace` may write a node in another way; its answer stands for the node and all below it. */
export function exprToCanonical(expr: Expr, replace?: (expr: Expr) => CanonicalExpr | undefined): CanonicalExpr {
  const write = (node: Expr): CanonicalExpr => replace?.(node) ?? writeNode(node, write);
  return write(expr);
}

function writeNode(expr: Expr, write: (node: Expr) => CanonicalExpr): CanonicalExpr {
  const id = String(expr.id);
  switch (expr.kind) {
    case "literal":
      return { id, constExpr: constantToCanonical(expr.value) };
    case "ident":
      return { id, identExpr: { name: expr.name } };
    case "select": {
      const selectExpr = { operand: write(expr.operand), field: expr.field };
      return { id, selectExpr: expr.test ? { ...selectExpr, testOnly: true } : selectExpr };
    }
    case "call": {
      const callExpr = { function: expr.function, args: expr.args.map(write) };
      return { id, callExpr: expr.target === undefined ? callExpr : { target: write(expr.target), ...callExpr } };
    }
    case "list": {
      const elements = expr.elements.map(write);
      return { id, listExpr: expr.optional.length === 0 ? { elements } : { elements, optionalIndices: expr.optional } };
    }
    case "map": {
      const entries = expr.entries.map((entry) =>
        withOptional({ id: String(entry.id), mapKey: write(entry.key), value: write(entry.value) }, entry.optional),
      );
      return { id, structExpr: { entries } };
    }
    case "struct": {
      const entries = expr.fields.map((field) =>
        withOptional({ id: String(field.id), fieldKey: field.name, value: write(field.value) }, field.optional),
      );
      return { id, structExpr: { messageName: expr.type, entries } };
    }
    case "comprehension": {
      const iterVar2 = expr.iterVar2 === "" ? {} : { iterVar2: expr.iterVar2 };
      return {
        id,
        comprehensionExpr: {
          iterVar: expr.iterVar,
          ...iterVar2,
          iterRange: write(expr.range),
          accuVar: expr.accuVar,
          accuInit: write(expr.init),
          loopCondition: write(expr.condition),
          loopStep: write(expr.step),
          result: write(expr.result),
        },
      };
    }
  }
}

const withOptional = (entry: CanonicalEntry, optional: boolean): CanonicalEntry =>
  optional ? { ...entry, optionalEntry: true } : entry;

export function constantToCanonical(value: unknown): CanonicalConstant {
  if (value === null) return { nullValue: null };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "bigint" || Number.isSafeInteger(value)) return { int64Value: String(value) };
  if (value instanceof Uint) return { uint64Value: String(value.value) };
  if (value instanceof Double) return { doubleValue: jsonDouble(value.value) };
  if (typeof value === "number") return { doubleValue: jsonDouble(value) };
  if (value instanceof Uint8Array) return { bytesValue: encodeBase64(value) };
  throw new Error(`no constant can be written for ${String(value)}`);
}

/** JSON has no NaN, no infinities, and JavaScript's has no negative zero. */
function jsonDouble(value: number): number | string {
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

/** Throws if the JSON is no expression. `missing` answers for a node without a kind, which macro calls have. */
export function exprFromCanonical(json: CanonicalExpr, missing?: (id: number) => Expr): Expr {
  checkCanonical(json, "expr");
  const read = (node: CanonicalExpr | undefined): Expr => readNode(node, read, missing);
  return read(json);
}

function readNode(
  json: CanonicalExpr | undefined,
  read: (node: CanonicalExpr | undefined) => Expr,
  missing?: (id: number) => Expr,
): Expr {
  if (json === undefined) throw new Error("an expression is missing");
  const id = Number(json.id ?? 0);
  if (json.constExpr !== undefined) return { kind: "literal", id, value: readConstant(json.constExpr) };
  if (json.identExpr !== undefined) return { kind: "ident", id, name: json.identExpr.name ?? "" };
  if (json.selectExpr !== undefined) {
    const { operand, field, testOnly } = json.selectExpr;
    return { kind: "select", id, operand: read(operand), field: field ?? "", test: testOnly ?? false };
  }
  if (json.callExpr !== undefined) {
    const { target, args } = json.callExpr;
    const name = json.callExpr.function ?? "";
    return { kind: "call", id, function: name, target: target && read(target), args: (args ?? []).map(read) };
  }
  if (json.listExpr !== undefined) {
    const { elements, optionalIndices } = json.listExpr;
    const optional = optionalIndices ?? [];
    if (optional.some((index) => index >= (elements ?? []).length))
      throw new Error(`expression ${id} has no such element`);
    return { kind: "list", id, elements: (elements ?? []).map(read), optional };
  }
  if (json.structExpr !== undefined) return readStruct(id, json.structExpr, read);
  if (json.comprehensionExpr !== undefined) {
    const fold = json.comprehensionExpr;
    return {
      kind: "comprehension",
      id,
      iterVar: fold.iterVar ?? "",
      iterVar2: fold.iterVar2 ?? "",
      range: read(fold.iterRange),
      accuVar: fold.accuVar ?? "",
      init: read(fold.accuInit),
      condition: read(fold.loopCondition),
      step: read(fold.loopStep),
      result: read(fold.result),
    };
  }
  if (missing !== undefined) return missing(id);
  throw new Error(`expression ${id} has no kind`);
}

function readStruct(
  id: number,
  json: NonNullable<CanonicalExpr["structExpr"]>,
  read: (node: CanonicalExpr | undefined) => Expr,
): Expr {
  const entries = json.entries ?? [];
  const entryId = (entry: CanonicalEntry): number => Number(entry.id ?? 0);
  if (json.messageName === undefined || json.messageName === "") {
    return {
      kind: "map",
      id,
      entries: entries.map((entry) => ({
        id: entryId(entry),
        key: read(entry.mapKey),
        value: read(entry.value),
        optional: entry.optionalEntry ?? false,
      })),
    };
  }
  return {
    kind: "struct",
    id,
    type: json.messageName,
    fields: entries.map((entry) => ({
      id: entryId(entry),
      name: entry.fieldKey ?? "",
      value: read(entry.value),
      optional: entry.optionalEntry ?? false,
    })),
  };
}

export function constantFromCanonical(json: CanonicalConstant): unknown {
  checkCanonical(json, "constant");
  return readConstant(json);
}

function readConstant(json: CanonicalConstant): unknown {
  if (json.nullValue !== undefined) return null;
  if (json.boolValue !== undefined) return json.boolValue;
  if (json.stringValue !== undefined) return json.stringValue;
  if (json.int64Value !== undefined) return integer(json.int64Value);
  if (json.uint64Value !== undefined) return new Uint(integer(json.uint64Value));
  if (json.doubleValue !== undefined) {
    const value = Number(json.doubleValue);
    return Number.isSafeInteger(value) ? new Double(value) : value;
  }
  if (json.bytesValue !== undefined) {
    // this JSON may have the URL-safe alphabet too
    const text = json.bytesValue.replaceAll("-", "+").replaceAll("_", "/");
    const bytes = decodeBase64(text);
    if (typeof bytes !== "number") return bytes;
    const unpadded = decodeBase64(text, { unpadded: true });
    if (typeof unpadded !== "number") return unpadded;
  }
  throw new Error(`unsupported constant: ${JSON.stringify(json)}`);
}

function integer(json: string | number): number | bigint {
  const value = Number(json);
  return Number.isSafeInteger(value) ? value : BigInt(json);
}
