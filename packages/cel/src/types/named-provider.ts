// A provider of plain names: types that an expression may mention, and constants.

import type { Type } from "../value/type.ts";
import type { Constant, TypeProvider } from "./provider.ts";
import { standardIdents } from "./standard-idents.ts";

/** The first of two types with the same name counts. */
export function createNamedProvider(types: Iterable<Type>, constants: Iterable<Constant> = []): TypeProvider {
  const names = new Map<string, Type | Constant>();
  const prefixes = new Set<string>();
  for (const meaning of [...types, ...constants]) {
    const { name } = meaning;
    if (!names.has(name)) {
      names.set(name, meaning);
    }
    const dot = name.indexOf(".");
    if (dot > 0) {
      prefixes.add(name.slice(0, dot));
    }
  }
  return {
    findStruct: () => undefined,
    findIdent: (name) => names.get(name),
    hasPrefix: (first) => prefixes.has(first),
  };
}

export const standardTypeNames: TypeProvider = createNamedProvider(standardIdents.values());
