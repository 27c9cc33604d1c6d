// Finds the parts of an expression that can fail for some object, by their form alone: reading a field that may be missing, an index,
// conversions, divisions. Tested for in the same expression or in a match condition, a part cannot fail. docs/reference/coverage.md has the
// same list; left out on purpose: overflow, wrong types, and limits.

import { type Ast, type Expr, nodesOf, unparse } from "@celadon/cel/ast";
import type { Shapes } from "./shapes.ts";

/** Fail for some texts; with what tells beforehand. */
const CONVERSIONS: ReadonlyMap<string, string | undefined> = new Map([
  ["bool", undefined],
  ["int", undefined],
  ["uint", undefined],
  ["double", undefined],
  ["duration", undefined],
  ["timestamp", undefined],
  ["quantity", "isQuantity"],
  ["ip", "isIP"],
  ["cidr", "isCIDR"],
  ["url", "isURL"],
  ["semver", "isSemver"],
]);
const TESTS: ReadonlySet<string | undefined> = new Set([...CONVERSIONS.values(), "hasValue", "size"]);

/** The texts of guarded places and of tests. */
export type Guards = ReadonlySet<string>;

export class Fallible {
  readonly #ast: Ast;
  readonly #guards: Guards;
  readonly #texts = new Map<number, string>();

  /** `more` are guards of other expressions that come before. */
  constructor(ast: Ast, more: Guards = new Set()) {
    this.#ast = ast;
    this.#guards = new Set([...more, ...this.#own()]);
  }

  get guards(): Guards {
    return this.#guards;
  }

  /** The places that were read without a failure once the expression has a value: guards for later reads. */
  *reads(): Iterable<string> {
    for (const expr of nodesOf(this.#ast.expr).values()) {
      if (expr.kind === "select" && !expr.test) yield `${this.#text(expr.operand)}.${expr.field}`;
      if (expr.kind !== "call" || expr.target !== undefined) continue;
      const [first, second] = expr.args;
      if (first === undefined) continue;
      if (expr.function === "_[_]" && second !== undefined) yield this.#placeText(first, second);
      if (CONVERSIONS.has(expr.function)) yield `${expr.function}(${this.#text(first)})`;
    }
  }

  canFail(expr: Expr, shapes: Shapes): boolean {
    if (expr.kind === "select") {
      return !expr.test && this.#fieldCanFail(expr.operand, expr.field, shapes);
    }
    if (expr.kind !== "call") return false;
    const { function: name, target, args } = expr;
    const [first, second] = args;
    if (target === undefined && first !== undefined) {
      if (name === "_[_]" && second !== undefined) return this.#indexCanFail(first, second, shapes);
      if (name === "_/_" || name === "_%_") return second?.kind !== "literal" || !Number(second.value);
      if (CONVERSIONS.has(name)) {
        if (first.kind === "literal") return false;
        return ![name, CONVERSIONS.get(name)].some((test) => this.#guards.has(`${test}(${this.#text(first)})`));
      }
      return false;
    }
    if (target === undefined) return false;
    switch (name) {
      case "value":
        return args.length === 0 && !this.#guards.has(`hasValue(${this.#text(target)})`);
      case "min":
      case "max":
        return args.length === 0 && !this.#guards.has(`size(${this.#text(target)})`);
      case "matches":
        return first?.kind !== "literal";
      case "substring":
      case "charAt":
        return true;
      default:
        return false;
    }
  }

  #fieldCanFail(operand: Expr, field: string, shapes: Shapes): boolean {
    if (isOptional(operand, this.#ast)) return false;
    if (shapes.of(operand)?.field(field)?.always === true) return false;
    return !this.#guards.has(`${this.#text(operand)}.${field}`);
  }

  #indexCanFail(operand: Expr, key: Expr, shapes: Shapes): boolean {
    if (key.kind === "literal" && typeof key.value === "string") return this.#fieldCanFail(operand, key.value, shapes);
    if (isOptional(operand, this.#ast)) return false;
    const text = this.#text(operand);
    const range = key.kind === "ident" ? shapes.rangeOf(key.name) : undefined;
    if (range !== undefined && this.#text(range) === text) return false;
    return !this.#guards.has(`${text}[${this.#text(key)}]`) && !this.#guards.has(`size(${text})`);
  }

  *#own(): Iterable<string> {
    for (const expr of nodesOf(this.#ast.expr).values()) {
      if (expr.kind === "select" && expr.test) yield `${this.#text(expr.operand)}.${expr.field}`;
      if (expr.kind !== "call") continue;
      const { function: name, target, args } = expr;
      const [first, second] = args;
      if (name === "@in" && first !== undefined && second !== undefined) {
        yield this.#placeText(second, first);
      }
      const tested = target ?? first;
      if (TESTS.has(name) && tested !== undefined) yield `${name}(${this.#text(tested)})`;
    }
  }

  #placeText(operand: Expr, key: Expr): string {
    const isName = key.kind === "literal" && typeof key.value === "string";
    return isName ? `${this.#text(operand)}.${String(key.value)}` : `${this.#text(operand)}[${this.#text(key)}]`;
  }

  #text(expr: Expr): string {
    let text = this.#texts.get(expr.id);
    if (text === undefined) this.#texts.set(expr.id, (text = unparse({ ...this.#ast, expr })));
    return text;
  }
}

const OPTIONALS: ReadonlySet<string> = new Set(["_?._", "_[?_]", "optMap", "optFlatMap", "or", "first", "last"]);

/** Fields of an optional are optionals, and missing ones are empty. */
function isOptional(expr: Expr, ast: Ast): boolean {
  for (let item: Expr | undefined = expr; item !== undefined; ) {
    const written: Expr = ast.macroCalls.get(item.id) ?? item;
    if (written.kind === "call" && (OPTIONALS.has(written.function) || written.function.startsWith("optional.")))
      return true;
    if (written.kind === "select" && !written.test) item = written.operand;
    else if (written.kind === "call" && written.function === "_[_]") item = written.args[0];
    else return false;
  }
  return false;
}
