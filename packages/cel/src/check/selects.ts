// Field selection: `a.b`, `has(a.b)`, `a.?b`. A chain of names and dots may also be one name.

import type { Call, Expr, Select } from "../ast/expr.ts";
import type { Overload } from "../call/overload.ts";
import { isDyn } from "../types/compare-types.ts";
import { BOOL, DYN, ERROR, isOptionalType, type Type } from "../value/type.ts";
import type { Context } from "./context.ts";
import { badOptionalSelect, noFieldSelection, undefinedField, unresolvedStruct } from "./issues.ts";
import { qualifiedName, rootName } from "./names.ts";
import { unwrapOptional } from "./unify.ts";

/** `onlyFields`: an outer selection has found already that the chain cannot be a name. */
export function checkSelect(cx: Context, expr: Select, onlyFields = false): Type {
  let fieldsBelow = onlyFields;
  if (!onlyFields && !expr.test) {
    const root = rootName(expr);
    fieldsBelow = root === undefined || !cx.lookup.mayBeIdent(root);
    if (!fieldsBelow) {
      const name = qualifiedName(expr);
      const entry = name === undefined ? undefined : cx.findQualified(name);
      if (entry !== undefined) {
        cx.setReference(expr.id, entry.reference);
        return cx.setType(expr.id, entry.type);
      }
    }
  }
  const { operand } = expr;
  const operandType =
    fieldsBelow && operand.kind === "select" && cx.depth < cx.maxDepth ? checkNested(cx, operand) : cx.visit(operand);
  const type = selectField(cx, expr.id, operandType, expr.field, false);
  return cx.setType(expr.id, expr.test ? BOOL : cx.substitution.apply(type));
}

function checkNested(cx: Context, operand: Select): Type {
  cx.depth++;
  const type = checkSelect(cx, operand, !operand.test);
  cx.depth--;
  return type;
}

/** The parser writes `a.?b` as a call of `_?._` with the field as a string. */
export function checkOptionalSelect(cx: Context, expr: Call): Type {
  const [operand, field] = expr.args;
  if (operand === undefined || field === undefined || expr.args.length !== 2 || expr.target !== undefined) {
    const style = expr.target === undefined ? "" : " member call with";
    cx.issues.push(
      badOptionalSelect(cx.place(expr.id), `incorrect signature.${style} argument count: ${expr.args.length}`),
    );
    return cx.setType(expr.id, ERROR);
  }
  if (field.kind !== "literal" || typeof field.value !== "string") {
    cx.issues.push(badOptionalSelect(cx.place(field.id), describe(field)));
    return cx.setType(expr.id, ERROR);
  }
  const type = selectField(cx, expr.id, cx.visit(operand), field.value, true);
  cx.setReference(expr.id, {
    kind: "function",
    name: expr.function,
    overloads: optionalSelectRows(cx),
    qualified: false,
  });
  return cx.setType(expr.id, cx.substitution.apply(type));
}

function optionalSelectRows(cx: Context): readonly Overload[] {
  return (cx.lookup.declarations.functions.get("_?._") ?? []).filter((row) => row.id === "select_optional_field");
}

function describe(field: Expr): string {
  return field.kind === "literal" ? String(field.value) : field.kind;
}

function selectField(cx: Context, id: number, operandType: Type, field: string, optional: boolean): Type {
  const { substitution } = cx;
  const whole = substitution.apply(operandType);
  const target = unwrapOptional(whole);
  let result: Type;
  switch (target.kind) {
    case "map":
      result = target.params[1] ?? DYN;
      break;
    case "struct":
      result = fieldType(cx, id, target.name, field) ?? ERROR;
      break;
    case "param":
      substitution.assign(DYN, target); // or a later use could give it a type without such a field
      result = DYN;
      break;
    default:
      if (!isDyn(target) && target.kind !== "error") {
        cx.issues.push(noFieldSelection(cx.place(id), target));
      }
      result = DYN;
  }
  return optional || isOptionalType(whole) ? substitution.bounded(cx.lookup.optionalOf(result)) : result;
}

/** The declared type of a field; the issue about it stands at node `id`. */
export function fieldType(cx: Context, id: number, structName: string, field: string): Type | undefined {
  const found = cx.lookup.declarations.provider.findStruct(structName);
  if (found === undefined) {
    cx.issues.push(unresolvedStruct(cx.place(id), structName));
    return undefined;
  }
  const type = found.field(field)?.type;
  if (type === undefined) {
    cx.issues.push(undefinedField(cx.place(id), field, found.fieldNames()));
  }
  return type;
}
