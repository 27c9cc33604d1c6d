// The tokens of any text, correct or not, for editors: the kind and place of each. Comments are among them.

import { Lexer } from "./lexer.ts";
import { BYTES, EOF, ESC_IDENT, FALSE, FLOAT, IDENT, IN, INT, INVALID, NULL, STRING, TRUE, UINT } from "./token.ts";

/** The class of a token, for colours. */
export type TokenClass = "name" | "keyword" | "number" | "text" | "comment" | "sign" | "invalid";

/** A token with its place in the text. */
export interface WrittenToken {
  readonly is: TokenClass;
  readonly start: number;
  readonly end: number;
}

const CLASSES: ReadonlyMap<number, TokenClass> = new Map<number, TokenClass>([
  [IDENT, "name"],
  [ESC_IDENT, "name"],
  [IN, "keyword"],
  [TRUE, "keyword"],
  [FALSE, "keyword"],
  [NULL, "keyword"],
  [FLOAT, "number"],
  [INT, "number"],
  [UINT, "number"],
  [STRING, "text"],
  [BYTES, "text"],
  [INVALID, "invalid"],
]);

/** The tokens of a text, comments included, also where it is not an expression. */
export function writtenTokens(text: string): WrittenToken[] {
  const lexer = new Lexer(text);
  const tokens: WrittenToken[] = [];
  let before = 0;
  for (;;) {
    const kind = lexer.next();
    // Text behind the token is not read: that would be the whole text for every one of them.
    const between = text.slice(before, lexer.start);
    for (let at = between.indexOf("//"); at !== -1; ) {
      const newline = between.indexOf("\n", at);
      const end = newline === -1 ? between.length : newline;
      const shown = between[end - 1] === "\r" ? end - 1 : end;
      tokens.push({ is: "comment", start: before + at, end: before + shown });
      at = between.indexOf("//", end);
    }
    if (kind === EOF) return tokens;
    tokens.push({ is: CLASSES.get(kind) ?? "sign", start: lexer.start, end: lexer.end });
    before = lexer.end;
  }
}
