// A function's overloads prepared for resolution: apart by call style, with their type parameters numbered.

import type { Overload } from "../call/overload.ts";
import { Type } from "../value/type.ts";
import type { Reference } from "./checked.ts";
import { typeVar } from "./type-vars.ts";
import type { Substitution } from "./unify.ts";

export interface FunctionEntry {
  readonly name: string;
  readonly globals: Candidates;
  readonly members: Candidates;
}

/** The overloads of one call style. */
export interface Candidates {
  readonly signatures: readonly Signature[];
  /** Type parameters of all of them together. */
  readonly paramCount: number;
  /** Calls that were resolved before, see `remember`. */
  readonly resolved: Resolution[];
}

export interface Resolution {
  readonly args: readonly Type[];
  readonly result: Type;
  readonly reference: Reference;
  readonly qualified: Reference;
}

export interface Signature {
  readonly overload: Overload;
  readonly args: readonly Type[];
  readonly result: Type;
  /** The type parameters' names; each call gives each a variable of its own. */
  readonly params: readonly string[];
  /** Orders an int, uint or double against another of them: `1 < 2.5`. */
  readonly mixed: boolean;
  /** The reference of a call that fits this overload alone; shared, so that most calls allocate nothing. */
  readonly reference: Reference;
  readonly qualified: Reference;
}

export function prepareFunction(name: string, overloads: readonly Overload[]): FunctionEntry {
  const globals: Signature[] = [];
  const members: Signature[] = [];
  for (const overload of overloads) {
    (overload.member ? members : globals).push(prepareSignature(name, overload));
  }
  return { name, globals: candidates(globals), members: candidates(members) };
}

function candidates(signatures: readonly Signature[]): Candidates {
  return { signatures, paramCount: signatures.reduce((sum, { params }) => sum + params.length, 0), resolved: [] };
}

/** Most calls of a function have one of a few lists of argument types, but structs of hosts may make many. */
const MAX_RESOLVED = 24;

/**
 * Keeps the outcome of a call whose argument types are simple (`dyn`, `string`, a struct): it depends on nothing else, and such types are
 * mostly the same objects each time.
 */
export function remember(among: Candidates, resolution: Resolution): void {
  if (
    among.resolved.length < MAX_RESOLVED &&
    !resolution.result.open &&
    resolution.args.every((type) => type.size === 1 && !type.open)
  ) {
    among.resolved.push(resolution);
  }
}

export function recall(among: Candidates, args: readonly Type[]): Resolution | undefined {
  next: for (const resolution of among.resolved) {
    if (resolution.args.length !== args.length) {
      continue;
    }
    for (let i = 0; i < args.length; i++) {
      if (resolution.args[i] !== args[i]) {
        continue next;
      }
    }
    return resolution;
  }
  return undefined;
}

function prepareSignature(name: string, overload: Overload): Signature {
  const params: string[] = [];
  collectParams(overload.result, params);
  for (const arg of overload.args) {
    collectParams(arg, params);
  }
  const overloads = [overload];
  return {
    overload,
    args: overload.args,
    result: overload.result,
    params,
    mixed: isMixedComparison(overload),
    reference: { kind: "function", name, overloads, qualified: false },
    qualified: { kind: "function", name, overloads, qualified: true },
  };
}

const COMPARISONS: ReadonlySet<string> = new Set(["_<_", "_<=_", "_>_", "_>=_"]);

function isMixedComparison({ name, args: [a, b] }: Overload): boolean {
  return (
    COMPARISONS.has(name) && a !== undefined && b !== undefined && a.kind !== b.kind && isNumeric(a) && isNumeric(b)
  );
}

const isNumeric = (type: Type): boolean => type.kind === "int" || type.kind === "uint" || type.kind === "double";

function collectParams(type: Type, into: string[]): void {
  if (type.kind === "param") {
    if (!into.includes(type.name)) {
      into.push(type.name);
    }
  } else if (type.open) {
    for (const part of type.params) {
      collectParams(part, into);
    }
  }
}

/** A signature's type with the variables of one call, numbered from `base`, in the place of its parameters. */
export function instantiate(type: Type, params: readonly string[], base: number): Type {
  if (!type.open) {
    return type;
  }
  if (type.kind === "param") {
    return typeVar(base + params.indexOf(type.name));
  }
  return new Type(
    type.kind,
    type.name,
    type.params.map((part) => instantiate(part, params, base)),
    type.adapter,
  );
}

/** Whether arguments of these types fit; on success their variables keep the types they were bound to. `base` numbers the call's own. */
export function accepts(
  signature: Signature,
  argTypes: readonly Type[],
  base: number,
  substitution: Substitution,
): boolean {
  const { args, params } = signature;
  if (args.length !== argTypes.length) {
    return false;
  }
  for (let i = 0; i < args.length; i++) {
    if (!mayFit(argTypes[i] as Type, args[i] as Type)) {
      return false;
    }
  }
  for (let i = 0; i < args.length; i++) {
    const wanted = args[i] as Type;
    if (!substitution.fits(argTypes[i] as Type, wanted.open ? instantiate(wanted, params, base) : wanted)) {
      substitution.settle(false);
      return false;
    }
  }
  substitution.settle(true);
  return true;
}

/** A quick look at the outermost kinds, before anything is built: false only when the types cannot fit. */
function mayFit(given: Type, wanted: Type): boolean {
  if (given === wanted || given.kind === wanted.kind) {
    return true;
  }
  switch (given.kind) {
    case "dyn":
    case "any":
    case "error":
    case "param":
    case "null":
    case "wrapper":
      return true;
    default:
      return (
        wanted.kind === "param" ||
        wanted.kind === "dyn" ||
        wanted.kind === "any" ||
        wanted.kind === "wrapper" ||
        wanted.kind === "null" ||
        wanted.kind === "error"
      );
  }
}
