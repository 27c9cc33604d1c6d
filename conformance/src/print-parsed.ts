// A parsed expression as the suites record it: the tree with the kind of every node behind it.

import { bareDouble, type Expr, formatFloatV, quoteBytes, quoteGo, typeOf, type Uint, type Value } from "./engine.ts";

export function printParsed(expr: Expr, indent = ""): string {
  return `${printKind(expr, indent)}^#${kindName(expr)}#`;
}

const ENTRY = "^#*expr.Expr_CreateStruct_Entry#";

function printKind(expr: Expr, indent: string): string {
  const inner = `${indent}  `;
  switch (expr.kind) {
    case "literal":
      return printLiteral(expr.value);
    case "ident":
      return expr.name;
    case "select":
      return `${printParsed(expr.operand, indent)}.${expr.field}${expr.test ? "~test-only~" : ""}`;
    case "call": {
      const target = expr.target === undefined ? "" : `${printParsed(expr.target, indent)}.`;
      return `${target}${block(
        `${expr.function}(`,
        expr.args.map((arg) => printParsed(arg, inner)),
        ")",
        indent,
      )}`;
    }
    case "list":
      return block(
        "[",
        expr.elements.map((element) => printParsed(element, inner)),
        "]",
        indent,
      );
    case "map": {
      const entries = expr.entries.map(
        ({ key, value, optional }) =>
          `${optional ? "?" : ""}${printParsed(key, inner)}:${printParsed(value, inner)}${ENTRY}`,
      );
      return block("{", entries, "}", indent);
    }
    case "struct": {
      const fields = expr.fields.map(
        ({ name, value, optional }) => `${optional ? "?" : ""}${name}:${printParsed(value, inner)}${ENTRY}`,
      );
      return block(`${expr.type}{`, fields, "}", indent);
    }
    case "comprehension": {
      const lines = [
        "// Variable",
        `${expr.iterVar},`,
        ...(expr.iterVar2 === "" ? [] : [`${expr.iterVar2},`]),
        "// Target",
        `${printParsed(expr.range, inner)},`,
        "// Accumulator",
        `${expr.accuVar},`,
        "// Init",
        `${printParsed(expr.init, inner)},`,
        "// LoopCondition",
        `${printParsed(expr.condition, inner)},`,
        "// LoopStep",
        `${printParsed(expr.step, inner)},`,
        "// Result",
        `${printParsed(expr.result, inner)})`,
      ];
      return `__comprehension__(\n${lines.map((line) => inner + line).join("\n")}`;
    }
  }
}

/** Items one per line between brackets; without items, the brackets alone. */
function block(open: string, items: readonly string[], close: string, indent: string): string {
  if (items.length === 0) return open + close;
  return `${open}\n${items.map((item) => `${indent}  ${item}`).join(",\n")}\n${indent}${close}`;
}

function kindName(expr: Expr): string {
  switch (expr.kind) {
    case "literal":
      return LITERALS[typeOf(expr.value).kind] ?? "";
    case "ident":
      return "*expr.Expr_IdentExpr";
    case "select":
      return "*expr.Expr_SelectExpr";
    case "call":
      return "*expr.Expr_CallExpr";
    case "list":
      return "*expr.Expr_ListExpr";
    case "map":
    case "struct":
      return "*expr.Expr_StructExpr";
    case "comprehension":
      return "*expr.Expr_ComprehensionExpr";
  }
}

const LITERALS: Readonly<Record<string, string>> = {
  bool: "*expr.Constant_BoolValue",
  bytes: "*expr.Constant_BytesValue",
  double: "*expr.Constant_DoubleValue",
  int: "*expr.Constant_Int64Value",
  null: "*expr.Constant_NullValue",
  string: "*expr.Constant_StringValue",
  uint: "*expr.Constant_Uint64Value",
};

function printLiteral(value: Value): string {
  switch (typeOf(value).kind) {
    case "string":
      return quoteGo(value as string);
    case "bytes":
      return `b${quoteBytes(value as Uint8Array)}`;
    case "double":
      return formatFloatV(bareDouble(value as number));
    case "uint":
      return `${(value as Uint).value}u`;
    default:
      return String(value);
  }
}
