// One overload of a function: a row of a library's table. Checker, cost model, planner, documentation and completion read it;
// nothing else lists functions.

import type { CostFormula } from "../cost/formula.ts";
import type { CelError } from "../value/error.ts";
import type { Release, ReleaseRange } from "../value/release.ts";
import type { Int, Type } from "../value/type.ts";
import type { Timestamp, Value } from "../value/value.ts";

/** The form in which an implementation receives an argument: bare numbers for double and uint, the value itself otherwise. */
// biome-ignore lint/suspicious/noExplicitAny: the row's argument tuple types the implementation, see `fn`
type AnyImplementation = (...args: any[]) => unknown;

type ArgsOf<A extends readonly Type[]> = { [I in keyof A]: A[I] extends Type<infer T, infer D> ? Seen<T, D> : never };

/** Numbers and times are themselves; elements of containers have the form of the data. */
type Seen<T, D> = [T] extends [Int | Timestamp] ? T : D;

/** One overload: a row of the table. */
export interface Overload {
  readonly name: string;
  readonly id: string;
  /** True for `receiver.name(args)`; the receiver is the first of `args`. */
  readonly member: boolean;
  readonly args: readonly Type[];
  readonly result: Type;
  readonly cost: CostFormula;
  /**
   * Takes bare arguments (see value/value.ts) and answers a bare result or a CelError. Pure: it may be called again for the same
   * evaluation. Absent for functions that the planner itself evaluates (`_&&_`, `_?_:_`, `_[_]`) and for declarations.
   */
  readonly call: AnyImplementation | undefined;
  /**
   * Makes an implementation for calls with constant arguments (undefined where not constant), for example with a pattern compiled once.
   * Answers a CelError when a constant can never work, undefined when there is nothing to gain.
   */
  readonly specialize?: (constants: readonly Value[]) => AnyImplementation | CelError | undefined;
  /** The specialised form says plain "no such overload" when an argument does not fit, without naming the types. */
  readonly terseSpecial?: boolean;
  /** Wants errors as arguments instead of being skipped by them. */
  readonly nonStrict: boolean;
  /**
   * Operators answer "no such overload" when their operands do not fit and try every overload of the name; other functions
   * answer "no such overload: name(types)" and, when the checker found one overload, try only that.
   */
  readonly operator: boolean;
  /** The run-time cost holds for every call of the name, also when several overloads fit (see `Library.costBy`). */
  readonly costByName?: boolean;
  /** The cost of calls by this name, if it differs from the row's. The first row of a name says it. */
  readonly nameCost?: CostFormula;
  /** Whether a call with two arguments ends at a failing first one: upstream binds it as a function of any number of arguments. */
  readonly variadic?: boolean;
  /** Checks its arguments itself, so it is called with values of any type. */
  readonly unguarded?: boolean;
  /**
   * Answers a boxed value although `result` is double or uint: chosen by the first element of a list of mixed numbers, it may
   * find that another one is the answer.
   */
  readonly boxedResult?: boolean;
  /** The id of a row of the same name, of another library, that it comes before; otherwise it comes last. */
  readonly before?: string;
  /** The type of an argument in an error, in releases that name one otherwise. */
  readonly typeIn?: (value: Value) => Type;
  /** The releases of cel-go that have this row; all when absent (see `Library.older`). */
  readonly releases?: ReleaseRange;
  /** A host's own function: elements of the lists it returns are data under the declared type. */
  readonly host?: boolean;
}

/** `name(args)`. */
export function fn<const A extends readonly Type[], R, D>(
  name: string,
  id: string,
  args: A,
  result: Type<R, D>,
  cost: CostFormula,
  call?: (...args: ArgsOf<A>) => Seen<R, D> | CelError,
): Overload {
  return { name, id, member: false, args, result, cost, call, nonStrict: false, operator: false };
}

/** `receiver.name(args)`; the receiver's type is the first of `args`. */
export function method<const A extends readonly [Type, ...Type[]], R, D>(
  name: string,
  id: string,
  args: A,
  result: Type<R, D>,
  cost: CostFormula,
  call?: (...args: ArgsOf<A>) => Seen<R, D> | CelError,
): Overload {
  return { name, id, member: true, args, result, cost, call, nonStrict: false, operator: false };
}

/** The same row as an operator: dispatched over all overloads of its name, terse errors. */
export function operator(row: Overload): Overload {
  return { ...row, operator: true };
}

/** The same row, with an implementation made for constant arguments (see `Overload.specialize`). */
export function specialized(row: Overload, specialize: NonNullable<Overload["specialize"]>): Overload {
  return { ...row, specialize };
}

/** The same row, called with errors too. */
export function nonStrict(row: Overload): Overload {
  return { ...row, nonStrict: true };
}

/** The same row, bound as a function of any number of arguments (see `Overload.variadic`). */
export function variadic(row: Overload): Overload {
  return { ...row, variadic: true };
}

/** The same row, which checks its arguments itself (see `Overload.unguarded`). */
export function unguarded(row: Overload): Overload {
  return { ...row, unguarded: true };
}

/** The same row, which answers boxed values (see `Overload.boxedResult`). */
export function boxedResult(row: Overload): Overload {
  return { ...row, boxedResult: true };
}

/** The same row, from a release of cel-go on. */
export function since(release: Release, row: Overload): Overload {
  return { ...row, releases: { ...row.releases, since: release } };
}

/** The same row, as it was before a release of cel-go. */
export function before(release: Release, row: Overload): Overload {
  return { ...row, releases: { ...row.releases, removed: release } };
}
