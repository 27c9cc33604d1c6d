// One expression in the environment of admission policies, as the API server of a minor compiles and evaluates it.

import { DYN, type Env, isError, type Type, type Value } from "@celadon/cel";
import {
  type AdmissionDeclarations,
  admissionTypes,
  admissionVariables,
  compileExpression,
  kubeEnv,
  type Minor,
} from "@celadon/kube-cel";

export type Evaluated =
  | { readonly compileError: string }
  | { readonly type: string; readonly cost: number; readonly error: string }
  | { readonly type: string; readonly cost: number; readonly value: Value };

/** Compiles and evaluates expressions over the same variables; those that are not set are null. */
export class Evaluator {
  readonly #env: Env;
  readonly #names: readonly string[];

  /** `extra` are variables of the caller's, of any type. */
  constructor(version: Minor, declarations: AdmissionDeclarations = {}, extra: readonly string[] = []) {
    const declared: Record<string, Type> = { ...admissionVariables({ params: true, ...declarations }) };
    for (const name of extra) declared[name] = DYN;
    this.#env = kubeEnv({ version, mode: "newExpressions", variables: declared, provider: admissionTypes });
    this.#names = Object.keys(declared);
  }

  evaluate(expression: string, variables: Readonly<Record<string, unknown>>, signal?: AbortSignal): Evaluated {
    const compiled = compileExpression(this.#env, expression);
    if (!compiled.ok) return { compileError: compiled.message };
    const values: Record<string, unknown> = {};
    for (const name of this.#names) values[name] = Object.hasOwn(variables, name) ? variables[name] : null;
    const type = String(compiled.checked.type);
    const { value, error, cost } = compiled.program.evaluate(values, signal ? { signal } : {});
    const failure = error ?? (isError(value) ? value : undefined);
    return failure === undefined ? { type, cost, value: value as Value } : { type, cost, error: failure.message };
  }
}
