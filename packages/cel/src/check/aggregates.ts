// List, map and struct literals.

import type { Expr, ListExpr, MapExpr, StructExpr } from "../ast/expr.ts";
import { isDyn } from "../types/compare-types.ts";
import type { StructType } from "../types/provider.ts";
import { wellKnownName } from "../types/well-known-names.ts";
import { DYN, ERROR, formatType, isOptionalType, listOf, mapOf, type Type } from "../value/type.ts";
import type { Context } from "./context.ts";
import { fieldTypeMismatch, notAMessageType, notAType, typeMismatch, undeclaredReference } from "./issues.ts";
import { fieldType } from "./selects.ts";
import { moreGeneral, unwrapOptional } from "./unify.ts";

export function checkList(cx: Context, expr: ListExpr): Type {
  const { elements, optional } = expr;
  let elem: Type | undefined;
  for (let i = 0; i < elements.length; i++) {
    const element = elements[i] as Expr;
    const type = cx.visit(element);
    elem = join(cx, elem, optional.length > 0 && optional.includes(i) ? optionalContent(cx, element, type) : type);
  }
  return cx.setType(expr.id, cx.substitution.bounded(listOf(isUnset(elem) ? cx.substitution.fresh() : elem)));
}

export function checkMap(cx: Context, expr: MapExpr): Type {
  let key: Type | undefined;
  let value: Type | undefined;
  for (const entry of expr.entries) {
    key = join(cx, key, cx.visit(entry.key));
    const type = cx.visit(entry.value);
    value = join(cx, value, entry.optional ? optionalContent(cx, entry.value, type) : type);
  }
  if (isUnset(key) || value === undefined) {
    key = cx.substitution.fresh();
    value = cx.substitution.fresh();
  }
  return cx.setType(expr.id, cx.substitution.bounded(mapOf(key, value)));
}

/** No element so far, or none with a type, in releases that have such. */
const isUnset = (type: Type | undefined): type is undefined => type === undefined || type.kind === "untyped";

/** The type of all elements so far and one more. */
function join(cx: Context, previous: Type | undefined, current: Type): Type {
  if (isUnset(previous) || previous === current) {
    return current;
  }
  if (!cx.substitution.assign(previous, current)) {
    return DYN;
  }
  const nullable = cx.lookup.declarations.specification ? eitherNullable(previous, current) : undefined;
  return nullable ?? moreGeneral(previous, current);
}

/** The wider type of null and a type that accepts null, or of a primitive and its wrapper; undefined for other pairs. */
function eitherNullable(a: Type, b: Type): Type | undefined {
  if (b.kind === "null" || (a.kind === "wrapper" && a.params[0]?.kind === b.kind)) {
    return a;
  }
  return a.kind === "null" || (b.kind === "wrapper" && b.params[0]?.kind === a.kind) ? b : undefined;
}

/** The type that `?e` contributes: the content of the optional that `e` must be. */
function optionalContent(cx: Context, expr: Expr, type: Type): Type {
  const content = unwrapOptional(type);
  if (!isOptionalType(type) && !isDyn(type)) {
    cx.issues.push(typeMismatch(cx.place(expr.id), cx.lookup.optionalOf(content), content));
  }
  return content;
}

export function checkStruct(cx: Context, expr: StructExpr): Type {
  const entry = cx.findIdent(expr.type);
  if (entry === undefined) {
    cx.issues.push(undeclaredReference(cx.place(expr.id), expr.type, cx.container));
    return cx.setType(expr.id, ERROR);
  }
  const named = entry.type.kind === "type" ? (entry.type.params[0] ?? ERROR) : undefined;
  let structName = entry.name;
  let result: Type = ERROR;
  if (named === undefined) {
    if (entry.type.kind !== "error") {
      cx.issues.push(notAType(cx.place(expr.id), declaredName(entry.type)));
    }
  } else {
    // A well-known type may have another name here (`google.protobuf.Int32Value`); its fields are those of its kind.
    const fieldsOf = named.kind === "struct" ? named.name : wellKnownName(named);
    const struct = fieldsOf === undefined ? undefined : findStruct(cx, entry.name);
    if (fieldsOf === undefined || struct === undefined) {
      cx.issues.push(notAMessageType(cx.place(expr.id), declaredName(named)));
    } else {
      structName = fieldsOf;
      result = named;
      cx.setReference(expr.id, { kind: "struct", name: entry.name, struct });
    }
  }
  cx.setType(expr.id, result);
  checkFields(cx, expr, structName);
  return result;
}

function checkFields(cx: Context, expr: StructExpr, structName: string): void {
  for (const field of expr.fields) {
    const given = cx.visit(field.value);
    const wanted = fieldType(cx, field.id, structName, field.name) ?? ERROR;
    const type = field.optional ? optionalContent(cx, field.value, given) : given;
    if (!cx.substitution.assign(wanted, type)) {
      cx.issues.push(fieldTypeMismatch(cx.place(field.id), field.name, wanted, type));
    }
  }
}

function findStruct(cx: Context, name: string): StructType | undefined {
  return cx.lookup.declarations.provider.findStruct(name);
}

/** The name of a type in the two messages that leave its parameters out. */
function declaredName(type: Type): string {
  return type.kind === "wrapper" ? formatType(type) : type.name;
}
