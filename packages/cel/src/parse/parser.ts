// The parser for expressions that have nothing wrong with them: recursive descent, one token of look-ahead, no error handling. At the first
// surprise it gives up, and diagnose.ts reads the text again to find the issues. So this file must accept nothing that the reference
// refuses, and number every tree as the reference does (a node's number is taken when its operator is seen, see tree-builder.ts).

import type { Expr, MapEntry, StructField } from "../ast/expr.ts";
import type { Issue } from "../ast/issue.ts";
import type { LanguageOptions } from "./language.ts";
import { Lexer } from "./lexer.ts";
import { doubleLiteral, intLiteral, uintLiteral } from "./number-literal.ts";
import {
  AND,
  BYTES,
  COLON,
  COMMA,
  DOT,
  EOF,
  ESC_IDENT,
  EXCLAM,
  FALSE,
  FLOAT,
  IDENT,
  INT,
  LBRACE,
  LBRACKET,
  LPAREN,
  MINUS,
  NULL,
  OPERATOR_FUNCTIONS,
  OR,
  PERCENT,
  PLUS,
  QUESTION,
  RBRACE,
  RBRACKET,
  RESERVED,
  RPAREN,
  SLASH,
  STAR,
  STRING,
  TRUE,
  UINT,
} from "./token.ts";
import { isIssue, type TreeBuilder } from "./tree-builder.ts";
import { type Unescaped, unescapeBytes, unescapeString } from "./unescape.ts";

/** Thrown to leave the parser when the text is not a plain, valid expression. */
const SURPRISE: Error = new Error("not a valid expression");

export interface ParserSettings {
  readonly optionalSyntax: boolean;
  readonly backtickIdentifiers: boolean;
  readonly maxDepth: number;
  /** The language of the release that is followed. */
  readonly language: LanguageOptions;
}

/** The tree, or undefined when something is wrong with the text. Passes exceptions of the builder on. */
export function parseValid(text: string, builder: TreeBuilder, settings: ParserSettings): Expr | undefined {
  try {
    return new Parser(text, builder, settings).parse();
  } catch (error) {
    if (error === SURPRISE) return undefined;
    throw error;
  }
}

const NO_ARGS: readonly Expr[] = [];
const NO_OPTIONALS: readonly number[] = [];

class Parser {
  readonly #text: string;
  readonly #lexer: Lexer;
  readonly #build: TreeBuilder;
  readonly #settings: ParserSettings;
  readonly #maxDepth: number;
  /** The kind of the current token; its range is the lexer's. */
  #token = EOF;
  /** The end of the last token that was read. */
  #last = 0;
  // The number of active calls of each rule of the grammar: the reference limits every rule on its own. The other rules are never nested
  // deeper than these three.
  #exprDepth = 0;
  #relationDepth = 0;
  #calcDepth = 0;
  /** Steps the reference's tree walk would be deep in the expression read last; the same limit applies to it. */
  #height = 0;

  constructor(text: string, builder: TreeBuilder, settings: ParserSettings) {
    this.#text = text;
    this.#lexer = new Lexer(text, settings.language.backtickTokens);
    this.#build = builder;
    this.#settings = settings;
    this.#maxDepth = settings.maxDepth;
  }

  parse(): Expr {
    this.#advance();
    const expr = this.#expr();
    if (this.#token !== EOF) throw SURPRISE;
    return expr;
  }

  /** Moves on and answers the new token's kind. */
  #advance(): number {
    this.#last = this.#lexer.end;
    this.#token = this.#lexer.next();
    return this.#token;
  }

  /** One step above the expression read last and others as high as `height`. */
  #rise(height: number): void {
    this.#height = Math.max(this.#height, height) + 1;
    if (this.#height > this.#maxDepth) throw SURPRISE;
  }

  #expect(kind: number): void {
    if (this.#token !== kind) throw SURPRISE;
    this.#advance();
  }

  // expr = or [ "?" or ":" expr ]
  #expr(): Expr {
    if (++this.#exprDepth > this.#maxDepth) throw SURPRISE;
    const start = this.#lexer.start;
    let expr = this.#or();
    if (this.#token === QUESTION) {
      const at = this.#lexer.start;
      const id = this.#build.open(start, start, at);
      this.#advance();
      let height = this.#height;
      const yes = this.#or();
      if (this.#height > height) height = this.#height;
      this.#expect(COLON);
      const no = this.#expr();
      if (this.#height > height) height = this.#height;
      this.#rise(height);
      this.#build.spans.set(id, start, this.#last, at);
      expr = { kind: "call", id, function: "_?_:_", target: undefined, args: [expr, yes, no] };
    }
    this.#exprDepth--;
    return expr;
  }

  // or = and { "||" and }
  #or(): Expr {
    const start = this.#lexer.start;
    const first = this.#and();
    return this.#token === OR ? this.#chain(OR, "_||_", start, first) : first;
  }

  // and = relation { "&&" relation }
  #and(): Expr {
    const start = this.#lexer.start;
    const first = this.#relation();
    return this.#token === AND ? this.#chain(AND, "_&&_", start, first) : first;
  }

  /** The rest of a chain of `&&` or `||`, made into a balanced tree: long chains stay shallow. */
  #chain(operator: number, name: string, start: number, first: Expr): Expr {
    const terms = [first];
    const starts = [start];
    const ends = [this.#last];
    const ops: number[] = [];
    const ats: number[] = [];
    let height = this.#height;
    while (this.#token === operator) {
      const at = this.#lexer.start;
      this.#advance();
      starts.push(this.#lexer.start);
      terms.push(operator === AND ? this.#relation() : this.#and());
      if (this.#height > height) height = this.#height;
      ends.push(this.#last);
      ops.push(this.#build.open(at, at, at));
      ats.push(at);
    }
    this.#height = height;
    return this.#build.balance(name, terms, starts, ends, ops, ats);
  }

  // relation = calc { ( "==" | "<" | … | "in" ) calc }
  #relation(): Expr {
    if (++this.#relationDepth > this.#maxDepth) throw SURPRISE;
    const start = this.#lexer.start;
    let left = this.#calc(1);
    // kinds 1..7 are the relations, `==` to `>`
    while (this.#token >= 1 && this.#token <= 7) {
      const at = this.#lexer.start;
      const name = OPERATOR_FUNCTIONS[this.#token]!;
      const id = this.#build.open(start, start, at);
      this.#advance();
      const height = this.#height;
      if (++this.#relationDepth > this.#maxDepth) throw SURPRISE;
      const right = this.#calc(1);
      this.#relationDepth--;
      this.#rise(height);
      this.#build.spans.set(id, start, this.#last, at);
      left = this.#build.binary(id, name, left, right);
    }
    this.#relationDepth--;
    return left;
  }

  // calc = unary { ( "*" | "/" | "%" | "+" | "-" ) unary }, by precedence
  #calc(least: number): Expr {
    if (++this.#calcDepth > this.#maxDepth) throw SURPRISE;
    const start = this.#lexer.start;
    let left = this.#unary();
    for (;;) {
      const token = this.#token;
      const precedence =
        token === PLUS || token === MINUS ? 1 : token === STAR || token === SLASH || token === PERCENT ? 2 : 0;
      if (precedence < least) break;
      const at = this.#lexer.start;
      const id = this.#build.open(start, start, at);
      this.#advance();
      const height = this.#height;
      const right = this.#calc(precedence + 1);
      this.#rise(height);
      this.#build.spans.set(id, start, this.#last, at);
      left = this.#build.binary(id, OPERATOR_FUNCTIONS[token]!, left, right);
    }
    this.#calcDepth--;
    return left;
  }

  // unary = member | "!" { "!" } member | "-" { "-" } member; an even number of operators cancels out
  #unary(): Expr {
    const operator = this.#token;
    if (operator !== EXCLAM && operator !== MINUS) return this.#member();
    const at = this.#lexer.start;
    let count = 0;
    do {
      this.#advance();
      count++;
    } while (this.#token === operator);
    if (operator === MINUS && count === 1 && (this.#token === INT || this.#token === FLOAT)) {
      return this.#suffixes(this.#signedNumber(at), at, 0);
    }
    if (count % 2 === 0) return this.#member();
    const id = this.#build.open(at, at, at);
    const operand = this.#member();
    this.#build.spans.set(id, at, this.#last, at);
    return { kind: "call", id, function: operator === EXCLAM ? "!_" : "-_", target: undefined, args: [operand] };
  }

  // member = primary { "." field | "." name "(" args ")" | "[" expr "]" }
  #member(): Expr {
    const start = this.#lexer.start;
    this.#height = 0;
    switch (this.#token) {
      case IDENT:
        return this.#named(start, start, "");
      case DOT: {
        if (this.#advance() !== IDENT) throw SURPRISE;
        return this.#named(start, this.#lexer.start, ".");
      }
      case LPAREN: {
        this.#advance();
        const inner = this.#expr();
        this.#expect(RPAREN);
        return this.#suffixes(inner, start, 0);
      }
      default:
        return this.#suffixes(this.#primary(start), start, 0);
    }
  }

  /** An identifier, a global call, or the name of a message's type. */
  #named(start: number, nameStart: number, prefix: "" | "."): Expr {
    const name = this.#text.slice(nameStart, this.#lexer.end);
    // a message's type may be named so, but then diagnose.ts reads it
    if (RESERVED.has(name)) throw SURPRISE;
    const firstId = this.#build.nextId;
    this.#advance();
    const full = prefix === "" ? name : `.${name}`;
    if (this.#token === LPAREN) {
      const at = this.#lexer.start;
      const id = this.#build.open(start, start, at);
      const args = this.#args();
      this.#build.spans.set(id, start, this.#last, at);
      return this.#suffixes(this.#valid(this.#build.call(id, full, undefined, args)), start, 0);
    }
    const id = this.#build.open(start, this.#last, nameStart);
    return this.#suffixes({ kind: "ident", id, name: full }, start, firstId);
  }

  /**
   * Selections, member calls and indexing behind `expr`. While `chainId` is not 0, all that was read is names and dots
   * numbered from it on: a `{` then makes them the name of a message's type.
   */
  #suffixes(expr: Expr, start: number, chainId: number): Expr {
    const build = this.#build;
    for (;;) {
      const at = this.#lexer.start;
      switch (this.#token) {
        case DOT: {
          if (this.#advance() === IDENT) {
            const field = this.#text.slice(this.#lexer.start, this.#lexer.end);
            if (this.#advance() === LPAREN) {
              const open = this.#lexer.start;
              const id = build.open(start, start, open);
              const height = this.#height;
              const args = this.#args();
              this.#rise(height);
              build.spans.set(id, start, this.#last, open);
              expr = this.#valid(build.call(id, field, expr, args));
              chainId = 0;
            } else {
              const id = build.open(start, this.#last, at);
              this.#rise(0);
              expr = { kind: "select", id, operand: expr, field, test: false };
            }
          } else {
            expr = this.#unusualSelect(expr, start, at);
            chainId = 0;
          }
          break;
        }
        case LBRACKET: {
          const id = build.open(start, start, at);
          this.#advance();
          const optional = this.#optionalMark();
          const height = this.#height;
          const index = this.#expr();
          this.#rise(height);
          this.#expect(RBRACKET);
          build.spans.set(id, start, this.#last, at);
          expr = build.binary(id, optional ? "_[?_]" : "_[_]", expr, index);
          chainId = 0;
          break;
        }
        case LBRACE: {
          if (chainId === 0) throw SURPRISE;
          const type = qualifiedName(expr);
          build.rewind(chainId);
          expr = this.#message(type, start);
          chainId = 0;
          break;
        }
        default:
          return expr;
      }
    }
  }

  /** `.?field`, and fields in backticks; behind the dot that stands at `at`. */
  #unusualSelect(operand: Expr, start: number, at: number): Expr {
    const optional = this.#optionalMark();
    const fieldStart = this.#lexer.start;
    const field = this.#fieldName();
    const end = this.#last;
    this.#rise(0);
    if (!optional) {
      // `.b`(…)` is no call
      return { kind: "select", id: this.#build.open(start, end, at), operand, field, test: false };
    }
    const name: Expr = { kind: "literal", id: this.#build.open(fieldStart, end, fieldStart), value: field };
    return this.#build.binary(this.#build.open(start, end, at), "_?._", operand, name);
  }

  #fieldName(): string {
    const { start, end } = this.#lexer;
    if (this.#token === IDENT) {
      this.#advance();
      return this.#text.slice(start, end);
    }
    if (this.#token !== ESC_IDENT || !this.#settings.backtickIdentifiers) throw SURPRISE;
    this.#advance();
    return this.#text.slice(start + 1, end - 1);
  }

  #optionalMark(): boolean {
    if (this.#token !== QUESTION) return false;
    if (!this.#settings.optionalSyntax) throw SURPRISE;
    this.#advance();
    return true;
  }

  /** Arguments from `(` to behind `)`. Leaves the greatest height among them. */
  #args(): readonly Expr[] {
    if (this.#advance() === RPAREN) {
      this.#advance();
      this.#height = 0;
      return NO_ARGS;
    }
    const args = [this.#expr()];
    let height = this.#height;
    while (this.#token === COMMA) {
      this.#advance();
      args.push(this.#expr());
      if (this.#height > height) height = this.#height;
    }
    this.#expect(RPAREN);
    this.#height = height;
    return args;
  }

  #primary(start: number): Expr {
    const { end } = this.#lexer;
    switch (this.#token) {
      case LBRACKET:
        return this.#list(start);
      case LBRACE:
        return this.#map(start);
      case MINUS: {
        const number = this.#advance();
        if (number !== INT && number !== FLOAT) throw SURPRISE;
        return this.#signedNumber(start);
      }
      case INT:
        return this.#literal(start, intLiteral(this.#text.slice(start, end), false));
      case UINT:
        return this.#literal(start, uintLiteral(this.#text.slice(start, end)));
      case FLOAT:
        return this.#literal(start, doubleLiteral(this.#text.slice(start, end), false));
      case STRING:
        return this.#literal(start, this.#string(start, end));
      case BYTES:
        return this.#literal(start, this.#unescaped(unescapeBytes(this.#text.slice(start, end))));
      case TRUE:
        return this.#literal(start, true);
      case FALSE:
        return this.#literal(start, false);
      case NULL:
        return this.#literal(start, null);
      default:
        throw SURPRISE;
    }
  }

  /** The current token's literal; undefined is a value that does not exist. */
  #literal(start: number, value: unknown): Expr {
    if (value === undefined) throw SURPRISE;
    this.#advance();
    return { kind: "literal", id: this.#build.open(start, this.#last, start), value };
  }

  /** The number behind a minus that stands at `start`. */
  #signedNumber(start: number): Expr {
    const text = this.#text.slice(this.#lexer.start, this.#lexer.end);
    this.#height = 0;
    return this.#literal(start, this.#token === INT ? intLiteral(text, true) : doubleLiteral(text, true));
  }

  #string(start: number, end: number): string {
    // most strings are plain: one kind of quotes and nothing to replace
    const open = this.#text.charCodeAt(start);
    if ((open === 34 || open === 39) && this.#text.charCodeAt(start + 1) !== open) {
      const body = this.#text.slice(start + 1, end - 1);
      if (!body.includes("\\")) return body;
    }
    return this.#unescaped(unescapeString(this.#text.slice(start, end), this.#settings.language.strictEscapes));
  }

  #unescaped<T>(result: Unescaped<T>): T {
    if ("problem" in result) throw SURPRISE;
    return result.value;
  }

  #list(start: number): Expr {
    const id = this.#build.open(start, start, start);
    this.#advance();
    const elements: Expr[] = [];
    let optional: number[] | undefined;
    let height = 0;
    while (this.#token !== RBRACKET) {
      if (this.#optionalMark()) (optional ??= []).push(elements.length);
      // a comma alone may stand in an empty list
      if (elements.length === 0 && this.#token === COMMA && optional === undefined) {
        this.#advance();
        break;
      }
      elements.push(this.#expr());
      if (this.#height > height) height = this.#height;
      if (this.#token !== COMMA) break;
      this.#advance();
    }
    this.#expect(RBRACKET);
    this.#height = height;
    this.#build.spans.set(id, start, this.#last, start);
    return { kind: "list", id, elements, optional: optional ?? NO_OPTIONALS };
  }

  #map(start: number): Expr {
    const id = this.#build.open(start, start, start);
    this.#advance();
    const entries: MapEntry[] = [];
    let height = 0;
    // numbers are given in the reference's order: the colon's, then the key's, though the key comes first
    while (this.#token !== RBRACE) {
      if (entries.length === 0 && this.#token === COMMA) {
        this.#advance();
        break;
      }
      const entryStart = this.#lexer.start;
      const entryId = this.#build.open(entryStart, entryStart, entryStart);
      const optional = this.#optionalMark();
      const key = this.#expr();
      if (this.#height > height) height = this.#height;
      const colon = this.#lexer.start;
      this.#expect(COLON);
      const value = this.#expr();
      if (this.#height > height) height = this.#height;
      this.#build.spans.set(entryId, entryStart, this.#last, colon);
      entries.push(this.#build.mapEntry(entryId, key, value, optional));
      if (this.#token !== COMMA) break;
      this.#advance();
    }
    this.#expect(RBRACE);
    this.#height = height;
    this.#build.spans.set(id, start, this.#last, start);
    return { kind: "map", id, entries };
  }

  /** A message literal from its `{`. */
  #message(type: string, start: number): Expr {
    const at = this.#lexer.start;
    const id = this.#build.open(start, start, at);
    this.#advance();
    const fields: StructField[] = [];
    let height = 0;
    while (this.#token !== RBRACE) {
      if (fields.length === 0 && this.#token === COMMA) {
        this.#advance();
        break;
      }
      const fieldStart = this.#lexer.start;
      const optional = this.#optionalMark();
      const name = this.#fieldName();
      const colon = this.#lexer.start;
      const fieldId = this.#build.open(fieldStart, fieldStart, colon);
      this.#expect(COLON);
      const value = this.#expr();
      if (this.#height > height) height = this.#height;
      this.#build.spans.set(fieldId, fieldStart, this.#last, colon);
      fields.push({ id: fieldId, name, value, optional });
      if (this.#token !== COMMA) break;
      this.#advance();
    }
    this.#expect(RBRACE);
    this.#height = height;
    this.#build.spans.set(id, start, this.#last, at);
    return { kind: "struct", id, type, fields };
  }

  #valid(made: Expr | Issue): Expr {
    if (isIssue(made)) throw SURPRISE;
    return made;
  }
}

/** `a.b.c` as text, from a chain of selections. */
function qualifiedName(expr: Expr): string {
  const names: string[] = [];
  let rest = expr;
  for (; rest.kind === "select"; rest = rest.operand) names.push(rest.field);
  if (rest.kind !== "ident") throw SURPRISE;
  names.push(rest.name);
  return names.reverse().join(".");
}
