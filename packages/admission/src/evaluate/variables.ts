// `variables` while evaluating: each expression runs when it is first read, its value or error is kept, and its cost is charged to the
// expression that read it first. One object serves one group of expressions.

import {
  type CelError,
  celError,
  type EvaluateOptions,
  isError,
  MapValue,
  type Recorder,
  type Value,
} from "@celadon/cel";
import { noSuchOverload } from "@celadon/cel/values";
import { variableFailsToCompile, variableFailsToEvaluate } from "@celadon/kube-cel";
import type { CompiledVariables } from "../compile/compile.ts";

/** The values that expressions read, by name. */
export type Activation = Record<string, unknown>;

/** Told of variables as they are evaluated. */
export interface VariableObserver {
  recorder(name: string): Recorder | undefined;
  variable(name: string, value: Value | CelError, cost: number): void;
  /** The evaluation begun last does not count: it will be repeated. */
  discard(): void;
}

/**
 * The number of variables that may be under way inside each other. Beyond that the innermost is evaluated by itself first and the others
 * are begun again: a policy may chain as many variables as it likes without coming near the end of the stack.
 */
const DEPTH = 48;

export class LazyVariables extends MapValue {
  readonly #compiled: CompiledVariables;
  readonly #activation: Activation;
  readonly #options: EvaluateOptions | undefined;
  readonly #observer: VariableObserver | undefined;
  readonly #values: (Value | CelError)[] = [];
  #cost = 0;
  #depth = 0;
  /** A variable that has to be evaluated before the current one can continue. */
  #needed: number | undefined;

  constructor(
    compiled: CompiledVariables,
    activation: Activation,
    options: EvaluateOptions | undefined,
    observer?: VariableObserver,
  ) {
    super();
    this.#compiled = compiled;
    this.#activation = activation;
    this.#options = options;
    this.#observer = observer;
  }

  /** The cost of variables since the last call. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  /** True if the last evaluation met too deep a chain: its result does not count, and after `settle` it can be repeated. */
  get unsettled(): boolean {
    return this.#needed !== undefined;
  }

  /** Evaluates the needed variables, from the innermost outwards. */
  settle(): void {
    const chain: number[] = [];
    for (let index = this.#needed; index !== undefined; index = chain.at(-1)) {
      if (chain.at(-1) !== index) chain.push(index);
      this.#needed = undefined;
      const value = this.#begin(index);
      if (this.#needed === undefined) {
        this.#values[index] = value;
        chain.pop();
        continue;
      }
      // Waiting variables stay marked as under way, so that one of them is not needed by itself.
      this.#values[index] = UNDER_WAY;
      chain.push(this.#needed);
    }
    this.#needed = undefined;
  }

  override get size(): number {
    return this.#compiled.names.size;
  }

  override keys(): Iterable<string> {
    return this.#compiled.names.keys();
  }

  override find(key: Value): Value | CelError | undefined {
    if (typeof key !== "string") return noSuchOverload();
    const index = this.#compiled.names.get(key);
    if (index === undefined) return undefined;
    const known = this.#values[index];
    if (known !== undefined) return known === UNDER_WAY ? usesItself(this.#nameOf(index)) : known;
    if (this.#needed !== undefined || this.#depth >= DEPTH) {
      this.#needed ??= index;
      return celError("internal", "variables are evaluated again");
    }
    const value = this.#begin(index);
    // A value that met an unsettled chain is not known yet.
    if (this.#needed !== undefined) delete this.#values[index];
    else this.#values[index] = value;
    return value;
  }

  // While it runs, a variable answers that it uses itself: a name defined twice may, which in the reference never ends.
  #begin(index: number): Value | CelError {
    this.#values[index] = UNDER_WAY;
    this.#depth++;
    try {
      return this.#evaluate(index);
    } finally {
      this.#depth--;
    }
  }

  #evaluate(index: number): Value | CelError {
    const { name, program, error } = this.#compiled.expressions[index]!;
    if (program === undefined) return variableFailsToCompile(name, error);
    const recorder = this.#observer?.recorder(name);
    const options = recorder === undefined ? this.#options : { ...this.#options, recorder };
    const outcome = program.evaluate(this.#activation, options);
    if (this.#needed !== undefined) {
      this.#observer?.discard();
      return undefined;
    }
    this.#cost += outcome.cost;
    const value = outcome.error === undefined ? outcome.value : variableFailsToEvaluate(name, outcome.error);
    this.#observer?.variable(name, isError(value) ? value : outcome.value, outcome.cost);
    return value;
  }

  #nameOf(index: number): string {
    return this.#compiled.expressions[index]!.name;
  }

  /** Returns the known values: showing variables evaluates none. */
  toJSON(): Readonly<Record<string, unknown>> {
    const known = [...this.#compiled.names].filter(([, index]) => !isError(this.#values[index] ?? MISSING));
    return Object.fromEntries(known.map(([name, index]) => [name, this.#values[index]]));
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof LazyVariables ? this === other : noSuchOverload();
  }
}

const MISSING = celError("internal", "not evaluated");
const UNDER_WAY = celError("internal", "not evaluated yet");

function usesItself(name: string): CelError {
  return celError("internal", `composited variable ${JSON.stringify(name)} fails to evaluate: it uses itself`);
}
