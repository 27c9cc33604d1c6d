// Macros by name, arity and receiver. The index of an array is built once and kept as long as the array is.

import type { Macro } from "./macro.ts";

/** Candidates by name: a handful of macros share one at most. */
export type MacroIndex = ReadonlyMap<string, readonly Macro[]>;

const indexes = new WeakMap<readonly Macro[], MacroIndex>();

export function indexMacros(macros: readonly Macro[]): MacroIndex {
  let index = indexes.get(macros);
  if (index === undefined) {
    index = buildIndex(macros);
    indexes.set(macros, index);
  }
  return index;
}

function buildIndex(macros: readonly Macro[]): MacroIndex {
  const index = new Map<string, Macro[]>();
  for (const macro of macros) {
    const others = index.get(macro.name) ?? [];
    // a later macro replaces an earlier one of the same shape
    const kept = others.filter((other) => other.arity !== macro.arity || other.receiver !== macro.receiver);
    index.set(macro.name, [...kept, macro]);
  }
  return index;
}

/** The macro a call means; one with a fixed number of arguments goes before one that takes any. */
export function findMacro(candidates: readonly Macro[], receiver: boolean, arity: number): Macro | undefined {
  let any: Macro | undefined;
  for (const macro of candidates) {
    if (macro.receiver !== receiver) continue;
    if (macro.arity === arity) return macro;
    if (macro.arity === undefined) any = macro;
  }
  return any;
}
