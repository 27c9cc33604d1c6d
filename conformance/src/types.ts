// cel.expr.Type and cel.expr.Decl as the engine's types, variables and functions.

import {
  type Decl,
  type Decl_FunctionDecl_Overload,
  type Type as ExprType,
  Type_PrimitiveType,
  Type_WellKnownType,
} from "@bufbuild/cel-spec/cel/expr/checked_pb.js";
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  fixed,
  fn,
  INT,
  listOf,
  mapOf,
  method,
  NULL,
  type Overload,
  opaque,
  param,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOfType,
  UINT,
  WELL_KNOWN_TYPES,
  wrapper,
} from "./engine.ts";

const PRIMITIVES: Readonly<Record<Type_PrimitiveType, Type>> = {
  [Type_PrimitiveType.PRIMITIVE_TYPE_UNSPECIFIED]: DYN,
  [Type_PrimitiveType.BOOL]: BOOL,
  [Type_PrimitiveType.INT64]: INT,
  [Type_PrimitiveType.UINT64]: UINT,
  [Type_PrimitiveType.DOUBLE]: DOUBLE,
  [Type_PrimitiveType.STRING]: STRING,
  [Type_PrimitiveType.BYTES]: BYTES,
};

const WELL_KNOWN: Readonly<Record<Type_WellKnownType, Type>> = {
  [Type_WellKnownType.WELL_KNOWN_TYPE_UNSPECIFIED]: DYN,
  [Type_WellKnownType.ANY]: ANY,
  [Type_WellKnownType.TIMESTAMP]: TIMESTAMP,
  [Type_WellKnownType.DURATION]: DURATION,
};

export function toType(type: ExprType | undefined): Type {
  const kind = type?.typeKind;
  switch (kind?.case) {
    case undefined:
    case "dyn":
      return DYN;
    case "null":
      return NULL;
    case "error":
      return ERROR;
    case "primitive":
      return PRIMITIVES[kind.value];
    case "wrapper":
      return wrapper(PRIMITIVES[kind.value]);
    case "wellKnown":
      return WELL_KNOWN[kind.value];
    case "listType":
      return listOf(toType(kind.value.elemType));
    case "mapType":
      return mapOf(toType(kind.value.keyType), toType(kind.value.valueType));
    case "messageType":
      return WELL_KNOWN_TYPES.get(kind.value) ?? struct(kind.value);
    case "typeParam":
      return param(kind.value);
    case "type":
      return kind.value.typeKind.case === undefined ? TYPE : typeOfType(toType(kind.value));
    case "abstractType":
      return opaque(kind.value.name, ...kind.value.parameterTypes.map(toType));
    case "function":
      throw new Error("function types have no counterpart");
  }
}

/** The declarations of a test's type environment. Functions have no implementation. */
export function declared(decls: readonly Decl[]): { variables: Record<string, Type>; functions: Overload[] } {
  const variables: Record<string, Type> = {};
  const functions: Overload[] = [];
  for (const { name, declKind } of decls) {
    if (declKind.case === "ident") variables[name] = toType(declKind.value.type);
    if (declKind.case === "function")
      functions.push(...declKind.value.overloads.map((overload) => toOverload(name, overload)));
  }
  return { variables, functions };
}

function toOverload(
  name: string,
  { overloadId, params, resultType, isInstanceFunction }: Decl_FunctionDecl_Overload,
): Overload {
  const args = params.map(toType);
  const result = toType(resultType);
  const [receiver, ...rest] = args;
  return isInstanceFunction && receiver !== undefined
    ? method(name, overloadId, [receiver, ...rest], result, fixed(1))
    : fn(name, overloadId, args, result, fixed(1));
}
