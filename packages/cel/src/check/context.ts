// One run of the checker: its findings so far, and the methods with which its parts record them.

import type { Ast, Expr } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import type { Span } from "../ast/source.ts";
import { isSameType } from "../types/compare-types.ts";
import { ERROR, type Type } from "../value/type.ts";
import type { Reference } from "./checked.ts";
import { incompatibleType, nestedTooDeeply, referenceRedefinition } from "./issues.ts";
import type { IdentEntry, Lookup } from "./lookup.ts";
import { resolveName } from "./names.ts";
import { NodeTable } from "./node-table.ts";
import { Scopes } from "./scopes.ts";
import { Substitution } from "./unify.ts";

/** Gives a node its type, by its kind. The files for the kinds come back to it through `Context.visit`. */
export type CheckNode = (cx: Context, expr: Expr) => Type;

export class Context {
  readonly lookup: Lookup;
  readonly types: NodeTable<Type> = new NodeTable();
  readonly references: NodeTable<Reference> = new NodeTable();
  readonly issues: Issue[] = [];
  readonly scopes: Scopes = new Scopes();
  readonly substitution: Substitution = new Substitution();
  readonly maxDepth: number;
  mixedComparisons: boolean;
  depth = 0;
  /** Nodes whose types had variables in them when they were recorded. */
  readonly open: number[] = [];
  private readonly spans: ReadonlyMap<number, Span>;
  private readonly checkNode: CheckNode;

  constructor(ast: Ast, lookup: Lookup, maxDepth: number, mixedComparisons: boolean, checkNode: CheckNode) {
    this.lookup = lookup;
    this.spans = ast.spans;
    this.maxDepth = maxDepth;
    this.mixedComparisons = mixedComparisons;
    this.checkNode = checkNode;
  }

  /** Checks a node and everything below it. The answer may hold variables that later nodes resolve. */
  visit(expr: Expr): Type {
    if (this.depth >= this.maxDepth) {
      this.issues.push(nestedTooDeeply(this.place(expr.id), this.maxDepth));
      return this.setType(expr.id, ERROR);
    }
    this.depth++;
    const type = this.checkNode(this, expr);
    this.depth--;
    return type;
  }

  place(id: number): Span | undefined {
    return this.spans.get(id);
  }

  /** Records the type of a node and answers it. Numbers are unique in a well-formed tree; a clash is an issue. */
  setType(id: number, type: Type): Type {
    const before = this.types.get(id);
    if (before !== undefined && !isSameType(before, type)) {
      this.issues.push(incompatibleType(this.place(id), id, before, type));
      return before;
    }
    this.types.set(id, type);
    if (type.open) {
      this.open.push(id);
    }
    return type;
  }

  setReference(id: number, reference: Reference): void {
    const before = this.references.get(id);
    if (before !== undefined && !isSameReference(before, reference)) {
      this.issues.push(referenceRedefinition(this.place(id), id, before.name, reference.name));
      return;
    }
    this.references.set(id, reference);
  }

  /** Finds the meaning of an identifier: a variable of a comprehension, then the candidates of the name in turn. */
  findIdent(name: string): IdentEntry | undefined {
    if (this.lookup.isFlat(name)) {
      return this.identAt(name);
    }
    if (!this.lookup.rootNamesPassLocals) {
      return resolveName(this.lookup.space, name, (candidate) => this.identAt(candidate));
    }
    const rooted = name.startsWith(".");
    const local = this.scopes.find(rooted ? name.slice(1) : name);
    if (local !== undefined && !rooted) return local;
    const found = resolveName(this.lookup.space, name, (candidate) => this.lookup.identAt(candidate));
    return local === undefined || found === undefined ? found : passingLocals(found);
  }

  /** Looks up a chain of names and dots as one name. Finds nothing if a comprehension declares the first name. */
  findQualified(name: string): IdentEntry | undefined {
    if (!this.lookup.rootNamesPassLocals) return this.findIdent(name);
    const rooted = name.startsWith(".");
    const start = rooted ? 1 : 0;
    const dot = name.indexOf(".", start);
    const local = this.scopes.find(name.slice(start, dot < 0 ? undefined : dot));
    if (local !== undefined && !rooted) return dot < 0 ? local : undefined;
    const found = resolveName(this.lookup.space, name, (candidate) => this.lookup.identAt(candidate));
    return local === undefined || found === undefined ? found : passingLocals(found);
  }

  get container(): string {
    return this.lookup.declarations.container;
  }

  private identAt(name: string): IdentEntry | undefined {
    return this.scopes.find(name) ?? this.lookup.identAt(name);
  }
}

function passingLocals(entry: IdentEntry): IdentEntry {
  const { reference } = entry;
  return reference.kind === "variable" ? { ...entry, reference: { ...reference, root: true } } : entry;
}

function isSameReference(a: Reference, b: Reference): boolean {
  if (a === b) {
    return true;
  }
  if (a.kind !== b.kind || a.name !== b.name) {
    return false;
  }
  if (a.kind === "function" && b.kind === "function") {
    return (
      a.qualified === b.qualified &&
      a.overloads.length === b.overloads.length &&
      a.overloads.every((row, i) => row === b.overloads[i])
    );
  }
  return a.kind !== "constant" || (b.kind === "constant" && a.value === b.value);
}
