// From a tree back to text that parses to the same tree, with no more parentheses than that takes. Macro calls are written
// as they were, from the record the parser keeps of them.

import type { Ast, Call, Expr } from "./expr.ts";
import { quoteBytes, quoteString, writeNumber } from "./literal-text.ts";

/** Throws when the tree has a fold that no macro call is recorded for: no expression is written so. */
export function unparse(ast: Ast): string {
  return new Writer(ast.macroCalls).write(ast.expr);
}

// how tightly a form holds together
const TERNARY = 0;
const OR = 1;
const AND = 2;
const RELATION = 3;
const SUM = 4;
const PRODUCT = 5;
const UNARY = 6;
const MEMBER = 7;

const BINARY: ReadonlyMap<string, { readonly text: string; readonly level: number }> = new Map([
  ["_||_", { text: "||", level: OR }],
  ["_&&_", { text: "&&", level: AND }],
  ["_==_", { text: "==", level: RELATION }],
  ["_!=_", { text: "!=", level: RELATION }],
  ["_<_", { text: "<", level: RELATION }],
  ["_<=_", { text: "<=", level: RELATION }],
  ["_>_", { text: ">", level: RELATION }],
  ["_>=_", { text: ">=", level: RELATION }],
  ["@in", { text: "in", level: RELATION }],
  ["_+_", { text: "+", level: SUM }],
  ["_-_", { text: "-", level: SUM }],
  ["_*_", { text: "*", level: PRODUCT }],
  ["_/_", { text: "/", level: PRODUCT }],
  ["_%_", { text: "%", level: PRODUCT }],
]);

class Writer {
  readonly #macroCalls: ReadonlyMap<number, Expr>;

  constructor(macroCalls: ReadonlyMap<number, Expr>) {
    this.#macroCalls = macroCalls;
  }

  /** In parentheses when the expression holds together less tightly than `least`. */
  write(expr: Expr, least = TERNARY): string {
    const macro = this.#macroCalls.get(expr.id);
    if (macro !== undefined && macro.kind === "call") return this.#plainCall(macro);
    const text = this.#write(expr);
    return levelOf(expr) < least ? `(${text})` : text;
  }

  #write(expr: Expr): string {
    switch (expr.kind) {
      case "literal":
        return literalText(expr.value);
      case "ident":
        return expr.name;
      case "select": {
        const text = `${this.write(expr.operand, MEMBER)}.${fieldText(expr.field)}`;
        return expr.test ? `has(${text})` : text;
      }
      case "call":
        return this.#call(expr);
      case "list": {
        const optional = new Set(expr.optional);
        return `[${expr.elements.map((element, i) => mark(optional.has(i)) + this.write(element)).join(", ")}]`;
      }
      case "map": {
        const entries = expr.entries.map(
          (entry) => `${mark(entry.optional)}${this.write(entry.key)}: ${this.write(entry.value)}`,
        );
        return `{${entries.join(", ")}}`;
      }
      case "struct": {
        const fields = expr.fields.map(
          (field) => `${mark(field.optional)}${fieldText(field.name)}: ${this.write(field.value)}`,
        );
        return `${expr.type}{${fields.join(", ")}}`;
      }
      case "comprehension":
        throw new Error(`no macro call is recorded for the comprehension ${expr.id}`);
    }
  }

  #call(call: Call): string {
    const { args } = call;
    if (call.target === undefined) {
      const binary = args.length === 2 ? BINARY.get(call.function) : undefined;
      if (binary !== undefined) return this.#binary(call, binary.text, binary.level);
      const [first, second, third] = args;
      switch (formOf(call)) {
        case "ternary":
          return `${this.write(first!, OR)} ? ${this.write(second!, OR)} : ${this.write(third!)}`;
        case "not":
          return `!${this.write(first!, MEMBER)}`;
        case "minus":
          return `-${this.#negated(first!)}`;
        case "index":
          return `${this.write(first!, MEMBER)}[${this.write(second!)}]`;
        case "optionalIndex":
          return `${this.write(first!, MEMBER)}[?${this.write(second!)}]`;
        case "optionalSelect":
          return `${this.write(first!, MEMBER)}.?${fieldText((second as { value: string }).value)}`;
      }
    }
    return this.#plainCall(call);
  }

  #plainCall(call: Call): string {
    const args = call.args.map((arg) => this.write(arg)).join(", ");
    return call.target === undefined
      ? `${call.function}(${args})`
      : `${this.write(call.target, MEMBER)}.${call.function}(${args})`;
  }

  /** Behind a minus, a number would become part of one literal with it. */
  #negated(operand: Expr): string {
    const text = this.write(operand, MEMBER);
    return /^[-.0-9]/.test(text) ? `(${text})` : text;
  }

  #binary(call: Call, text: string, level: number): string {
    const [left, right] = [call.args[0]!, call.args[1]!];
    if (level > AND) return `${this.write(left, level)} ${text} ${this.write(right, level + 1)}`;
    const terms = this.#terms(call, call.function);
    if (isBalanced(call, call.function, terms.length, this.#macroCalls)) {
      return terms.map((term) => this.write(term, level + 1)).join(` ${text} `);
    }
    return `${this.write(left, level + 1)} ${text} ${this.write(right, level + 1)}`;
  }

  /** The operands of a tree of one operator, from left to right. */
  #terms(root: Expr, name: string): Expr[] {
    const terms: Expr[] = [];
    const pending: Expr[] = [root];
    for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
      if (isLink(expr, name, this.#macroCalls)) pending.push(expr.args[1]!, expr.args[0]!);
      else terms.push(expr);
    }
    return terms;
  }
}

function isLink(expr: Expr, name: string, macroCalls: ReadonlyMap<number, Expr>): expr is Call {
  return (
    expr.kind === "call" &&
    expr.function === name &&
    expr.target === undefined &&
    expr.args.length === 2 &&
    !macroCalls.has(expr.id)
  );
}

/** Whether a tree of one operator has the shape the parser gives to a chain of as many terms. */
function isBalanced(expr: Expr, name: string, terms: number, macroCalls: ReadonlyMap<number, Expr>): boolean {
  if (terms === 1) return !isLink(expr, name, macroCalls);
  if (!isLink(expr, name, macroCalls)) return false;
  const left = (terms + 1) >> 1;
  return isBalanced(expr.args[0]!, name, left, macroCalls) && isBalanced(expr.args[1]!, name, terms - left, macroCalls);
}

type Form = "ternary" | "not" | "minus" | "index" | "optionalIndex" | "optionalSelect" | undefined;

/** The special form of a global call, other than a binary operator. */
function formOf(call: Call): Form {
  const { args } = call;
  switch (call.function) {
    case "_?_:_":
      return args.length === 3 ? "ternary" : undefined;
    case "!_":
      return args.length === 1 ? "not" : undefined;
    case "-_":
      return args.length === 1 ? "minus" : undefined;
    case "_[_]":
      return args.length === 2 ? "index" : undefined;
    case "_[?_]":
      return args.length === 2 ? "optionalIndex" : undefined;
    case "_?._":
      return args.length === 2 && args[1]!.kind === "literal" && typeof args[1]!.value === "string"
        ? "optionalSelect"
        : undefined;
    default:
      return undefined;
  }
}

function levelOf(expr: Expr): number {
  if (expr.kind !== "call" || expr.target !== undefined) return MEMBER;
  const binary = expr.args.length === 2 ? BINARY.get(expr.function) : undefined;
  if (binary !== undefined) return binary.level;
  switch (formOf(expr)) {
    case "ternary":
      return TERNARY;
    case "not":
    case "minus":
      return UNARY;
    default:
      return MEMBER;
  }
}

const mark = (optional: boolean): string => (optional ? "?" : "");

/** A field's name, in backticks when it is no identifier. */
function fieldText(name: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !/^(in|true|false|null)$/.test(name);
  if (plain) return name;
  if (!/^[A-Za-z0-9_.\-/ ]+$/.test(name))
    throw new Error(`no field can be written with the name ${JSON.stringify(name)}`);
  return `\`${name}\``;
}

function literalText(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return quoteString(value);
  if (value instanceof Uint8Array) return quoteBytes(value);
  return writeNumber(value);
}
