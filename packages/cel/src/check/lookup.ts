// Declarations prepared for lookups, once per environment: entries instead of bare types, and the prefixes of all dotted names, so that the
// checker looks `object.spec.name` up at a dot only if some name begins like it.

import type { Overload } from "../call/overload.ts";
import type { Constant } from "../types/provider.ts";
import { celError } from "../value/error.ts";
import { hasChange, NEWEST_RELEASE } from "../value/release.ts";
import {
  LIST,
  listOf,
  MAP,
  mapOf,
  optionalOf,
  param,
  Type,
  typeOfType,
  UNTYPED_LIST,
  UNTYPED_MAP,
  withOldOptionals,
} from "../value/type.ts";
import type { Declarations, Reference } from "./checked.ts";
import { createNamespace, type Namespace, resolveName } from "./names.ts";
import { type FunctionEntry, prepareFunction } from "./signature.ts";

/** The meaning of an identifier. */
export interface IdentEntry {
  readonly name: string;
  readonly type: Type;
  readonly reference: Reference;
}

const DOT = 46;
const MAX_REMEMBERED = 256;

const prepared = new WeakMap<Declarations, Lookup>();

export function lookupFor(declarations: Declarations): Lookup {
  let lookup = prepared.get(declarations);
  if (lookup === undefined) {
    lookup = new Lookup(declarations);
    prepared.set(declarations, lookup);
  }
  return lookup;
}

export class Lookup {
  readonly declarations: Declarations;
  readonly space: Namespace;
  /** See `Change`. */
  readonly rootNamesPassLocals: boolean;
  readonly typesOfSecondVariables: boolean;
  /** The type of optional values of a type. */
  readonly optionalOf: (of: Type) => Type;
  /** Names stand for themselves alone: no container, no aliases. */
  private readonly flat: boolean;
  private readonly functions = new Map<string, FunctionEntry>();
  private readonly idents = new Map<string, IdentEntry>();
  private readonly identPrefixes = new Set<string>();
  private readonly functionPrefixes = new Set<string>();
  /** Cached answers about roots, which in practice are a few variables; beyond the limit each is computed again. */
  private readonly identRoots = new Map<string, boolean>();

  constructor(declarations: Declarations) {
    this.declarations = declarations;
    this.space = createNamespace(declarations.container, declarations.aliases);
    const { release = NEWEST_RELEASE } = declarations;
    this.rootNamesPassLocals = hasChange(release, "rootNamesPassLocals");
    const named = hasChange(release, "optionalTypeNamed");
    this.optionalOf = named ? optionalOf : (of) => withOldOptionals(optionalOf(of));
    this.typesOfSecondVariables = hasChange(release, "typesOfSecondVariables");
    this.flat = declarations.container === "" && declarations.aliases.size === 0;
    for (const [name, declared] of declarations.variables) {
      const type = named ? declared : withOldOptionals(declared);
      this.idents.set(name, { name, type, reference: { kind: "variable", name } });
      addPrefix(this.identPrefixes, name);
    }
    for (const name of declarations.functions.keys()) {
      addPrefix(this.functionPrefixes, name);
    }
  }

  /** The function a name stands for, by its candidates. */
  findFunction(name: string): FunctionEntry | undefined {
    if (this.isFlat(name)) {
      return this.functionAt(name);
    }
    return resolveName(this.space, name, (candidate) => this.functionAt(candidate));
  }

  /** A variable, type or constant under exactly this name. */
  identAt(name: string): IdentEntry | undefined {
    return this.idents.get(name) ?? this.import(name);
  }

  /** Whether `root.…` can be the name of a function. */
  mayBeFunction(root: string): boolean {
    return this.isFlat(root)
      ? this.functionPrefixes.has(root)
      : this.hasPrefix(root, (name) => this.functionPrefixes.has(name));
  }

  /** Whether `root.…` can be the name of a variable, type or constant. */
  mayBeIdent(root: string): boolean {
    const { provider } = this.declarations;
    if (provider.hasPrefix === undefined) {
      return true;
    }
    let may = this.identRoots.get(root);
    if (may === undefined) {
      may = this.hasPrefix(root, (name) => this.identPrefixes.has(name) || provider.hasPrefix?.(name) === true);
      if (this.identRoots.size < MAX_REMEMBERED) {
        this.identRoots.set(root, may);
      }
    }
    return may;
  }

  /** Whether a name stands for itself alone. */
  isFlat(name: string): boolean {
    return this.flat && name.charCodeAt(0) !== DOT;
  }

  private hasPrefix(root: string, has: (name: string) => boolean): boolean {
    // Under an alias or in a container the first part of a candidate is not the root: ask for that part instead.
    return resolveName(this.space, root, (candidate) => (has(firstPart(candidate)) ? true : undefined)) === true;
  }

  private functionAt(name: string): FunctionEntry | undefined {
    const known = this.functions.get(name);
    if (known !== undefined) {
      return known;
    }
    const overloads: readonly Overload[] | undefined = this.declarations.functions.get(name);
    if (overloads === undefined) {
      return undefined;
    }
    const entry = prepareFunction(name, overloads);
    this.functions.set(name, entry);
    return entry;
  }

  /** The value of a name: types of lists and maps as the release prints them. */
  private shown(found: Type | Constant): Type | Constant {
    if (hasChange(this.declarations.release ?? NEWEST_RELEASE, "listsOfDyn")) return found;
    return found === LIST ? UNTYPED_LIST : found === MAP ? UNTYPED_MAP : found;
  }

  /** A name that the provider knows; kept, because providers do not change. */
  private import(name: string): IdentEntry | undefined {
    const { provider } = this.declarations;
    const struct = provider.findStruct(name);
    const found = struct?.type ?? provider.findIdent(name);
    if (found === undefined) {
      return undefined;
    }
    const value =
      struct?.named === false
        ? celError("invalid_argument", `reference to undefined type: ${name}`)
        : this.shown(found);
    if (struct?.declared && !hasChange(this.declarations.release ?? NEWEST_RELEASE, "typesAreNoVariables")) {
      const variable: IdentEntry = { name, type: struct.type, reference: { kind: "variable", name } };
      this.idents.set(name, variable);
      return variable;
    }
    const entry: IdentEntry =
      found instanceof Type
        ? { name, type: typeOfType(namedType(found)), reference: { kind: "constant", name, value } }
        : { name, type: found.type, reference: { kind: "constant", name, value: found.value } };
    this.idents.set(name, entry);
    return entry;
  }
}

const A = param("A");
const LIST_OF_ANY = listOf(A);
const MAP_OF_ANY = mapOf(A, param("B"));

/** The bare names `list` and `map` stand for lists and maps of anything; messages show them so. */
function namedType(type: Type): Type {
  return type === LIST ? LIST_OF_ANY : type === MAP ? MAP_OF_ANY : type;
}

function firstPart(name: string): string {
  const dot = name.indexOf(".");
  return dot < 0 ? name : name.slice(0, dot);
}

function addPrefix(prefixes: Set<string>, name: string): void {
  if (name.includes(".")) {
    prefixes.add(firstPart(name));
  }
}
