// For tests of function tables: calls the implementation of a row as the evaluator would, without one.

import { CelError } from "../value/error.ts";
import type { Library, Overload } from "./library.ts";

export function rowOf(library: Library, id: string): Overload {
  const row = library.overloads.find((candidate) => candidate.id === id);
  if (row === undefined) throw new Error(`library ${library.name} has no overload ${id}`);
  return row;
}

/** The result of a call; an error as `{ error: message }`, so that a table can state either. */
export function call(library: Library, id: string, ...args: readonly unknown[]): unknown {
  const implementation = rowOf(library, id).call;
  if (implementation === undefined) throw new Error(`overload ${id} has no implementation`);
  const result = implementation(...args);
  return result instanceof CelError ? { error: result.message } : result;
}
