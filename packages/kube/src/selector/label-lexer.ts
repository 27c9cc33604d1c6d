// Tokens of label selector text. Everything but blanks and the symbols `= ! ( ) , > <` belongs to a word.

export type TokenKind = "(" | ")" | "," | "!" | "=" | "==" | "!=" | ">" | "<" | "in" | "notin" | "word" | "end";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const SYMBOLS: ReadonlySet<string> = new Set(["(", ")", ",", "!", "=", "==", "!=", ">", "<"]);
const SYMBOL_CHARS = "=!(),><";
const BLANKS = " \t\r\n";
const NUL = "\0";

/** All tokens, the last being the end. A NUL character ends a token, or the text where no token has begun. */
export function lexLabelSelector(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && BLANKS.includes(text[at]!)) at++;
    if (at >= text.length || text[at] === NUL) {
      tokens.push({ kind: "end", text: "" });
      return tokens;
    }
    const token = SYMBOL_CHARS.includes(text[at]!) ? lexSymbol(text, at) : lexWord(text, at);
    tokens.push(token.token);
    at = token.end;
  }
}

interface Lexed {
  readonly token: Token;
  readonly end: number;
}

// The longest run of symbol characters that is an operator: `!=` before `!`.
function lexSymbol(text: string, start: number): Lexed {
  let end = start + 1;
  while (end < text.length && SYMBOL_CHARS.includes(text[end]!) && SYMBOLS.has(text.slice(start, end + 1))) end++;
  const symbol = text.slice(start, end);
  return { token: { kind: symbol as TokenKind, text: symbol }, end: afterNul(text, end) };
}

function lexWord(text: string, start: number): Lexed {
  let end = start;
  while (end < text.length && !isBoundary(text[end]!)) end++;
  const word = text.slice(start, end);
  const kind = word === "in" || word === "notin" ? word : "word";
  return { token: { kind, text: word }, end: afterNul(text, end) };
}

// A NUL that ends a token is used up with it; only one after blanks ends the text.
function afterNul(text: string, end: number): number {
  return text[end] === NUL ? end + 1 : end;
}

function isBoundary(char: string): boolean {
  return char === NUL || SYMBOL_CHARS.includes(char) || BLANKS.includes(char);
}
