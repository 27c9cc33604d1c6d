// A checked expression as text: the tree with `~type` behind every node and `^meaning` behind every name and call. The reference publishes
// the results of its checker in this form; names appear as they were resolved.

import { decodeUtf8, formatFloatV, quoteGo } from "@celadon/base";
import type { Call, Comprehension, Expr, MapExpr, StructExpr } from "../ast/expr.ts";
import { formatType } from "../value/type.ts";
import { Double, Uint, type Value } from "../value/value.ts";
import type { Checked, Reference } from "./checked.ts";

export function printChecked(checked: Checked): string {
  return print(checked, checked.ast.expr, "");
}

/** A node and its children; lines after the first start with `indent`. */
function print(checked: Checked, expr: Expr, indent: string): string {
  return printKind(checked, expr, indent) + adornment(checked, expr);
}

function printKind(checked: Checked, expr: Expr, indent: string): string {
  const reference = checked.references.get(expr.id);
  switch (expr.kind) {
    case "literal":
      return printLiteral(expr.value);
    case "ident":
      return reference?.name ?? expr.name;
    case "select":
      return (
        reference?.name ?? `${print(checked, expr.operand, indent)}.${expr.field}${expr.test ? "~test-only~" : ""}`
      );
    case "call":
      return printCall(checked, expr, reference, indent);
    case "list":
      return block(
        "[",
        expr.elements.map((elem) => print(checked, elem, `${indent}  `)),
        "]",
        indent,
      );
    case "map":
      return printMap(checked, expr, indent);
    case "struct":
      return printStruct(checked, expr, reference, indent);
    case "comprehension":
      return printComprehension(checked, expr, indent);
  }
}

function printCall(checked: Checked, expr: Call, reference: Reference | undefined, indent: string): string {
  const qualified = reference?.kind === "function" && reference.qualified;
  const target = expr.target === undefined || qualified ? "" : `${print(checked, expr.target, indent)}.`;
  const args = expr.args.map((arg) => print(checked, arg, `${indent}  `));
  return target + block(`${reference?.name ?? expr.function}(`, args, ")", indent);
}

function printMap(checked: Checked, expr: MapExpr, indent: string): string {
  const inner = `${indent}  `;
  const entries = expr.entries.map(
    ({ key, value, optional }) => `${optional ? "?" : ""}${print(checked, key, inner)}:${print(checked, value, inner)}`,
  );
  return block("{", entries, "}", indent);
}

function printStruct(checked: Checked, expr: StructExpr, reference: Reference | undefined, indent: string): string {
  const fields = expr.fields.map(
    ({ name, value, optional }) => `${optional ? "?" : ""}${name}:${print(checked, value, `${indent}  `)}`,
  );
  return block(`${reference?.name ?? expr.type}{`, fields, "}", indent);
}

function printComprehension(checked: Checked, expr: Comprehension, indent: string): string {
  const inner = `${indent}  `;
  const lines = [
    "// Variable",
    `${expr.iterVar},`,
    ...(expr.iterVar2 === "" ? [] : [`${expr.iterVar2},`]),
    "// Target",
    `${print(checked, expr.range, inner)},`,
    "// Accumulator",
    `${expr.accuVar},`,
    "// Init",
    `${print(checked, expr.init, inner)},`,
    "// LoopCondition",
    `${print(checked, expr.condition, inner)},`,
    "// LoopStep",
    `${print(checked, expr.step, inner)},`,
    "// Result",
    `${print(checked, expr.result, inner)})`,
  ];
  return `__comprehension__(\n${lines.map((line) => inner + line).join("\n")}`;
}

/** Items one per line between brackets; without items, the brackets alone. */
function block(open: string, items: readonly string[], close: string, indent: string): string {
  return items.length === 0
    ? open + close
    : `${open}\n${items.map((item) => `${indent}  ${item}`).join(",\n")}\n${indent}${close}`;
}

function adornment(checked: Checked, expr: Expr): string {
  const type = checked.types.get(expr.id);
  const shown = type === undefined ? "" : `~${formatType(type)}`;
  const reference = checked.references.get(expr.id);
  return reference === undefined ? shown : `${shown}^${meaning(reference)}`;
}

function meaning(reference: Reference): string {
  if (reference.kind !== "function" || reference.overloads.length === 0) {
    return reference.name;
  }
  return reference.overloads
    .map((overload) => overload.id)
    .sort()
    .join("|");
}

function printLiteral(value: Value): string {
  switch (typeof value) {
    case "string":
      return quoteGo(value);
    case "number":
      return Number.isSafeInteger(value) ? String(value) : formatFloatV(value);
    default:
      if (value instanceof Double) {
        return formatFloatV(value.value);
      }
      if (value instanceof Uint) {
        return `${value.value}u`;
      }
      return value instanceof Uint8Array ? `b${quoteBytes(value)}` : String(value);
  }
}

/** Bytes as Go quotes a string of them: text where it is UTF-8, escapes where it is not. */
export function quoteBytes(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    let length = Math.min(4, bytes.length - i);
    let char = decodeUtf8(bytes.subarray(i, i + length));
    while (length > 1 && (char === undefined || [...char].length > 1)) {
      length--;
      char = decodeUtf8(bytes.subarray(i, i + length));
    }
    text +=
      char === undefined ? `\\x${(bytes[i] as number).toString(16).padStart(2, "0")}` : quoteGo(char).slice(1, -1);
    i += length;
  }
  return `"${text}"`;
}
