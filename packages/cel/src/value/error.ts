// Evaluation errors are values: `false && error` is false in either order, so an error has to be carried, not thrown.

import { CelObject } from "@celadon/base";
/** The kind of an error, for programs. Stable; messages are not. */
export type ErrorCode =
  | "no_such_key"
  | "no_such_field"
  | "no_such_attribute"
  | "no_such_overload"
  | "index_out_of_bounds"
  | "overflow"
  | "division_by_zero"
  | "conversion"
  | "invalid_argument"
  | "cost_limit"
  | "memory_limit"
  | "interrupted"
  | "internal";

/** An error of an evaluation. `node` is the id of the expression that failed, filled in by the evaluator. */
export class CelError extends CelObject {
  readonly code: ErrorCode;
  readonly message: string;
  readonly node: number;
  /** The error that this one reports, where it says more than its own. */
  readonly cause: CelError | undefined;
  /** The key, field or index that does not exist, as the message shows it. */
  readonly key: string | undefined;

  constructor(code: ErrorCode, message: string, node = 0, cause?: CelError, key?: string) {
    super();
    this.code = code;
    this.message = message;
    this.node = node;
    this.cause = cause;
    this.key = key;
  }

  /** The same error, blamed on `node` unless a deeper node has been blamed already. */
  at(node: number): CelError {
    return this.node === 0 ? new CelError(this.code, this.message, node, this.cause, this.key) : this;
  }

  override toString(): string {
    return this.message;
  }
}

/** A call at which the reference panics: the evaluation ends there, and nothing absorbs the error. */
export class Panic extends CelError {
  constructor(message: string, node = 0) {
    super("internal", `internal error: ${message}`, node);
    this.reason = message;
  }
  private readonly reason: string;

  override at(node: number): Panic {
    return this.node === 0 ? new Panic(this.reason, node) : this;
  }
}

/** An error as a value: it is returned, never thrown. */
export function celError(code: ErrorCode, message: string): CelError {
  return new CelError(code, message);
}
/** Whether a value is an error. */
export function isError(value: unknown): value is CelError {
  return value instanceof CelError;
}

/** The error of a function that does not take values of these types. */
export const noSuchOverload = (): CelError => new CelError("no_such_overload", "no such overload");
/** The error of a key that a map does not have. */
export const noSuchKey = (key: string): CelError =>
  new CelError("no_such_key", `no such key: ${key}`, 0, undefined, key);
/** The error of an index that a list does not have. */
export const indexOutOfBounds = (index: string): CelError =>
  new CelError("index_out_of_bounds", `index out of bounds: ${index}`, 0, undefined, index);
