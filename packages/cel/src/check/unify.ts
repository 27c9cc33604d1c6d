// The types that variables stand for, and whether one type fits another with these. Assignability is the reference's: mostly symmetric,
// `dyn` fits everything, and a variable takes the more general of the types it meets.
//
// A question either succeeds and keeps its bindings or fails and leaves no trace.

import { isDyn, isSameType, kindOf } from "../types/compare-types.ts";
import { DYN, ERROR, isOptionalType, Type } from "../value/type.ts";
import { TypeVar, typeVar } from "./type-vars.ts";

/**
 * Steps of comparing and substituting composite types that one check may take. Types can grow exponentially with the text
 * (`cel.bind(b, {a: a}, cel.bind(c, {b: b}, …))`), work on them must not.
 */
const MAX_STEPS = 1_000_000;
/** Parts of a type that an expression may have. Deep literals have a few hundred. */
export const MAX_TYPE_SIZE = 10_000;

export class Substitution {
  /** The number of variables given out. */
  private count = 0;
  private readonly bound: (Type | undefined)[] = [];
  /** Parameters in declared types that no signature instantiates, by name. */
  private named: Map<string, Type | undefined> | undefined;
  /** The bindings to restore when a question fails: variable and former binding in turn. */
  private readonly trail: (Type | undefined)[] = [];
  private steps = 0;

  /** Set when the limits were met; answers are then not to be relied on. */
  exhausted = false;

  /** A new variable. */
  fresh(): Type {
    return typeVar(this.count++);
  }

  /** Reserves numbers for `count` new variables; returns the first. */
  reserve(count: number): number {
    const base = this.count;
    this.count += count;
    return base;
  }

  /** Whether `from` may be used where `to` is wanted. */
  assign(from: Type, to: Type): boolean {
    if (from === to && !from.open) {
      return true;
    }
    const fits = this.fits(from, to);
    this.settle(fits);
    return fits;
  }

  /** `assign` in pieces, for several pairs that succeed or fail together: any number of `fits`, then `settle`. */
  fits(from: Type, to: Type): boolean {
    if (from === to && !from.open) {
      return true;
    }
    if (to.kind === "param") {
      const outcome = this.bind(to, from);
      if (outcome !== OCCURS) {
        return outcome === BOUND;
      }
    }
    if (from.kind === "param") {
      return this.bind(from, to) === BOUND;
    }
    return this.fitsConcrete(from, to);
  }

  /** Ends a series of `fits`: forgets its bindings unless `keep`. */
  settle(keep: boolean): void {
    const { trail } = this;
    if (trail.length === 0) {
      return;
    }
    if (!keep) {
      for (let i = trail.length - 2; i >= 0; i -= 2) {
        this.write(trail[i] as Type, trail[i + 1]);
      }
    }
    trail.length = 0;
  }

  /** The type with the known types of its variables put in; unknown ones stay. */
  apply(type: Type): Type {
    return type.open ? this.rebuild(type, false) : type;
  }

  /** The type with its variables put in, `dyn` where nothing is known. */
  close(type: Type): Type {
    return type.open ? this.rebuild(type, true) : type;
  }

  private fitsConcrete(from: Type, to: Type): boolean {
    if (isDyn(from) || isDyn(to) || from.kind === "error" || to.kind === "error") {
      return true;
    }
    if (from.kind === "null") {
      return isNullable(to);
    }
    if (to.kind === "null") {
      return isNullable(from);
    }
    switch (from.kind) {
      case "untyped":
        return false;
      case "type":
        return to.kind === "type";
      case "list":
      case "map":
      case "opaque":
        return from.kind === to.kind && from.name === to.name && this.fitsAll(from.params, to.params);
      default:
        return kindOf(from) === kindOf(to) && from.name === to.name;
    }
  }

  private fitsAll(from: readonly Type[], to: readonly Type[]): boolean {
    if (from.length !== to.length || this.step()) {
      return false;
    }
    for (let i = 0; i < from.length; i++) {
      if (!this.fits(from[i] as Type, to[i] as Type)) {
        return false;
      }
    }
    return true;
  }

  /** Binds `variable` to `type`, or reconciles it with the type it is bound to already. */
  private bind(variable: Type, type: Type): Outcome {
    if (type.kind === "param" && isSameType(type, variable)) {
      return BOUND;
    }
    const current = this.read(variable);
    if (current === undefined) {
      if (this.occurs(variable, type)) {
        return OCCURS;
      }
      this.record(variable, type);
      return BOUND;
    }
    if (isSameType(type, current)) {
      return BOUND;
    }
    if (!this.fits(type, current)) {
      return CONFLICT;
    }
    const general = moreGeneral(type, current);
    if (general !== current && !this.occurs(variable, general)) {
      this.record(variable, general);
    }
    return BOUND;
  }

  private occurs(variable: Type, within: Type): boolean {
    if (!within.open) {
      return false;
    }
    if (within.kind === "param") {
      if (isSameType(variable, within)) {
        return true;
      }
      const current = this.read(within);
      return current !== undefined && this.occurs(variable, current);
    }
    if (this.step()) {
      return true;
    }
    for (const part of within.params) {
      if (this.occurs(variable, part)) {
        return true;
      }
    }
    return false;
  }

  private rebuild(type: Type, toDyn: boolean): Type {
    if (!type.open) {
      return type;
    }
    if (type.kind === "param") {
      const current = this.read(type);
      return current !== undefined ? this.rebuild(current, toDyn) : toDyn ? DYN : type;
    }
    if (this.step()) {
      return ERROR;
    }
    const params: Type[] = [];
    let changed = false;
    for (const part of type.params) {
      const rebuilt = this.rebuild(part, toDyn);
      changed ||= rebuilt !== part;
      params.push(rebuilt);
    }
    if (!changed) {
      return type;
    }
    return this.bounded(new Type(type.kind, type.name, params, type.adapter));
  }

  /** The type itself, unless it has become too large to work with. */
  bounded(type: Type): Type {
    if (type.size <= MAX_TYPE_SIZE) {
      return type;
    }
    this.exhausted = true;
    return ERROR;
  }

  /** Counts a step of work on a composite type; true when there have been too many. */
  private step(): boolean {
    if (++this.steps <= MAX_STEPS) {
      return false;
    }
    this.exhausted = true;
    return true;
  }

  private read(variable: Type): Type | undefined {
    return variable instanceof TypeVar ? this.bound[variable.index] : this.named?.get(variable.name);
  }

  private record(variable: Type, type: Type): void {
    this.trail.push(variable, this.read(variable));
    this.write(variable, type);
  }

  private write(variable: Type, type: Type | undefined): void {
    if (variable instanceof TypeVar) {
      while (this.bound.length < variable.index) {
        this.bound.push(undefined); // no holes: the array stays packed
      }
      this.bound[variable.index] = type;
    } else {
      this.named ??= new Map();
      this.named.set(variable.name, type);
    }
  }
}

type Outcome = 0 | 1 | 2;
const BOUND = 0;
/** The variable stands for something that does not fit. */
const CONFLICT = 1;
/** The type mentions the variable: nothing finite could satisfy it. */
const OCCURS = 2;

/** Types that `null` may stand in for: wrappers, and others that the reference has always accepted. */
function isNullable(type: Type): boolean {
  switch (type.kind) {
    case "null":
    case "wrapper":
    case "opaque":
    case "struct":
    case "duration":
    case "timestamp":
      return true;
    default:
      return false;
  }
}

/** The more general of two types that fit each other. */
export function moreGeneral(a: Type, b: Type): Type {
  return isNoMoreSpecific(a, b) ? a : b;
}

function isNoMoreSpecific(a: Type, b: Type): boolean {
  if (a === b || isDyn(a) || a.kind === "param") {
    return true;
  }
  if (isDyn(b) || b.kind === "param" || kindOf(a) !== kindOf(b)) {
    return false;
  }
  switch (a.kind) {
    case "type":
      return true;
    case "list":
    case "map":
    case "opaque":
      return (
        a.name === b.name &&
        a.params.length === b.params.length &&
        a.params.every((part, i) => isNoMoreSpecific(part, b.params[i] as Type))
      );
    default:
      return isSameType(a, b);
  }
}

/** Returns the type inside an optional, or the type itself. */
export function unwrapOptional(type: Type): Type {
  return isOptionalType(type) && type.params.length > 0 ? (type.params[0] as Type) : type;
}
