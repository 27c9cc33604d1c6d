// The tokens of a valid expression with the text between them, tidied: doubled parentheses and commas behind the last element are removed,
// and comments before an operator or a comma, which end up at the end of a line, are moved behind it. No later step changes the sequence of
// tokens, so the meaning stays.

import { Lexer } from "../parse/lexer.ts";
import {
  AND,
  BYTES,
  COMMA,
  EOF,
  ESC_IDENT,
  FALSE,
  FLOAT,
  GREATER,
  IDENT,
  INT,
  LBRACE,
  LBRACKET,
  LPAREN,
  MINUS,
  NULL,
  OR,
  PERCENT,
  PLUS,
  RBRACE,
  RBRACKET,
  RPAREN,
  SLASH,
  STAR,
  STRING,
  TRUE,
  UINT,
} from "../parse/token.ts";

export interface CommentText {
  readonly text: string;
  /** On a line of its own; only the first comment behind a token can be on that token's line. */
  readonly own: boolean;
}

export interface FormatToken {
  readonly kind: number;
  readonly text: string;
  /** The comments between the previous token and this one. */
  readonly comments: readonly CommentText[];
  readonly newline: boolean;
  /** An empty line, or several. */
  readonly blank: boolean;
}

/** All tokens; the last is the end of the text. */
export function tidyTokens(text: string): readonly FormatToken[] {
  return moveComments(withoutCommas(withoutDoubledParens(readTokens(text))));
}

/** By opening bracket, the index of the closing one. */
export function matchBrackets(tokens: readonly FormatToken[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [i, { kind }] of tokens.entries()) {
    if (kind === LPAREN || kind === LBRACKET || kind === LBRACE) open.push(i);
    else if (kind === RPAREN || kind === RBRACKET || kind === RBRACE) pairs.set(open.pop()!, i);
  }
  return pairs;
}

function readTokens(text: string): FormatToken[] {
  const lexer = new Lexer(text);
  const tokens: FormatToken[] = [];
  let kind: number;
  do {
    const before = lexer.end;
    kind = lexer.next();
    const gap = text.slice(before, lexer.start);
    const first = tokens.length === 0;
    tokens.push({
      kind,
      text: text.slice(lexer.start, lexer.end),
      comments: commentsIn(gap, first),
      newline: gap.includes("\n"),
      blank: !first && /\n[ \t\r\f]*\n/.test(gap),
    });
  } while (kind !== EOF);
  return tokens;
}

function commentsIn(gap: string, first: boolean): CommentText[] {
  if (!gap.includes("//")) return [];
  return gap.split("\n").flatMap((piece, i) => {
    const at = piece.indexOf("//");
    return at < 0 ? [] : [{ text: piece.slice(at).trimEnd(), own: first || i > 0 }];
  });
}

/** `((a))` is `(a)`; the parentheses of a call are its own. */
function withoutDoubledParens(tokens: readonly FormatToken[]): FormatToken[] {
  const pairs = matchBrackets(tokens);
  const needless = new Set<number>();
  for (const [open, close] of pairs) {
    const isCall = tokens[open - 1]?.kind === IDENT;
    if (tokens[open]!.kind !== LPAREN || isCall || tokens[open + 1]!.kind !== LPAREN) continue;
    if (pairs.get(open + 1) === close - 1) needless.add(open + 1).add(close - 1);
  }
  return without(tokens, (i) => needless.has(i));
}

/** Behind the last element, or alone in an empty list or map. */
function withoutCommas(tokens: readonly FormatToken[]): FormatToken[] {
  return without(tokens, (i) => {
    if (tokens[i]!.kind !== COMMA) return false;
    const next = tokens[i + 1]!.kind;
    return next === RBRACKET || next === RBRACE;
  });
}

function without(tokens: readonly FormatToken[], remove: (index: number) => boolean): FormatToken[] {
  const kept: FormatToken[] = [];
  let removed: FormatToken | undefined;
  for (const [i, token] of tokens.entries()) {
    const whole = removed === undefined ? token : joined(removed, token, kept.length === 0);
    removed = remove(i) ? whole : undefined;
    if (removed === undefined) kept.push(whole);
  }
  return kept;
}

/** `token` with what stood before `earlier` before it too. */
function joined(earlier: FormatToken, token: FormatToken, first: boolean): FormatToken {
  return {
    ...token,
    comments: joinedComments(earlier, token, first),
    newline: earlier.newline || token.newline,
    blank: earlier.blank || token.blank,
  };
}

function joinedComments(earlier: FormatToken, token: FormatToken, first: boolean): CommentText[] {
  return [...earlier.comments, ...token.comments].map(({ text, own }, i) => ({ text, own: own || first || i > 0 }));
}

function moveComments(tokens: readonly FormatToken[]): FormatToken[] {
  const moved = [...tokens];
  for (const [i, token] of moved.entries()) {
    if (token.comments.length === 0 || !endsLine(token.kind, moved[i - 1]?.kind)) continue;
    const next = moved[i + 1]!;
    moved[i] = { ...token, comments: [] };
    moved[i + 1] = { ...next, comments: joinedComments(token, next, false) };
  }
  return moved;
}

const OPERATORS: ReadonlySet<number> = new Set([AND, OR, PLUS, STAR, SLASH, PERCENT, COMMA]);
// biome-ignore format: what an operand can end with
const OPERAND_ENDS: ReadonlySet<number> = new Set([
  IDENT, ESC_IDENT, TRUE, FALSE, NULL, INT, UINT, FLOAT, STRING, BYTES, RPAREN, RBRACKET, RBRACE,
]);

function endsLine(kind: number, before: number | undefined): boolean {
  if (kind === MINUS) return before !== undefined && OPERAND_ENDS.has(before);
  // kinds 1..7 are the relations
  return OPERATORS.has(kind) || (kind >= 1 && kind <= GREATER);
}
