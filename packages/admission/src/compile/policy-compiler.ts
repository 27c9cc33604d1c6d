// Compiles policies, and equal parts of several policies only once: policies repeat each other, and a validated policy is then enforced. A
// program holds no state of an evaluation, so that policies can share it. The meaning of an expression that names `variables` depends on
// its policy, so it is shared only by policies whose variables have the same names and types. A policy set has a compiler; code that
// validates policies first passes both the same one.

import type { Env, Type } from "@celadon/cel";
import { type CompiledExpression, type CompileFailure, compileExpression, newMeansStored } from "@celadon/kube-cel";
import { type CompiledMatch, compileMatch } from "../match/match-resources.ts";
import type { MatchResources } from "../policy.ts";
import { type Gates, NO_GATES } from "../proposals/gates.ts";
import { createEnvironment, type Declared, environmentKey, type VariableTypes, withVariables } from "./environments.ts";

/** A server that runs for months meets many policies. */
const EXPRESSIONS = 2000;
const MATCHES = 1000;
/** Longer texts are seldom the same. */
const LENGTH = 4096;
/** The number of variables beyond which texts of their types would grow with each of them. */
const VARIABLES = 20;

/** Expressions and match constraints of policies, each compiled once. */
export class PolicyCompiler {
  readonly #environments = new Map<string, Env>();
  readonly #expressions = new Map<string, CompiledExpression | CompileFailure>();
  readonly #matches = new Map<string, CompiledMatch>();
  #newMeansStored: boolean | undefined;

  /** An expression compiled in the environment of its field, or why it does not compile. */
  expression(
    declared: Declared,
    types: VariableTypes,
    text: string,
    returnTypes: readonly Type[],
  ): CompiledExpression | CompileFailure {
    const composed = text.includes("variables");
    const compile = (): CompiledExpression | CompileFailure => {
      const env = this.#environment(composed ? declared : { ...declared, variables: false });
      return compileExpression(!composed || types.size === 0 ? env : withVariables(env, types), text, { returnTypes });
    };
    if (text.length > LENGTH || (composed && types.size > VARIABLES)) return compile();
    const keyIn = (wanted: Declared): string => {
      const of = composed
        ? `${environmentKey(wanted)} ${typesText(types)}`
        : environmentKey({ ...wanted, variables: false });
      return `${of} ${returnTypes.join()}\n${text}`;
    };
    const validated = this.#validatedAs(declared);
    const accepted = validated && this.#expressions.get(keyIn(validated));
    if (accepted?.ok) return accepted;
    return remembered(this.#expressions, keyIn(declared), EXPRESSIONS, compile);
  }

  /** Match constraints: equal ones are shared, and matched once for a request. */
  match(resources: MatchResources, gates: Gates = NO_GATES): CompiledMatch {
    const key = textOf(resources);
    if (key === undefined || key.length > LENGTH || gates.NamespaceLists) return compileMatch(resources, gates);
    return remembered(this.#matches, key, MATCHES, () => compileMatch(resources, gates));
  }

  /** The declarations under which a stored expression was validated, if it means the same with them. */
  #validatedAs(declared: Declared): Declared | undefined {
    if ((declared.mode ?? "storedExpressions") === "newExpressions" || declared.kubeVersion !== undefined)
      return undefined;
    this.#newMeansStored ??= newMeansStored();
    return this.#newMeansStored ? { ...declared, mode: "newExpressions" } : undefined;
  }

  #environment(declared: Declared): Env {
    const key = environmentKey(declared);
    return remembered(this.#environments, key, EXPRESSIONS, () => createEnvironment(declared));
  }
}

function remembered<T>(known: Map<string, T>, key: string, most: number, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const made = make();
  if (known.size >= most) known.clear();
  known.set(key, made);
  return made;
}

/** The names and types of the variables before an expression. */
function typesText(types: VariableTypes): string {
  return [...types].map(([name, type]) => `${name}:${type ?? ""}`).join(";");
}

/** Undefined without a text form: unknown fields may hold anything. */
function textOf(resources: MatchResources): string | undefined {
  try {
    return JSON.stringify(resources);
  } catch {
    return undefined;
  }
}
