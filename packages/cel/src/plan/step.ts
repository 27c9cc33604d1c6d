// The plan: an expression ready to run. Names are resolved to variables and slots, calls to overloads, macros to loops,
// constants are folded. The interpreter (run/interpret/interpret.ts) and the compiled form (run/compile.ts) run the same plan.
//
// Costs are attached where the reference implementation charges them, so that both count alike.

import type { Overload } from "../call/overload.ts";
import type { Field, StructType } from "../types/provider.ts";
import type { CelError } from "../value/error.ts";
import type { Release } from "../value/release.ts";
import type { Type } from "../value/type.ts";
import type { Value } from "../value/value.ts";
import type { Origin } from "./origin.ts";

/** A node of a plan. */
export type Step =
  | Const
  | Attr
  | Logic
  | Equality
  | CallStep
  | InSet
  | ListStep
  | MapStep
  | StructStep
  | OptionalOr
  | Quantifier
  | Count
  | Collect
  | CollectMap
  | Fold
  | Bind
  | Block;

interface Node {
  /** The expression's id in the tree. */
  readonly id: number;
  /** The checked type; dyn where nothing is known. */
  readonly type: Type;
}

export interface Const extends Node {
  readonly op: "const";
  readonly value: Value;
}

/** A variable, or the result of another step, with the selects and indexes applied to it. */
export interface Attr extends Node {
  readonly op: "attr";
  readonly root: Root;
  readonly path: readonly Qualifier[];
  /** True when the last qualifier is a presence test: `has(a.b)`. */
  readonly test: boolean;
}

/** The beginning of an attribute: a variable, a local name, or another step. */
export type Root = GlobalRoot | LocalRoot | LazyRoot | ValueRoot | ConditionalRoot | AmbiguousRoot;

/** A variable of the activation. */
export interface GlobalRoot {
  readonly kind: "global";
  readonly name: string;
  /** Read past a loop's variable of the same name. The reference charges nothing for selections from it. */
  readonly passesLocals?: boolean;
  readonly type: Type;
}
/** A loop's variable or accumulator. */
export interface LocalRoot {
  readonly kind: "local";
  readonly slot: number;
  /** The type under which it is read: dyn where the checker's type says nothing about the data. */
  readonly type: Type;
  /** The origin of the values that the loop runs over. */
  readonly origin: Origin;
}
/** A bound name: evaluated on first use, at most once. */
export interface LazyRoot {
  readonly kind: "lazy";
  readonly slot: number;
  readonly init: Step;
  readonly type: Type;
}
/** Anything else that is selected from. */
export interface ValueRoot {
  readonly kind: "value";
  readonly step: Step;
}
/** `test ? a : b`. Its branches are resolved without the charge that a variable has on its own. */
export interface ConditionalRoot {
  readonly kind: "conditional";
  readonly test: Step;
  readonly whenTrue: Attr;
  readonly whenFalse: Attr;
}
/** An unchecked name that may be any of several variables: the first that exists is taken. */
export interface AmbiguousRoot {
  readonly kind: "ambiguous";
  /** Longest name first: `a.b.c`, then `a.b` with `.c` still to be applied, … */
  readonly candidates: readonly { readonly names: readonly Name[]; readonly taken: number }[];
}
/** One thing a name could be: a variable, or a type or enum constant. */
export interface Name {
  readonly name: string;
  readonly constant: Value | undefined;
}

/** One select or index of an attribute. */
export type Qualifier = KeyQualifier | StepQualifier;
interface QualifierNode {
  readonly id: number;
  /** The type under which the found value is read: dyn where the checker's type says nothing about the data. */
  readonly type: Type;
  readonly optional: boolean;
}
/** `.name` or `[constant]`; `field` when the operand is known to be a struct. */
export interface KeyQualifier extends QualifierNode {
  readonly kind: "key";
  readonly key: Value;
  readonly field: Field | undefined;
}
/** `[expression]`; a variable path inside is resolved without the variable's own charge. */
export interface StepQualifier extends QualifierNode {
  readonly kind: "step";
  readonly step: Step;
}

export interface Logic extends Node {
  readonly op: "and" | "or";
  readonly left: Step;
  readonly right: Step;
}

/** `==` and `!=`. */
export interface Equality extends Node {
  readonly op: "eq" | "ne";
  readonly left: Step;
  readonly right: Step;
}

/** A call of a function or operator. */
export interface CallStep extends Node {
  readonly op: "call";
  readonly name: string;
  /** The one overload the checker found, or undefined when there are several or nothing was checked. */
  readonly overload: Overload | undefined;
  /** All overloads that a run-time dispatch may choose from. */
  readonly candidates: readonly Overload[];
  readonly args: readonly Step[];
  /** An implementation made for the constant arguments; takes the same arguments as `overload.call`. */
  readonly special: Overload["call"];
}

/** `x in [constants]`: a set look-up, free of charge beyond x. */
export interface InSet extends Node {
  readonly op: "inSet";
  readonly arg: Step;
  readonly list: readonly Value[];
}

export interface ListStep extends Node {
  readonly op: "list";
  readonly elements: readonly Step[];
  readonly optional: readonly boolean[] | undefined;
}
export interface MapStep extends Node {
  readonly op: "map";
  /** Only keys the specification allows, and none twice. */
  readonly strict: boolean;
  readonly entries: readonly MapEntry[];
}
export interface MapEntry {
  readonly key: Step;
  readonly value: Step;
  readonly optional: boolean;
  /** The key is a separate value each time: an object or list of data, or a library's value, is then unlike every other. */
  readonly apart: boolean;
}
export interface StructStep extends Node {
  readonly op: "struct";
  readonly struct: StructType;
  readonly fields: readonly { readonly name: string; readonly value: Step; readonly optional: boolean }[];
}

/** `o.or(p)` and `o.orValue(v)`: the right side only when needed, no charge. */
export interface OptionalOr extends Node {
  readonly op: "optionalOr";
  readonly unwrap: boolean;
  readonly left: Step;
  readonly right: Step;
}

/** The range and the variables of a loop. */
export interface LoopVars {
  readonly range: Step;
  /** Slot of the element or key; with two variables, of the index or key. */
  readonly slot: number;
  /** Slot of the element or value; -1 for one-variable loops. */
  readonly slot2: number;
  /** The types that the two are read under, and where the range comes from. */
  readonly type1: Type;
  readonly type2: Type;
  readonly origin: Origin;
}
/** `all` and `exists`. */
export interface Quantifier extends Node, LoopVars {
  readonly op: "all" | "exists";
  readonly predicate: Step;
}
/** `exists_one`. */
export interface Count extends Node, LoopVars {
  readonly op: "existsOne";
  readonly predicate: Step;
}
/** `map`, `filter`, `transformList`: a list of transformed elements, those that fit the predicate. */
export interface Collect extends Node, LoopVars {
  readonly op: "collect";
  readonly predicate: Step | undefined;
  readonly transform: Step;
}
/** `transformMap` (key and value) and `transformMapEntry` (a map to merge in, key undefined). */
export interface CollectMap extends Node, LoopVars {
  readonly op: "collectMap";
  readonly predicate: Step | undefined;
  readonly key: Step | undefined;
  readonly transform: Step;
}
/** A comprehension of no known shape. */
export interface Fold extends Node, LoopVars {
  readonly op: "fold";
  readonly accu: number;
  readonly init: Step;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}
/** A name for a value inside an expression: `cel.bind`, `optMap`. */
export interface Bind extends Node {
  readonly op: "bind";
  readonly slot: number;
  /** The value, if it is evaluated before the body. */
  readonly eager: LazyRoot | undefined;
  readonly body: Step;
}
/** `cel.@block([a, b, …], result)`: numbered sub-expressions, each evaluated on first use. */
export interface Block extends Node {
  readonly op: "block";
  readonly slots: readonly number[];
  readonly body: Step;
}

/** A planned expression. */
export interface Plan {
  readonly step: Step;
  /** The number of local slots of a frame. */
  readonly slots: number;
  readonly options: PlanOptions;
}

export interface PlanOptions {
  /** The cost of `has(a.b)` itself: cel-go's default is 1, Kubernetes chooses 0. */
  readonly presenceTestCost: 0 | 1;
  /** A constant conversion or pattern that fails makes planning fail, instead of every evaluation. */
  readonly strictConstants: boolean;
  /** The specification's answers where the reference's differ. */
  readonly specification: boolean;
  /** Whether values of libraries state the price of `==`. */
  readonly statedPrices: boolean;
  /** The release of cel-go that is followed. */
  readonly release: Release;
}

/** Why a plan could not be made: a constant that can never work. */
export interface PlanFailure {
  readonly error: CelError;
}
