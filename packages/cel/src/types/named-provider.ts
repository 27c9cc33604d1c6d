// A provider of plain names: types that an expression may mention, and constants. The standard type names are one such.

import type { Constant, TypeProvider } from "./provider.ts";
import { BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, opaque, STRING, TIMESTAMP, TYPE, type Type, UINT } from "./type.ts";

export function createNamedProvider(types: readonly Type[], constants: readonly Constant[] = []): TypeProvider {
  const names = new Map<string, Type | Constant>();
  const prefixes = new Set<string>();
  const add = (name: string, meaning: Type | Constant): void => {
    names.set(name, meaning);
    const dot = name.indexOf(".");
    if (dot > 0) {
      prefixes.add(name.slice(0, dot));
    }
  };
  for (const type of types) {
    add(type.name, type);
  }
  for (const constant of constants) {
    add(constant.name, constant);
  }
  return {
    findStruct: () => undefined,
    findIdent: (name) => names.get(name),
    hasPrefix: (first) => prefixes.has(first),
  };
}

/** The types that every environment can name: `bool`, `list`, `google.protobuf.Duration`. */
export const STANDARD_TYPES: readonly Type[] = [BOOL, BYTES, DOUBLE, DURATION, INT, LIST, MAP, NULL, STRING, TIMESTAMP, TYPE, UINT];

/** What the name `optional_type` means where optionals are enabled. */
export const OPTIONAL_TYPE: Type = opaque("optional_type");

export const standardTypeNames: TypeProvider = createNamedProvider(STANDARD_TYPES);
