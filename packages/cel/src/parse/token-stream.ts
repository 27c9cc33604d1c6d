// Tokens for the recovering parser, read when first needed: issues of the lexer are reported in between those of the parser, and both count
// towards one limit.

import { Lexer } from "./lexer.ts";
import type { Token } from "./syntax-tree.ts";
import { EOF, INVALID } from "./token.ts";

export class TokenStream {
  readonly text: string;
  readonly #lexer: Lexer;
  readonly #tokens: Token[] = [];
  /** Ranges of characters that are no token; they are no part of any text that is quoted. */
  readonly #gaps: { start: number; end: number }[] = [];
  readonly #onInvalid: (start: number, end: number) => void;
  #index = 0;

  constructor(text: string, backticks: boolean, onInvalid: (start: number, end: number) => void) {
    this.text = text;
    this.#lexer = new Lexer(text, backticks);
    this.#onInvalid = onInvalid;
  }

  /** The token `ahead` places from here: 1 is the current one. */
  peek(ahead: number): Token {
    const index = this.#index + ahead - 1;
    while (this.#tokens.length <= index && this.#tokens.at(-1)?.kind !== EOF) this.#read();
    return this.#tokens[Math.min(index, this.#tokens.length - 1)]!;
  }

  /** The token before the current one. */
  get previous(): Token | undefined {
    return this.#tokens[this.#index - 1];
  }

  get index(): number {
    return this.#index;
  }

  /** Moves on, never beyond the end. */
  consume(): void {
    if (this.peek(1).kind !== EOF) {
      this.#index++;
      this.peek(1);
    }
  }

  /** The text from one token to another, with spaces and comments, without invalid text. */
  textBetween(from: Token, to: Token): string {
    let text = "";
    let start = from.start;
    const end = to.kind === EOF ? this.text.length : to.end;
    for (const gap of this.#gaps) {
      if (gap.start < start || gap.end > end) continue;
      text += this.text.slice(start, gap.start);
      start = gap.end;
    }
    return text + this.text.slice(start, end);
  }

  #read(): void {
    const lexer = this.#lexer;
    let kind = lexer.next();
    while (kind === INVALID) {
      this.#gaps.push({ start: lexer.start, end: lexer.end });
      this.#onInvalid(lexer.start, lexer.end);
      kind = lexer.next();
    }
    const { start, end } = lexer;
    this.#tokens.push({ kind, start, end, text: this.text.slice(start, end), index: this.#tokens.length });
  }
}
