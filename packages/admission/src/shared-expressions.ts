// Expressions compiled once for everybody who writes the same: policies repeat each other, and what is validated is then enforced.
// A program holds no state of an evaluation, so that policies can share it. An expression that names `variables` means what its
// policy says, and is compiled for it alone.

import type { Type } from "@celadon/cel";
import { type CompiledExpression, type CompileFailure, compileExpression } from "@celadon/kube-cel";
import { type Declared, environmentKey, type VariableTypes, withEnvironment } from "./environments.ts";

type Compiled = CompiledExpression | CompileFailure;

const compiled = new Map<string, Compiled>();
/** A server that runs for months meets many policies. */
const REMEMBERED = 2000;
const LENGTH = 4096;

export function compileShared(
  declared: Declared,
  types: VariableTypes,
  text: string,
  returnTypes: readonly Type[],
): Compiled {
  if (text.length > LENGTH || text.includes("variables")) return compileIn(declared, types, text, returnTypes);
  const plain = { ...declared, variables: false };
  const key = `${environmentKey(plain)} ${returnTypes.join()}\n${text}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const result = compileIn(plain, NO_TYPES, text, returnTypes);
  if (compiled.size >= REMEMBERED) compiled.clear();
  compiled.set(key, result);
  return result;
}

const NO_TYPES: VariableTypes = new Map();

function compileIn(declared: Declared, types: VariableTypes, text: string, returnTypes: readonly Type[]): Compiled {
  return withEnvironment(declared, types, (env) => compileExpression(env, text, { returnTypes }));
}
