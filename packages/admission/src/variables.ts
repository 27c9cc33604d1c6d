// `variables` while evaluating: each expression runs when it is first read, its value or error is kept, and what it cost is
// charged to the expression that read it first. One object serves one group of expressions.

import {
  type CelError,
  celError,
  type EvaluateOptions,
  isError,
  MapValue,
  type Recorder,
  type Value,
} from "@celadon/cel";
import { noSuchOverload } from "@celadon/cel/extend";
import { variableFailsToCompile, variableFailsToEvaluate } from "@celadon/kube-cel";
import type { CompiledVariables } from "./compile.ts";

/** What expressions read, by name. */
export type Activation = Record<string, unknown>;

/** Told of variables as they are evaluated. */
export interface VariableObserver {
  recorder(name: string): Recorder | undefined;
  variable(name: string, value: Value | CelError, cost: number): void;
}

export class LazyVariables extends MapValue {
  readonly #compiled: CompiledVariables;
  readonly #activation: Activation;
  readonly #options: EvaluateOptions | undefined;
  readonly #observer: VariableObserver | undefined;
  readonly #values: (Value | CelError)[] = [];
  #cost = 0;

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

  /** What variables have cost since this was last asked. */
  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
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
    if (known !== undefined) return known;
    // While it runs it answers this: a name defined twice may use itself, which in the reference never ends.
    this.#values[index] = celError(
      "internal",
      `composited variable ${JSON.stringify(key)} fails to evaluate: it uses itself`,
    );
    const value = this.#evaluate(index);
    this.#values[index] = value;
    return value;
  }

  #evaluate(index: number): Value | CelError {
    const { name, program, error } = this.#compiled.expressions[index]!;
    if (program === undefined) return variableFailsToCompile(name, error);
    const recorder = this.#observer?.recorder(name);
    const options = recorder === undefined ? this.#options : { ...this.#options, recorder };
    const outcome = program.evaluate(this.#activation, options);
    this.#cost += outcome.cost;
    const value = outcome.error === undefined ? outcome.value : variableFailsToEvaluate(name, outcome.error);
    this.#observer?.variable(name, isError(value) ? value : outcome.value, outcome.cost);
    return value;
  }

  override equals(other: Value): boolean | CelError {
    return other instanceof LazyVariables ? this === other : noSuchOverload();
  }
}
