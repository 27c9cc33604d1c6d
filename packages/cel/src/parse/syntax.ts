// The grammar once more, for incorrect texts: every rule survives mistakes inside it (recovery.ts) and answers the part it recognised.
// Numbers passed as `state` are the reference's names for places in its grammar; nothing else depends on them. parser.ts reads the same
// language, faster, as long as nothing is wrong; tests hold the two together.
//
// Rules nest 250 deep, so few calls per level: the four rules of binary operators are one method.

import type { Issue } from "../ast/issue.ts";
import { Recovery, type RecoveryLimits, STOP } from "./recovery.ts";
import type {
  ArgsSyntax,
  FieldName,
  FieldSyntax,
  Hole,
  LiteralSyntax,
  OptionalSyntax,
  Syntax,
  Token,
} from "./syntax-tree.ts";
import {
  AND,
  COLON,
  COMMA,
  DOT,
  EOF,
  ESC_IDENT,
  EXCLAM,
  FLOAT,
  IDENT,
  INT,
  LBRACE,
  LBRACKET,
  LPAREN,
  MINUS,
  OR,
  QUESTION,
  RBRACE,
  RBRACKET,
  RPAREN,
} from "./token.ts";
import {
  AFTER,
  ELEMENT_START,
  EPSILON,
  EXPR_START,
  FACTORS,
  FIELD_START,
  has,
  LITERAL_START,
  MEMBER_START,
  NAME_START,
  PLAIN_FIELD_START,
  PLAIN_NAME_START,
  RELATIONS,
  SUMS,
  setOf,
  type TokenSet,
} from "./token-sets.ts";

export interface SyntaxResult {
  /** Undefined when reading had to stop; then the issues say why, and nothing else is to be looked for. */
  readonly root: { readonly syntax: Hole } | undefined;
  readonly issues: Issue[];
}

/** `backticks` is false for the grammar without names in backticks. */
export function readSyntax(text: string, limits: RecoveryLimits, backticks: boolean): SyntaxResult {
  const reader = new SyntaxReader(text, limits, backticks);
  try {
    const syntax = reader.start();
    return { root: { syntax }, issues: reader.recovery.issues };
  } catch (error) {
    if (error !== STOP) throw error;
    return { root: undefined, issues: reader.recovery.issues };
  }
}

// the grammar's rules
const START = 0;
const EXPR = 1;
const OR_RULE = 2;
const AND_RULE = 3;
const RELATION = 4;
const CALC = 5;
const UNARY = 6;
const MEMBER = 7;
const PRIMARY = 8;
const ARGUMENTS = 9;
const ELEMENTS = 10;
const ELEMENT = 11;
const ENTRIES = 12;
const FIELDS = 13;
const FIELD = 14;
const FIELD_NAME = 15;
const LITERAL = 16;

class SyntaxReader {
  readonly recovery: Recovery;
  readonly #backticks: boolean;
  readonly #nameStart: TokenSet;
  readonly #fieldStart: TokenSet;

  constructor(text: string, limits: RecoveryLimits, backticks: boolean) {
    this.recovery = new Recovery(text, limits, backticks);
    this.#backticks = backticks;
    this.#nameStart = backticks ? NAME_START : PLAIN_NAME_START;
    this.#fieldStart = backticks ? FIELD_START : PLAIN_FIELD_START;
  }

  get #kind(): number {
    return this.recovery.kind;
  }
  get #start(): number {
    return this.recovery.tokens.peek(1).start;
  }
  get #end(): number {
    return this.recovery.tokens.previous?.end ?? 0;
  }
  #peek(ahead: number): number {
    return this.recovery.tokens.peek(ahead).kind;
  }
  /** Stuck: no alternative begins with the current token and `more` behind it. */
  #stuck(more: number): never {
    const { tokens } = this.recovery;
    throw this.recovery.noAlternative(tokens.peek(1), tokens.peek(1 + more));
  }

  start(): Hole {
    const { recovery } = this;
    let syntax: Hole;
    recovery.enter(START, 0n);
    try {
      syntax = this.#expr(AFTER.start);
      recovery.match(35, EOF, EPSILON);
    } catch (error) {
      recovery.recover(error);
    }
    return syntax;
  }

  #expr(follow: TokenSet): Hole {
    const { recovery } = this;
    const start = this.#start;
    let condition: Hole;
    let op: Token | undefined;
    let yes: Hole;
    let no: Hole;
    recovery.enter(EXPR, follow);
    try {
      condition = this.#operators(OR_RULE, AFTER.condition, 0);
      if (this.#kind === QUESTION) {
        op = recovery.match(38, QUESTION, EXPR_START);
        yes = this.#operators(OR_RULE, AFTER.ifTrue, 0);
        recovery.match(40, COLON, EXPR_START);
        no = this.#expr(AFTER.end);
      }
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(EXPR);
    return op === undefined ? condition : { kind: "ternary", start, end: this.#end, condition, op, yes, no };
  }

  /**
   * The rules from `rule` (or, and, relation, calc) to the tightest; each begins with the next. None of them needs recovery of its own.
   * `least` is the precedence an operator of the rule `rule` must have.
   */
  #operators(rule: number, follow: TokenSet, least: number): Hole {
    const { recovery } = this;
    const start = this.#start;
    recovery.enter(rule, follow);
    if (rule <= OR_RULE) recovery.enter(AND_RULE, AFTER.orTerm);
    if (rule <= AND_RULE) recovery.enter(RELATION, AFTER.andTerm);
    if (rule <= RELATION) recovery.enter(CALC, AFTER.relation);
    let left = this.#unary(AFTER.calc);
    for (const most = rule === CALC ? least : 0; ; ) {
      const precedence = has(FACTORS, this.#kind) ? 2 : has(SUMS, this.#kind) ? 1 : 0;
      if (precedence === 0 || precedence < most) break;
      const op = recovery.match(precedence === 2 ? 76 : 79, this.#kind, EXPR_START);
      const right = this.#operators(CALC, AFTER.calc, precedence + 1);
      left = { kind: "binary", start, end: this.#end, left, op, right };
    }
    recovery.leave(CALC);
    if (rule === CALC) return left;
    // a relation that is a right operand reads no further relation
    while ((rule !== RELATION || least === 0) && has(RELATIONS, this.#kind)) {
      const op = recovery.match(65, this.#kind, EXPR_START);
      const right = this.#operators(RELATION, AFTER.relation, 1);
      left = { kind: "binary", start, end: this.#end, left, op, right };
    }
    recovery.leave(RELATION);
    if (rule === RELATION) return left;
    if (this.#kind === AND) left = this.#chain(left, start, AND, "&&", RELATION, AFTER.andTerm);
    recovery.leave(AND_RULE);
    if (rule === AND_RULE) return left;
    if (this.#kind === OR) left = this.#chain(left, start, OR, "||", AND_RULE, AFTER.orTerm);
    recovery.leave(OR_RULE);
    return left;
  }

  #chain(first: Hole, start: number, kind: number, operator: "&&" | "||", rule: number, after: TokenSet): Syntax {
    const firstEnd = this.#end;
    const ops: Token[] = [];
    const rest: { term: Hole; start: number; end: number }[] = [];
    while (this.#kind === kind) {
      ops.push(this.recovery.match(kind === OR ? 46 : 54, kind, EXPR_START));
      const termStart = this.#start;
      const term = this.#operators(rule, after, 0);
      rest.push({ term, start: termStart, end: this.#end });
    }
    return { kind: "chain", start, end: this.#end, operator, first, ops, rest, firstEnd };
  }

  #unary(follow: TokenSet): Hole {
    const { recovery } = this;
    const start = this.#start;
    const ops: Token[] = [];
    let operand: Hole = { kind: "unreadable", start, end: start };
    recovery.enter(UNARY, follow);
    try {
      recovery.syncBlock(99, EXPR_START);
      if (this.#kind === EXCLAM) {
        do {
          ops.push(recovery.match(87, EXCLAM, EXPR_START));
          recovery.syncLoop(90, EXPR_START);
        } while (this.#kind === EXCLAM);
      } else if (this.#kind === MINUS && this.#peek(2) !== INT && this.#peek(2) !== FLOAT) {
        // a lone minus before a number belongs to the number
        if (!has(MEMBER_START, this.#peek(2))) this.#stuck(1);
        do {
          ops.push(recovery.match(93, MINUS, MEMBER_START));
          recovery.syncLoop(96, MEMBER_START);
        } while (this.#anotherMinus());
      } else if (!has(MEMBER_START, this.#kind)) {
        this.#stuck(0);
      }
      operand = this.#member(AFTER.end);
    } catch (error) {
      recovery.recover(error);
      if (ops.length > 0) operand = undefined;
    }
    recovery.leave(UNARY);
    return ops.length === 0 ? operand : { kind: "unary", start, end: this.#end, ops, operand };
  }

  #anotherMinus(): boolean {
    if (!has(MEMBER_START, this.#kind)) this.#stuck(0);
    if (this.#kind !== MINUS) return false;
    if (!has(MEMBER_START, this.#peek(2))) this.#stuck(1);
    return true;
  }

  #member(follow: TokenSet): Hole {
    const { recovery } = this;
    const start = this.#start;
    recovery.enter(MEMBER, follow);
    let syntax = this.#primary(AFTER.member);
    try {
      for (;;) {
        if (this.#kind === LBRACKET) {
          const op = recovery.match(119, LBRACKET, ELEMENT_START);
          // stands, even when the rest gets stuck
          const made = {
            kind: "index" as const,
            start,
            end: this.#end,
            operand: syntax,
            op,
            optional: false,
            index: undefined as Hole,
          };
          syntax = made;
          recovery.syncBlock(121, ELEMENT_START);
          if (this.#peek(1) === QUESTION) {
            recovery.match(120, QUESTION, EXPR_START);
            made.optional = true;
          }
          made.index = this.#expr(AFTER.index);
          recovery.match(124, RBRACKET, AFTER.member);
          made.end = this.#end;
        } else if (this.#kind !== DOT) {
          break;
        } else if (this.#peek(2) === IDENT && this.#peek(3) === LPAREN) {
          recovery.match(111, DOT, this.#nameStart);
          const name = recovery.match(112, IDENT, setOf(LPAREN));
          const open = recovery.match(113, LPAREN, EXPR_START);
          const made = {
            kind: "call" as const,
            start,
            end: this.#end,
            target: syntax,
            member: true,
            leadingDot: false,
            name,
            open,
            args: [],
          };
          syntax = made;
          this.#arguments(made, 115, 117, AFTER.member);
        } else {
          recovery.state = 126;
          if (!has(this.#fieldStart, this.#peek(2))) this.#stuck(1);
          const op = recovery.match(105, DOT, this.#fieldStart);
          recovery.syncBlock(107, this.#fieldStart);
          const optional = this.#peek(1) === QUESTION;
          if (optional) recovery.match(106, QUESTION, this.#nameStart);
          const field = this.#fieldName(AFTER.member);
          syntax = { kind: "select", start, end: this.#end, operand: syntax, op, optional, field };
        }
      }
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(MEMBER);
    return syntax;
  }

  #fieldName(follow: TokenSet): FieldName {
    const { recovery } = this;
    const start = this.#start;
    let token: Token | undefined;
    if (!this.#backticks) {
      token = recovery.match(108, IDENT, follow);
      return { start, end: token.end, token };
    }
    recovery.enter(FIELD_NAME, follow);
    try {
      recovery.syncBlock(235, NAME_START);
      if (this.#kind === IDENT) token = recovery.match(233, IDENT, EPSILON);
      else if (this.#kind === ESC_IDENT) token = recovery.match(234, ESC_IDENT, EPSILON);
      else this.#stuck(0);
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(FIELD_NAME);
    return { start, end: token?.end ?? start, token };
  }

  /** Arguments behind `(`, with the `)`. They go into `call` one by one, so that arguments before a mistake are kept. */
  #arguments(call: ArgsSyntax, state: number, close: number, after: TokenSet): void {
    const { recovery } = this;
    recovery.syncBlock(state, EXPR_START | AFTER.arguments);
    if (has(EXPR_START, this.#kind)) {
      recovery.enter(ARGUMENTS, AFTER.arguments);
      // cannot get stuck: another argument follows only a comma
      call.args.push(this.#expr(AFTER.argument));
      while (this.#kind === COMMA) {
        recovery.match(187, COMMA, EXPR_START);
        call.args.push(this.#expr(AFTER.argument));
      }
      recovery.leave(ARGUMENTS);
    }
    recovery.match(close, RPAREN, after);
    call.end = this.#end;
  }

  #primary(follow: TokenSet): Hole {
    const { recovery } = this;
    const start = this.#start;
    let syntax: Hole;
    recovery.enter(PRIMARY, follow);
    try {
      recovery.syncBlock(184, MEMBER_START);
      switch (this.#kind) {
        case LPAREN:
          recovery.match(144, LPAREN, EXPR_START);
          syntax = this.#expr(AFTER.arguments);
          recovery.match(146, RPAREN, EPSILON);
          break;
        case LBRACKET: {
          const made = {
            kind: "list" as const,
            start,
            end: start,
            op: recovery.match(148, LBRACKET, ELEMENT_START),
            elements: [],
          };
          syntax = made;
          this.#elements(made.elements);
          this.#close(153, 155, RBRACKET, AFTER.elements);
          made.end = this.#end;
          break;
        }
        case LBRACE: {
          const op = recovery.match(156, LBRACE, ELEMENT_START);
          const made = { kind: "map" as const, start, end: start, op, keys: [], colons: [], values: [] };
          syntax = made;
          this.#entries(made.keys, made.colons, made.values);
          this.#close(161, 163, RBRACE, AFTER.entries);
          made.end = this.#end;
          break;
        }
        case DOT:
        case IDENT: {
          const leadingDot = this.#kind === DOT;
          if (leadingDot && this.#peek(2) !== IDENT) this.#stuck(1);
          if (this.#isMessage(leadingDot ? 2 : 1)) {
            const { names, op } = this.#messageHead(leadingDot);
            const made = {
              kind: "message" as const,
              start,
              end: this.#end,
              leadingDot,
              names,
              op,
              fields: [],
              colons: [],
              values: [],
            };
            syntax = made;
            this.#fields(made.fields, made.colons, made.values);
            this.#close(180, 182, RBRACE, AFTER.entries);
            made.end = this.#end;
            break;
          }
          if (leadingDot) recovery.match(131, DOT, setOf(IDENT));
          const name = recovery.match(134, IDENT, EPSILON);
          syntax = { kind: "name", start, end: this.#end, leadingDot, name };
          if (this.#peek(1) !== LPAREN) break;
          const open = recovery.match(139, LPAREN, EXPR_START);
          const made = {
            kind: "call" as const,
            start,
            end: this.#end,
            target: undefined,
            member: false,
            leadingDot,
            name,
            open,
            args: [],
          };
          syntax = made;
          this.#arguments(made, 141, 143, EPSILON);
          break;
        }
        default:
          if (!has(LITERAL_START, this.#kind)) this.#stuck(0);
          if (this.#kind === MINUS && this.#peek(2) !== INT && this.#peek(2) !== FLOAT) this.#stuck(1);
          syntax = this.#literal(AFTER.end);
      }
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(PRIMARY);
    return syntax;
  }

  #literal(follow: TokenSet): LiteralSyntax {
    const { recovery } = this;
    const start = this.#start;
    recovery.enter(LITERAL, follow);
    const negative = this.#kind === MINUS;
    if (negative) recovery.match(242, MINUS, setOf(INT, FLOAT));
    const token = recovery.match(245, this.#kind, EPSILON);
    recovery.leave(LITERAL);
    return { kind: "literal", start, end: this.#end, negative, token };
  }

  /** Names and dots decide, as far as they go. */
  #isMessage(firstName: number): boolean {
    let ahead = firstName + 1;
    while (this.#peek(ahead) === DOT && this.#peek(ahead + 1) === IDENT) ahead += 2;
    return this.#peek(ahead) === LBRACE;
  }

  #messageHead(leadingDot: boolean): { names: Token[]; op: Token } {
    const { recovery } = this;
    if (leadingDot) recovery.match(164, DOT, setOf(IDENT));
    const names = [recovery.match(167, IDENT, setOf(DOT, LBRACE))];
    while (this.#kind === DOT) {
      recovery.match(168, DOT, setOf(IDENT));
      names.push(recovery.match(169, IDENT, setOf(DOT, LBRACE)));
    }
    return { names, op: recovery.match(175, LBRACE, this.#fieldStart | AFTER.entries) };
  }

  #elements(elements: OptionalSyntax[]): void {
    const { recovery } = this;
    recovery.syncBlock(150, ELEMENT_START | AFTER.elements);
    if (!has(ELEMENT_START, this.#kind)) return;
    recovery.enter(ELEMENTS, AFTER.elements);
    elements.push(this.#element(AFTER.argument));
    while (this.#kind === COMMA && has(ELEMENT_START, this.#peek(2))) {
      recovery.match(195, COMMA, ELEMENT_START);
      elements.push(this.#element(AFTER.argument));
    }
    recovery.leave(ELEMENTS);
  }

  #element(follow: TokenSet): OptionalSyntax {
    const { recovery } = this;
    const start = this.#start;
    let mark: Token | undefined;
    let expr: Hole;
    recovery.enter(ELEMENT, follow);
    try {
      recovery.syncBlock(238, ELEMENT_START);
      if (this.#kind === QUESTION) mark = recovery.match(237, QUESTION, EXPR_START);
      expr = this.#expr(AFTER.end);
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(ELEMENT);
    return { start, end: this.#end, mark, expr };
  }

  #entries(keys: OptionalSyntax[], colons: Token[], values: { expr: Hole; end: number }[]): void {
    const { recovery } = this;
    recovery.syncBlock(158, ELEMENT_START | AFTER.entries);
    if (!has(ELEMENT_START, this.#kind)) return;
    recovery.enter(ENTRIES, AFTER.entries);
    try {
      keys.push(this.#element(AFTER.key));
      colons.push(recovery.match(221, COLON, EXPR_START));
      values.push({ expr: this.#expr(AFTER.argument), end: this.#end });
      while (this.#kind === COMMA && has(ELEMENT_START, this.#peek(2))) {
        recovery.match(223, COMMA, ELEMENT_START);
        keys.push(this.#element(AFTER.key));
        colons.push(recovery.match(225, COLON, EXPR_START));
        values.push({ expr: this.#expr(AFTER.argument), end: this.#end });
      }
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(ENTRIES);
  }

  #fields(fields: FieldSyntax[], colons: Token[], values: { expr: Hole; end: number }[]): void {
    const { recovery } = this;
    recovery.syncBlock(177, this.#fieldStart | AFTER.entries);
    if (!has(this.#fieldStart, this.#kind)) return;
    recovery.enter(FIELDS, AFTER.entries);
    try {
      fields.push(this.#field());
      colons.push(recovery.match(203, COLON, EXPR_START));
      values.push({ expr: this.#expr(AFTER.argument), end: this.#end });
      while (this.#kind === COMMA && has(this.#fieldStart, this.#peek(2))) {
        recovery.match(205, COMMA, this.#fieldStart);
        fields.push(this.#field());
        colons.push(recovery.match(207, COLON, EXPR_START));
        values.push({ expr: this.#expr(AFTER.argument), end: this.#end });
      }
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(FIELDS);
  }

  #field(): FieldSyntax {
    const { recovery } = this;
    const start = this.#start;
    let mark: Token | undefined;
    let name: FieldName | undefined;
    recovery.enter(FIELD, AFTER.key);
    try {
      recovery.syncBlock(216, this.#fieldStart);
      if (this.#kind === QUESTION) mark = recovery.match(215, QUESTION, this.#nameStart);
      name = this.#fieldName(AFTER.end);
    } catch (error) {
      recovery.recover(error);
    }
    recovery.leave(FIELD);
    return { start, end: this.#end, mark, name };
  }

  /** A comma that may stand at the end, and the closing bracket. */
  #close(sync: number, state: number, bracket: number, expected: TokenSet): void {
    const { recovery } = this;
    recovery.syncBlock(sync, expected);
    if (this.#kind === COMMA) recovery.match(sync - 1, COMMA, setOf(bracket));
    recovery.match(state, bracket, EPSILON);
  }
}
