// Sets of token kinds as bits: the tokens that the reference's grammar expects in a place. EPSILON in a set means that the rule may end
// there, so that the follow set of its caller belongs to the set too.

import {
  AND,
  BYTES,
  COLON,
  COMMA,
  DOT,
  EOF,
  EQUALS,
  ESC_IDENT,
  EXCLAM,
  FALSE,
  FLOAT,
  GREATER,
  GREATER_EQUALS,
  IDENT,
  IN,
  INT,
  LBRACE,
  LBRACKET,
  LESS,
  LESS_EQUALS,
  LPAREN,
  MINUS,
  NOT_EQUALS,
  NULL,
  OR,
  PERCENT,
  PLUS,
  QUESTION,
  RBRACE,
  RBRACKET,
  RPAREN,
  SLASH,
  STAR,
  STRING,
  TOKEN_NAMES,
  TRUE,
  UINT,
} from "./token.ts";

export type TokenSet = bigint;

export const EPSILON: TokenSet = 1n << 63n;

export const setOf = (...kinds: number[]): TokenSet => kinds.reduce((set, kind) => set | (1n << BigInt(kind)), 0n);
export const has = (set: TokenSet, kind: number): boolean => ((set >> BigInt(kind)) & 1n) === 1n;
export const mayEnd = (set: TokenSet): boolean => (set & EPSILON) !== 0n;

/** `{'[', '(', IDENTIFIER}`, or one name alone. */
export function describe(set: TokenSet): string {
  const names = TOKEN_NAMES.filter((_, kind) => has(set, kind));
  return names.length === 1 ? names[0]! : `{${names.join(", ")}}`;
}

const LITERAL = setOf(TRUE, FALSE, NULL, FLOAT, INT, UINT, STRING, BYTES);
export const LITERAL_START: TokenSet = LITERAL | setOf(MINUS);
export const MEMBER_START: TokenSet = LITERAL_START | setOf(LBRACKET, LBRACE, LPAREN, DOT, IDENT);
export const EXPR_START: TokenSet = MEMBER_START | setOf(EXCLAM);
export const ELEMENT_START: TokenSet = EXPR_START | setOf(QUESTION);
export const NAME_START: TokenSet = setOf(IDENT, ESC_IDENT);
export const FIELD_START: TokenSet = NAME_START | setOf(QUESTION);
/** The same where names in backticks are no tokens. */
export const PLAIN_NAME_START: TokenSet = setOf(IDENT);
export const PLAIN_FIELD_START: TokenSet = setOf(IDENT, QUESTION);
export const RELATIONS: TokenSet = setOf(EQUALS, NOT_EQUALS, IN, LESS, LESS_EQUALS, GREATER_EQUALS, GREATER);
export const FACTORS: TokenSet = setOf(STAR, SLASH, PERCENT);
export const SUMS: TokenSet = setOf(PLUS, MINUS);

/** The tokens that may follow a rule within the rule that called it. */
export const AFTER: Readonly<Record<Caller, TokenSet>> = {
  start: setOf(EOF),
  condition: setOf(QUESTION) | EPSILON,
  ifTrue: setOf(COLON),
  orTerm: setOf(OR) | EPSILON,
  andTerm: setOf(AND) | EPSILON,
  relation: RELATIONS | EPSILON,
  calc: FACTORS | SUMS | EPSILON,
  member: setOf(DOT, LBRACKET) | EPSILON,
  argument: setOf(COMMA) | EPSILON,
  arguments: setOf(RPAREN),
  index: setOf(RBRACKET),
  elements: setOf(COMMA, RBRACKET),
  entries: setOf(COMMA, RBRACE),
  key: setOf(COLON),
  end: EPSILON,
};

/** Places a rule is called from. */
type Caller =
  | "start"
  | "condition"
  | "ifTrue"
  | "orTerm"
  | "andTerm"
  | "relation"
  | "calc"
  | "member"
  | "argument"
  | "arguments"
  | "index"
  | "elements"
  | "entries"
  | "key"
  | "end";
