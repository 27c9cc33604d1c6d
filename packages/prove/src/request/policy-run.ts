// A policy over an open request: match, conditions, variables and validations, as the API server evaluates them.

import type { CompiledPolicy, Expression } from "@celadon/admission/steps";
import type { Program } from "@celadon/cel";
import type { Evaluator } from "../evaluate/evaluate.ts";
import { type Frame, type Truth, truth } from "../evaluate/evaluation.ts";
import { requireFailure } from "../evaluate/failure.ts";
import type { Path } from "../path/path.ts";
import { ERROR, type Symbolic } from "../path/symbolic.ts";
import type { SymbolicRequest } from "./symbolic-request.ts";

export type Conditions = "met" | "unmet" | "error";

/** One policy on one path. Variables are evaluated when they are first read, once. */
export class PolicyRun {
  readonly #policy: CompiledPolicy;
  readonly #request: SymbolicRequest;
  readonly #params: Symbolic;
  readonly #evaluator: Evaluator;
  readonly #variables = new Map<string, Symbolic>();
  readonly #scope: Symbolic;

  constructor(policy: CompiledPolicy, request: SymbolicRequest, params: Symbolic, evaluator: Evaluator) {
    this.#policy = policy;
    this.#request = request;
    this.#params = params;
    this.#evaluator = evaluator;
    this.#scope = { is: "scope", read: (name) => this.#variable(name) };
  }

  get path(): Path {
    return this.#evaluator.path;
  }

  /** One that is false decides before any error. */
  conditions(): Conditions {
    let failed = false;
    for (const condition of this.#policy.conditions) {
      const result = this.truth(condition);
      if (result === false) return "unmet";
      if (result === "error") failed = true;
    }
    return failed ? "error" : "met";
  }

  validation(index: number): Truth {
    const validation = this.#policy.validations[index];
    return validation === undefined ? "error" : this.truth(validation);
  }

  /** Ends every path on which a validation does not fail. */
  requireFailure(index: number): void {
    const validation = this.#policy.validations[index];
    if (validation?.program === undefined) return;
    requireFailure(this.#evaluator, validation.program.plan.step, this.#frame(validation.program, validation.text));
  }

  truth(expression: Expression): Truth {
    return truth(this.#evaluator, this.#run(expression));
  }

  #run({ program, text }: Expression): Symbolic {
    if (program === undefined) return ERROR;
    return this.#evaluator.run(program.plan.step, this.#frame(program, text));
  }

  #frame({ plan, ast }: Program, text: string): Frame {
    return {
      locals: new Array(plan.slots),
      variables: (name) => {
        if (name === "variables") return this.#scope;
        return name === "params" ? this.#params : this.#request.variable(name);
      },
      typed: false,
      textOf: (id) => {
        const span = ast.spans.get(id);
        return span === undefined ? text : text.slice(span.start, span.end) || text;
      },
    };
  }

  #variable(name: string): Symbolic | undefined {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    const index = this.#policy.variables.names.get(name);
    const expression = index === undefined ? undefined : this.#policy.variables.expressions[index];
    if (expression === undefined) return undefined;
    // A variable that reads itself fails.
    this.#variables.set(name, ERROR);
    const value = this.#run(expression);
    this.#variables.set(name, value);
    return value;
  }
}
