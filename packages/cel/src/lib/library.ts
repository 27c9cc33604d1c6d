// A function library is one table: its rows, and what comes with them. What rows are written with is in call/overload.ts.

import type { Overload } from "../call/overload.ts";
import type { Validator } from "../check/validators.ts";
import type { Macro } from "../parse/macro.ts";
import type { Constant } from "../types/provider.ts";
import type { Type } from "../value/type.ts";

export {
  boxedResult,
  fn,
  method,
  nonStrict,
  type Overload,
  operator,
  specialized,
  unguarded,
  variadic,
} from "../call/overload.ts";
export type { Int } from "../value/type.ts";

/** Functions, macros and types that an environment gets under one name: a table of overloads. */
export interface Library {
  /** The name that it has upstream: `cel.lib.ext.strings`. */
  readonly name: string;
  /** For libraries published in several versions. */
  readonly version?: number;
  readonly overloads: readonly Overload[];
  readonly macros?: readonly Macro[];
  /** Type names that become identifiers (`net.IP`). */
  readonly types?: readonly Type[];
  readonly constants?: readonly Constant[];
  /** Conditions on calls beyond their types; run after the environment's own. */
  readonly validators?: readonly Validator[];
  /**
   * Whether run-time costs are found by overload (upstream's default: an ambiguous call costs 1) or by function name alone
   * (estimators that switch on the name, as Kubernetes' does).
   */
  readonly costBy?: "overload" | "function";
}
