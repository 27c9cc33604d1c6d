// Expressions compiled once for everybody who writes the same: policies repeat each other, and what is validated is then enforced.
// A program holds no state of an evaluation, so that policies can share it. Where a policy has variables, what an expression means
// depends on them, and it is compiled for the policy alone.

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
  const compile = (): Compiled =>
    withEnvironment(declared, types, (env) => compileExpression(env, text, { returnTypes }));
  if (types.size > 0 || text.length > LENGTH) return compile();
  const key = `${environmentKey(declared)} ${returnTypes.join()}\n${text}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const result = compile();
  if (compiled.size >= REMEMBERED) compiled.clear();
  compiled.set(key, result);
  return result;
}
