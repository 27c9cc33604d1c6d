// A planned expression, ready to be evaluated many times. Holds no state of an evaluation: share it between requests.

import { displayIssue } from "../ast/display.ts";
import type { Ast } from "../ast/expr.ts";
import { positionOf } from "../ast/position.ts";
import type { Position } from "../ast/source.ts";
import type { Plan } from "../plan/step.ts";
import { CelError, isError } from "../value/error.ts";
import { beginMeasuring, endMeasuring } from "../value/size/measure.ts";
import { costLimitExceeded, interruption, isStop } from "../value/size/stop.ts";
import { beginWork, endWork, type Interrupt, isWatched, restartWork } from "../value/size/work.ts";
import type { Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import { type Compiled, codeGenerationAllowed, compile } from "./compile.ts";
import { Frame, onePast, type Recorder, type Variables } from "./frame.ts";
import { asksOften, mayGrow } from "./growth.ts";
import { interpret, type Run } from "./interpret/interpret.ts";
import type { Conversion } from "./result.ts";
import { DEOPT, Meter } from "./runtime.ts";

/**
 * - `auto`: interpreted at first, compiled once it has been evaluated a few times, where code generation is allowed
 * - `compiled`: compiled at once; throws where code generation is forbidden
 * - `interpreted`: never compiled
 */
export type Mode = "auto" | "compiled" | "interpreted";

/** The result of an evaluation: a value or an error, and the cost. */
export type EvaluationResult<T = Value> =
  | { readonly value: T; readonly error: undefined; readonly cost: number }
  | { readonly value: undefined; readonly error: CelError; readonly cost: number };

/** Options for one evaluation: its budget, and what ends it. */
export interface EvaluateOptions {
  /** Ends the evaluation with an error once it has cost more than this. Overrides the environment's limit. */
  readonly costLimit?: number;
  /**
   * Ends a long evaluation once it is aborted. An AbortSignal, or any object with `aborted`, which is read every millisecond
   * or so: nothing else runs meanwhile, so it takes a flag that another thread sets to end an evaluation from outside.
   */
  readonly signal?: { readonly aborted: boolean };
  /** Ends any evaluation at a time in milliseconds as `Date.now()` counts, within some ten milliseconds. */
  readonly deadline?: number;
  /** Receives the value of every node; such an evaluation is interpreted. */
  readonly recorder?: Recorder;
}

/** The number of interpreted evaluations before compiling pays. */
const COMPILE_AFTER = 8;
/** After so many evaluations in a row that ended in the interpreter, compiling pauses for a number of evaluations. */
const DEOPTIMISED_IN_A_ROW = 50;
const PAUSE = 1000;

/** The variables of an evaluation; they may be left out where none is declared. */
// biome-ignore lint/suspicious/noConfusingVoidType: what lets a call leave the argument out
export type Given<V> = Record<never, never> extends V ? V | void : V;

/** Answers values of type `T` from variables of type `V`. */
// biome-ignore lint/suspicious/noExplicitAny: `Program` alone is any program
export class Program<T = Value, V = any> {
  /** The type the checker found; `dyn` for a tree that was not checked. */
  readonly type: Type;
  readonly plan: Plan;
  readonly ast: Ast;
  private mode: Mode;
  private readonly costLimit: number;
  private compiled: Compiled | undefined;
  /** The same with its set-up and clean-up; undefined if it needs more than a meter. */
  private direct: Compiled | undefined;
  private interpreted: Run | undefined;
  private recorded: Run | undefined;
  private evaluations = 0;
  private deoptimised = 0;
  /** Whether its growth has to be counted. */
  private readonly grows: boolean;
  /** Whether facts about large data are cached during the evaluation. */
  private readonly measures: boolean;
  /** Shared by plain evaluations: generated code writes its cost just before it returns, so nothing can come between. */
  private readonly meter: Meter;
  /** Converts results to values of the stated type; undefined when they are that already. */
  private readonly conversion: Conversion | undefined;

  constructor(plan: Plan, ast: Ast, mode: Mode, costLimit: number, conversion?: Conversion) {
    this.plan = plan;
    this.type = plan.step.type;
    this.ast = ast;
    this.costLimit = costLimit;
    this.conversion = conversion;
    this.meter = new Meter(costLimit, false);
    this.grows = mayGrow(plan.step);
    this.measures = asksOften(plan.step);
    this.mode = mode === "auto" && !codeGenerationAllowed() ? "interpreted" : mode;
    this.direct = undefined;
    if (mode === "compiled") this.compileNow();
  }

  /** The present form of the program. */
  get form(): "compiled" | "interpreted" {
    return this.compiled ? "compiled" : "interpreted";
  }

  private compileNow(): void {
    this.compiled = compile(this.plan);
    if (this.compiled === undefined) this.mode = "interpreted";
    const { compiled } = this;
    if (compiled === undefined || this.conversion !== undefined || this.grows) this.direct = undefined;
    else this.direct = this.measures ? measuring(compiled) : compiled;
  }

  /** Evaluates over `variables`, read as they are. Errors are part of the outcome, never thrown. */
  evaluate(given: Given<V>, options?: EvaluateOptions): EvaluationResult<T> {
    const variables = (given ?? NO_VARIABLES) as Variables;
    if (options?.deadline !== undefined && Date.now() > options.deadline)
      return { value: undefined, error: interruption(), cost: 0 };
    const run = this.compiled;
    if (run === undefined) return this.evaluateUncompiled(variables, options);
    if (options !== undefined || this.grows || isWatched()) return this.evaluateWatched(run, variables, options);
    return this.runCompiled(run, variables, this.meter, undefined);
  }

  /** The value or the error alone, for hot paths: the same evaluation, its cost counted and limited, without an object for the result. */
  run(given: Given<V>): T | CelError {
    const { direct, meter } = this;
    // Engines inline a call only if it passes its own parameters on.
    if (direct === undefined || given === undefined || isWatched()) return valueOrError(this.evaluate(given));
    try {
      const value = direct(given as Variables, meter);
      if (value !== DEOPT) {
        if (this.deoptimised > 0) this.deoptimised = 0;
        return meter.cost <= meter.limit ? (value as T | CelError) : costLimitExceeded();
      }
    } catch (thrown) {
      if (isStop(thrown)) return thrown.error;
      // Thrown by data or a host's function: the interpreter words the error.
    }
    return valueOrError(this.deoptimise(given as Variables, undefined));
  }

  private evaluateUncompiled(variables: Variables, options: EvaluateOptions | undefined): EvaluationResult<T> {
    if (this.mode !== "auto" || ++this.evaluations < COMPILE_AFTER) return this.interpretOnce(variables, options);
    this.compileNow();
    return this.compiled ? this.evaluate(variables as V, options) : this.interpretOnce(variables, options);
  }

  /** Evaluates while time or memory is counted. Such evaluations take longer than the counting does. */
  private evaluateWatched(
    run: Compiled,
    variables: Variables,
    options: EvaluateOptions | undefined,
  ): EvaluationResult<T> {
    if (options?.recorder) return this.interpretOnce(variables, options);
    const outer = beginWork(interruptOf(options), this.grows);
    const plain = options === undefined && !isWatched();
    const meter = plain ? this.meter : new Meter(options?.costLimit ?? this.costLimit, isWatched());
    meter.cost = 0;
    const outcome = this.runCompiled(run, variables, meter, options);
    return endWork(outer) ? interrupted(outcome) : outcome;
  }

  private runCompiled(
    run: Compiled,
    variables: Variables,
    meter: Meter,
    options: EvaluateOptions | undefined,
  ): EvaluationResult<T> {
    let outcome: EvaluationResult<T> | undefined;
    if (this.measures) beginMeasuring();
    try {
      const value = run(variables, meter);
      if (value !== DEOPT) {
        if (this.deoptimised > 0) this.deoptimised = 0;
        outcome = meter.cost <= meter.limit ? this.outcome(value, meter.cost) : limitCrossed(meter.limit);
      }
    } catch (thrown) {
      if (isStop(thrown)) outcome = { value: undefined, error: thrown.error, cost: meter.cost };
    }
    if (this.measures) endMeasuring();
    return outcome ?? this.deoptimise(variables, options);
  }

  /**
   * Generated code leaves rare cases to the interpreter; evaluation is pure, so it starts again. When that happens every time, the code is
   * put aside for a while.
   */
  private deoptimise(variables: Variables, options: EvaluateOptions | undefined): EvaluationResult<T> {
    if (++this.deoptimised >= DEOPTIMISED_IN_A_ROW && this.mode === "auto") {
      this.compiled = undefined;
      this.direct = undefined;
      this.deoptimised = 0;
      this.evaluations = -PAUSE;
    }
    if (this.grows) restartWork();
    return this.interpretOnce(variables, options);
  }

  private interpretOnce(variables: Variables, options: EvaluateOptions | undefined): EvaluationResult<T> {
    const recorder = options?.recorder;
    const limit = options?.costLimit ?? this.costLimit;
    const outer = beginWork(interruptOf(options), this.grows);
    const frame = new Frame(variables, this.plan.slots, limit, isWatched(), recorder);
    let outcome: EvaluationResult<T>;
    beginMeasuring();
    try {
      // Within: a plan nested deeper than the stack can be built is an error of the evaluation too.
      const run = recorder
        ? (this.recorded ??= interpret(this.plan, true))
        : (this.interpreted ??= interpret(this.plan, false));
      outcome = this.outcome(run(frame), frame.cost);
    } catch (thrown) {
      const error = isStop(thrown) ? thrown.error : internalError(thrown);
      outcome = { value: undefined, error, cost: frame.cost };
    }
    endMeasuring();
    return endWork(outer) ? interrupted(outcome) : outcome;
  }

  private outcome(value: Value | CelError, cost: number): EvaluationResult<T> {
    if (isError(value)) return { value: undefined, error: value, cost };
    if (this.conversion === undefined) return { value: value as T, error: undefined, cost };
    const converted = this.conversion(value);
    if (isError(converted)) return { value: undefined, error: converted.at(this.plan.step.id), cost };
    return { value: converted as T, error: undefined, cost };
  }

  /** Finds the place in the text at which an error arose; undefined for errors of the evaluation as a whole (a limit, an interruption). */
  locate(error: CelError): Position | undefined {
    const span = this.ast.spans.get(error.node);
    return span && positionOf(this.ast.source, span.at);
  }

  /** The error with line, column and a caret, as issues are shown. */
  display(error: CelError): string {
    const { code, message } = error;
    const span = this.ast.spans.get(error.node);
    if (span === undefined) return `ERROR: ${this.ast.source.name}: ${message}`;
    return displayIssue({ code, message, severity: "error", span }, this.ast.source);
  }
}

/** Only charges of one each are made without a look at the limit: the first of them that crosses it ends the evaluation. */
function limitCrossed(limit: number): EvaluationResult<never> {
  return { value: undefined, error: costLimitExceeded(), cost: onePast(limit) };
}

/** An interruption inside an evaluation has no result. */
function interrupted<T>(outcome: EvaluationResult<T>): EvaluationResult<T> {
  return outcome.error?.code === "interrupted"
    ? outcome
    : { value: undefined, error: interruption(), cost: outcome.cost };
}

function measuring(run: Compiled): Compiled {
  return (variables, meter) => {
    beginMeasuring();
    try {
      return run(variables, meter);
    } finally {
      endMeasuring();
    }
  };
}

function valueOrError<T>({ value, error }: EvaluationResult<T>): T | CelError {
  return error ?? (value as T);
}

const NO_VARIABLES: Variables = Object.freeze({});

function interruptOf(options: EvaluateOptions | undefined): Interrupt | undefined {
  if (options === undefined) return undefined;
  const { signal, deadline } = options;
  if (signal === undefined && deadline === undefined) return undefined;
  return { interrupted: () => signal?.aborted === true || (deadline !== undefined && Date.now() > deadline) };
}

/** A host's getter or function threw, or data was nested deeper than the stack: the evaluation fails, nothing else does. */
function internalError(thrown: unknown): CelError {
  let text: string;
  try {
    text = thrown instanceof Error ? `${thrown.message}` : String(thrown);
  } catch {
    text = "something that has no text was thrown";
  }
  return new CelError("internal", `internal error: ${text}`);
}
