// The places of objects that an expression reads, and the places that it tests first: `object.spec.containers[*].image`. Variables stand
// for their definitions, and variables of loops for any element.

import { type Expr, visit } from "@celadon/cel/ast";

/** Places as paths. The order within the expression does not count. */
export interface DataReads {
  readonly read: ReadonlySet<string>;
  /** By `has(…)`, or read as an optional field. */
  readonly asked: ReadonlySet<string>;
}

/** Joined lists of joined lists would be many; a few are enough. */
const MOST_PATHS = 16;

export function dataReads(root: Expr, variables: ReadonlyMap<string, Expr>): DataReads {
  const reader = new Reader(variables);
  visit(root, {
    enter(expr) {
      if (expr.kind === "comprehension") reader.elements.push([expr.iterVar, elementsOf(reader.paths(expr.range))]);
      if (expr.kind === "select") reader.select(expr);
      if (isOptionalField(expr)) for (const path of reader.paths(expr)) reader.asked.add(path);
      return undefined;
    },
    leave(expr) {
      if (expr.kind === "comprehension") reader.elements.pop();
    },
  });
  return reader;
}

class Reader implements DataReads {
  readonly read = new Set<string>();
  readonly asked = new Set<string>();
  readonly elements: (readonly [name: string, paths: readonly string[]])[] = [];
  readonly #variables: ReadonlyMap<string, Expr>;
  readonly #known = new Map<string, readonly string[]>();

  constructor(variables: ReadonlyMap<string, Expr>) {
    this.#variables = variables;
  }

  select({ operand, field, test }: Expr & { readonly kind: "select" }): void {
    // The reads of a variable count where it is defined.
    if (isIdent(operand, "variables")) return;
    const fails = !test && !isOptionalValue(operand);
    for (const path of this.paths(operand)) (fails ? this.read : this.asked).add(`${path}.${field}`);
  }

  /** The places that the value of an expression may come from. */
  paths(expr: Expr): readonly string[] {
    switch (expr.kind) {
      case "ident": {
        const element = this.elements.findLast(([name]) => name === expr.name);
        if (element !== undefined) return element[1];
        return expr.name === "object" || expr.name === "oldObject" ? [expr.name] : [];
      }
      case "select":
        if (expr.test) return [];
        if (isIdent(expr.operand, "variables")) return this.#variable(expr.field);
        return this.paths(expr.operand).map((path) => `${path}.${expr.field}`);
      case "call":
        return this.#call(expr);
      case "comprehension":
        return isFilter(expr) ? this.paths(expr.range) : [];
      case "literal":
      case "list":
      case "map":
      case "struct":
        return [];
    }
  }

  #call({ function: name, target, args }: Expr & { readonly kind: "call" }): readonly string[] {
    const [first, second] = args;
    if (name === "_[_]" && first !== undefined) {
      const isIndex = second?.kind === "literal" && /^(?:number|bigint)$/.test(typeof second.value);
      return isIndex ? elementsOf(this.paths(first)) : [];
    }
    if (name === "_?._" && first !== undefined) {
      return second?.kind === "literal" ? this.paths(first).map((path) => `${path}.${String(second.value)}`) : [];
    }
    const parts = name === "_?_:_" ? args.slice(1) : name === "_+_" ? args : name === "orValue" ? [target, first] : [];
    return parts.flatMap((part) => (part === undefined ? [] : this.paths(part))).slice(0, MOST_PATHS);
  }

  #variable(name: string): readonly string[] {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    // A variable that reads itself leads nowhere.
    this.#known.set(name, []);
    const definition = this.#variables.get(name);
    if (definition !== undefined) this.#known.set(name, this.paths(definition));
    return this.#known.get(name) ?? [];
  }
}

const elementsOf = (lists: readonly string[]): readonly string[] => lists.map((path) => `${path}[*]`);

function isOptionalField(expr: Expr): boolean {
  return expr.kind === "call" && expr.function === "_?._";
}

/** Selecting from an optional value is optional too. */
function isOptionalValue(expr: Expr): boolean {
  if (expr.kind === "select") return isOptionalValue(expr.operand);
  if (expr.kind !== "call") return false;
  const [first] = expr.args;
  if (expr.function === "_[_]" && first !== undefined) return isOptionalValue(first);
  return expr.function === "_?._" || expr.function === "_[?_]";
}

/** `filter` keeps elements as they are: its step adds the element itself. */
function isFilter({ step, iterVar }: Expr & { readonly kind: "comprehension" }): boolean {
  const [, added] = step.kind === "call" && step.function === "_?_:_" ? step.args : [];
  const [, list] = added?.kind === "call" && added.function === "_+_" ? added.args : [];
  const [element] = list?.kind === "list" ? list.elements : [];
  return element !== undefined && isIdent(element, iterVar);
}

export function isIdent(expr: Expr, name: string): boolean {
  return expr.kind === "ident" && expr.name === name;
}
