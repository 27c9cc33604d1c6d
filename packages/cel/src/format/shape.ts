// Facts about tokens that the layout needs before it reads them: where brackets close, where comments are, how large things are.

import { COMMA, DOT, IDENT, LBRACE } from "../parse/token.ts";
import { type FormatToken, matchBrackets } from "./tokens.ts";

/** Tokens are named by their indexes; a range ends before `end`. */
export class Shape {
  readonly #tokens: readonly FormatToken[];
  readonly #pairs: ReadonlyMap<number, number>;
  /** The number of comments up to and including those before each token. */
  readonly #comments: readonly number[];

  constructor(tokens: readonly FormatToken[]) {
    this.#tokens = tokens;
    this.#pairs = matchBrackets(tokens);
    let count = 0;
    this.#comments = tokens.map(({ comments }) => {
      count += comments.length;
      return count;
    });
  }

  closeOf(open: number): number {
    return this.#pairs.get(open)!;
  }

  /** Between the first token of a range and its last. */
  hasComments(start: number, end: number): boolean {
    return this.#comments[end - 1]! > this.#comments[start]!;
  }

  /** Between the opening bracket and the item that begins at `from`, or before the closing one. */
  hasEdgeComments(open: number, from: number, close: number): boolean {
    return this.hasComments(open, from + 1) || this.#tokens[close]!.comments.length > 0;
  }

  /** Between the items from `from` on. */
  hasComma(from: number, close: number): boolean {
    for (let i = from; i < close; i++) {
      if (this.#tokens[i]!.kind === COMMA) return true;
      i = this.#pairs.get(i) ?? i;
    }
    return false;
  }

  /** The number of names in front of a call's other arguments. */
  namesIn(open: number): number {
    let i = open + 1;
    while (this.#tokens[i]!.kind === IDENT && this.#tokens[i + 1]!.kind === COMMA) i += 2;
    return (i - open - 1) / 2;
  }

  /** A list, map, message or parentheses and nothing else. */
  isBracketed(from: number, end: number): boolean {
    let open = from;
    if (this.#tokens[open]!.kind === DOT) open++;
    while (this.#tokens[open]!.kind === IDENT && this.#tokens[open + 1]!.kind === DOT) open += 2;
    if (this.#tokens[open]!.kind === IDENT) open++;
    const isMessage = this.#tokens[open]!.kind === LBRACE;
    return (open === from || isMessage) && this.#pairs.get(open) === end - 1;
  }

  /** A call's parentheses with nothing but words in them, or something empty. */
  isShort(open: number): boolean {
    const close = this.closeOf(open);
    let i = open + 1;
    while (i < close) {
      i = (this.#pairs.get(i) === i + 1 ? i + 1 : i) + 1;
      if (i < close && this.#tokens[i]!.kind !== COMMA) return false;
      i++;
    }
    return true;
  }
}
