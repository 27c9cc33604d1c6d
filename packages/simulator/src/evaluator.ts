// One expression in the environment of admission policies, as the API server of a minor compiles and evaluates it.

import { DYN, type Env, type Issue, isError, type Type, type Value } from "@celadon/cel";
import { type ExplainedNode, explainTree, Recording } from "@celadon/cel/explain";
import {
  type AdmissionDeclarations,
  admissionTypes,
  admissionVariables,
  compileExpression,
  kubeEnv,
  type Minor,
  pricesAdmission,
  serverOptions,
} from "@celadon/kube-cel";

/** The result of an expression: it does not compile, it fails, or it has a value. */
export type EvaluatedExpression =
  | { readonly compileError: string; readonly issues: readonly Issue[] }
  | { readonly type: string; readonly cost: number; readonly error: string }
  | { readonly type: string; readonly cost: number; readonly value: Value };

/** Compiles and evaluates expressions over the same variables; unset ones are null. */
export class Evaluator {
  readonly #env: Env;
  /** The variables that are declared. */
  readonly names: readonly string[];

  /** `extra` are variables of the caller's, of any type. */
  constructor(version: Minor, declarations: AdmissionDeclarations = {}, extra: readonly string[] = []) {
    const declared: Record<string, Type> = { ...admissionVariables({ params: true, ...declarations }) };
    for (const name of extra) declared[name] = DYN;
    const server = serverOptions(version, "storedExpressions").environment;
    this.#env = kubeEnv({
      ...server,
      strictCosts: pricesAdmission(version),
      variables: declared,
      provider: admissionTypes,
    });
    this.names = Object.keys(declared);
  }

  evaluate(
    expression: string,
    variables: Readonly<Record<string, unknown>>,
    signal?: { readonly aborted: boolean },
  ): EvaluatedExpression {
    const compiled = compileExpression(this.#env, expression);
    if (!compiled.ok) return { compileError: compiled.message, issues: compiled.issues };
    const values = this.#values(variables);
    const type = String(compiled.checked.type);
    const { value, error, cost } = compiled.program.evaluate(values, signal ? { signal } : {});
    const failure = error ?? (isError(value) ? value : undefined);
    return failure === undefined ? { type, cost, value: value as Value } : { type, cost, error: failure.message };
  }

  /** The values of its parts. Undefined where it does not compile. */
  explain(expression: string, variables: Readonly<Record<string, unknown>>): ExplainedNode | undefined {
    const compiled = compileExpression(this.#env, expression);
    if (!compiled.ok) return undefined;
    const recorder = new Recording(compiled.program.ast.expr);
    compiled.program.evaluate(this.#values(variables), { recorder });
    return explainTree(compiled.program.ast, recorder);
  }

  #values(variables: Readonly<Record<string, unknown>>): Record<string, unknown> {
    return Object.fromEntries(
      this.names.map((name) => [name, Object.hasOwn(variables, name) ? variables[name] : null]),
    );
  }
}
