// Types in the canonical form: the protobuf JSON of cel.expr.Type.

import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  param,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOfType,
  UINT,
  wrapper,
} from "../value/type.ts";
import { checkCanonical } from "./check-canonical.ts";

/** cel.expr.Type as JSON: exactly one of the members. */
export interface CanonicalType {
  readonly dyn?: Record<string, never>;
  readonly null?: null;
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly listType?: { readonly elemType?: CanonicalType };
  readonly mapType?: { readonly keyType?: CanonicalType; readonly valueType?: CanonicalType };
  readonly messageType?: string;
  readonly typeParam?: string;
  readonly type?: CanonicalType;
  readonly error?: Record<string, never>;
  readonly abstractType?: { readonly name?: string; readonly parameterTypes?: readonly CanonicalType[] };
}

const PRIMITIVES: readonly (readonly [name: string, type: Type])[] = [
  ["BOOL", BOOL],
  ["INT64", INT],
  ["UINT64", UINT],
  ["DOUBLE", DOUBLE],
  ["STRING", STRING],
  ["BYTES", BYTES],
];
const WELL_KNOWN: readonly (readonly [name: string, type: Type])[] = [
  ["ANY", ANY],
  ["TIMESTAMP", TIMESTAMP],
  ["DURATION", DURATION],
];

const nameIn = (table: readonly (readonly [string, Type])[], type: Type): string =>
  table.find(([, known]) => known.kind === type.kind)![0];

function typeIn(table: readonly (readonly [string, Type])[], name: string): Type {
  const found = table.find(([known]) => known === name);
  if (found === undefined) throw new Error(`unknown type '${name}'`);
  return found[1];
}

export function typeToCanonical(type: Type): CanonicalType {
  switch (type.kind) {
    case "bool":
    case "int":
    case "uint":
    case "double":
    case "string":
    case "bytes":
      return { primitive: nameIn(PRIMITIVES, type) };
    case "any":
    case "timestamp":
    case "duration":
      return { wellKnown: nameIn(WELL_KNOWN, type) };
    case "null":
      return { null: null };
    case "dyn":
      return { dyn: {} };
    case "error":
    case "untyped":
      return { error: {} };
    case "list":
      return { listType: { elemType: typeToCanonical(type.params[0] ?? DYN) } };
    case "map":
      return {
        mapType: { keyType: typeToCanonical(type.params[0] ?? DYN), valueType: typeToCanonical(type.params[1] ?? DYN) },
      };
    case "wrapper":
      return { wrapper: nameIn(PRIMITIVES, type.params[0]!) };
    case "struct":
      return { messageType: type.name };
    case "param":
      return { typeParam: type.name };
    case "type":
      return { type: type.params[0] === undefined ? {} : typeToCanonical(type.params[0]) };
    case "opaque":
      return { abstractType: { name: type.name, parameterTypes: type.params.map(typeToCanonical) } };
  }
}

/** Throws if the JSON is no type. A message type becomes a struct type without fields; a provider knows them by its name. */
export function typeFromCanonical(json: CanonicalType): Type {
  checkCanonical(json, "type");
  return readType(json);
}

function readType(json: CanonicalType): Type {
  if (json.primitive !== undefined) return typeIn(PRIMITIVES, json.primitive);
  if (json.wellKnown !== undefined) return typeIn(WELL_KNOWN, json.wellKnown);
  if (json.wrapper !== undefined) return wrapper(typeIn(PRIMITIVES, json.wrapper));
  if (json.null !== undefined) return NULL;
  if (json.error !== undefined) return ERROR;
  if (json.listType !== undefined) return listOf(typeOrDyn(json.listType.elemType));
  if (json.mapType !== undefined) return mapOf(typeOrDyn(json.mapType.keyType), typeOrDyn(json.mapType.valueType));
  if (json.messageType !== undefined) return struct(json.messageType);
  if (json.typeParam !== undefined) return param(json.typeParam);
  if (json.type !== undefined) return Object.keys(json.type).length === 0 ? TYPE : typeOfType(readType(json.type));
  if (json.abstractType !== undefined) {
    return opaque(json.abstractType.name ?? "", ...(json.abstractType.parameterTypes ?? []).map(readType));
  }
  if (json.dyn !== undefined) return DYN;
  throw new Error(`unsupported type: ${JSON.stringify(json)}`);
}

const typeOrDyn = (json: CanonicalType | undefined): Type => (json === undefined ? DYN : readType(json));
