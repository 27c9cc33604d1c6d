// A function library is one table with its macros, types and validators. The constructors of rows are in call/overload.ts.

import type { Overload } from "../call/overload.ts";
import type { Validator } from "../check/validators.ts";
import type { Macro } from "../parse/macro.ts";
import type { Constant } from "../types/provider.ts";
import { hasChange, holdsIn, NEWEST_RELEASE, type Release } from "../value/release.ts";
import { type Type, withOldOptionals } from "../value/type.ts";
import { oldTypeOf } from "../value/type-of.ts";

export {
  before,
  boxedResult,
  fn,
  method,
  nonStrict,
  type Overload,
  operator,
  since,
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
  /**
   * Rows as older releases of cel-go have them, made with `before`. Rows for older releases: a row that the table has under the same id
   * replaced it later; all others were removed.
   */
  readonly older?: readonly Overload[];
  readonly macros?: readonly Macro[];
  /** The macros in an older release of cel-go, where they were others. */
  readonly olderMacros?: (release: Release) => readonly Macro[];
  /** Type names that become identifiers (`net.IP`). */
  readonly types?: readonly Type[];
  /** The types in an older release of cel-go, where they were others. */
  readonly olderTypes?: (release: Release) => readonly Type[];
  readonly constants?: readonly Constant[];
  /** Conditions on calls beyond their types; run after the environment's own. */
  readonly validators?: readonly Validator[];
  /** The release of cel-go that brought the validators; they were always there when absent. */
  readonly validatorsSince?: Release;
  /**
   * Whether run-time costs are found by overload (upstream's default: an ambiguous call costs 1) or by function name alone
   * (estimators that switch on the name, as Kubernetes' does).
   */
  readonly costBy?: "overload" | "function";
}

/** The rows of a library in a release of cel-go, in the order of its table. */
export function overloadsIn(library: Library, release: Release): readonly Overload[] {
  const rows = rowsIn(library, release);
  return hasChange(release, "optionalTypeNamed") ? rows : rows.map(withOldTypes);
}

/** The row with the older name of the type of optionals. */
function withOldTypes(row: Overload): Overload {
  return {
    ...row,
    args: row.args.map(withOldOptionals),
    result: withOldOptionals(row.result),
    typeIn: oldTypeOf,
  };
}

function rowsIn(library: Library, release: Release): readonly Overload[] {
  const rows = library.overloads.filter((row) => isIn(row, release));
  if (library.older === undefined || release >= NEWEST_RELEASE) return rows;
  const older = new Map(library.older.filter((row) => isIn(row, release)).map((row) => [row.id, row]));
  const replaced = rows.map((row) => older.get(row.id) ?? row);
  const ids = new Set(rows.map((row) => row.id));
  return [...replaced, ...[...older.values()].filter((row) => !ids.has(row.id))];
}

const isIn = ({ releases }: Overload, release: Release): boolean =>
  releases === undefined || holdsIn(releases, release);
