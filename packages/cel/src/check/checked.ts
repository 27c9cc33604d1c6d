// The input and the result of the checker.

import type { Ast } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import type { Overload } from "../call/overload.ts";
import type { StructType, TypeProvider } from "../types/provider.ts";
import type { Release } from "../value/release.ts";
import type { Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";

/** The names an expression may use. Built once per environment and shared. */
export interface Declarations {
  /** The namespace names are resolved in, `a.b.c`; empty for none. */
  readonly container: string;
  /** Short names for qualified ones, as cel-go's container aliases and abbreviations. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly variables: ReadonlyMap<string, Type>;
  /** Overloads by function name. */
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly provider: TypeProvider;
  /** Follows the specification where the reference differs. */
  readonly specification?: boolean;
  /** The release of cel-go that is followed; the newest when absent. */
  readonly release?: Release;
}

/** The meaning of a name or call. */
export type Reference =
  /** A variable by its full name; `a.b` may be one variable, then the reference stands on the select. */
  | {
      readonly kind: "variable";
      readonly name: string;
      /** The environment's, although a comprehension has declared the name. */
      readonly root?: boolean;
    }
  /** A constant: an enum member or a type's name. */
  | { readonly kind: "constant"; readonly name: string; readonly value: Value }
  /** A function with the overloads that fit; `qualified` when the target is part of its name (`math.greatest`). */
  | {
      readonly kind: "function";
      readonly name: string;
      readonly overloads: readonly Overload[];
      readonly qualified: boolean;
    }
  /** The type of a struct literal by its full name, with how to build it. */
  | { readonly kind: "struct"; readonly name: string; readonly struct: StructType };

/** A checked tree. The tree itself is unchanged; types and references are in tables by node id. */
export interface Checked {
  readonly ast: Ast;
  readonly type: Type;
  readonly types: ReadonlyMap<number, Type>;
  readonly references: ReadonlyMap<number, Reference>;
  readonly issues: readonly Issue[];
}
