// An unfinished expression, read by its tokens alone: brackets, names and dots show the construct at the cursor, even if the rest is wrong.

import { type WrittenToken, writtenTokens } from "@celadon/cel/ast";

/** A call, or a bracket, that is open at some place. */
export interface OpenBracket {
  readonly sign: "(" | "[" | "{";
  /** Index of the bracket among the tokens. */
  readonly token: number;
  /** The called function, `math.greatest` whole; empty for plain brackets. */
  readonly name: string;
  /** Offsets of the call's receiver. */
  readonly receiver?: { readonly start: number; readonly end: number };
  /** Offsets where the arguments start, the last being under way. */
  readonly args: readonly number[];
}

/** An expression as it is written, finished or not. */
export class ExpressionText {
  readonly text: string;
  readonly tokens: readonly WrittenToken[];

  constructor(text: string) {
    this.text = text;
    this.tokens = writtenTokens(text);
  }

  textOf(token: WrittenToken | undefined): string {
    return token === undefined ? "" : this.text.slice(token.start, token.end);
  }

  is(index: number, sign: string): boolean {
    const token = this.tokens[index];
    return token?.is === "sign" && this.textOf(token) === sign;
  }

  /** The token that holds an offset or ends there; names before signs. */
  tokenAt(offset: number): number {
    let found = -1;
    for (const [i, { is, start, end }] of this.tokens.entries()) {
      if (start > offset) break;
      const inside = start < offset && offset < end;
      const edge = offset === start || offset === end;
      if (inside || (edge && (is === "name" || is === "keyword" || is === "number"))) return i;
      if (edge) found = i;
    }
    return found;
  }

  /** The last token that ends at or before an offset, comments apart; -1 if it does not exist. */
  before(offset: number): number {
    for (let i = this.tokens.length - 1; i >= 0; i--) {
      const { is, end } = this.tokens[i]!;
      if (end <= offset && is !== "comment") return i;
    }
    return -1;
  }

  /**
   * The start of the operand that ends with a token: `a.b(c)[0]` as a whole. One of more than `reach` tokens is not followed to its start.
   */
  operandStart(last: number, reach: number = Number.POSITIVE_INFINITY): number {
    let i = last;
    for (;;) {
      if (last - i > reach) return i;
      const sign = this.textOf(this.tokens[i]);
      if (sign === ")" || sign === "]" || sign === "}") {
        const open = this.opening(i, reach);
        if (open <= 0) return Math.max(0, open);
        const before = this.tokens[open - 1];
        const follows = before?.is === "name" || (sign !== "}" && /^[)\]}]$|^["']/.test(this.textOf(before)));
        i = follows ? open - 1 : open;
        if (!follows) return i;
        if (before?.is !== "name") continue;
      }
      // A name with its operand: `.`, or `.?`.
      const dot = this.is(i - 1, "?") && this.is(i - 2, ".") ? i - 2 : i - 1;
      if (!this.is(dot, ".") || dot === 0) return this.is(dot, ".") ? dot : i;
      i = dot - 1;
    }
  }

  /** The bracket that one closes; 0 where it is more than `reach` tokens away. */
  opening(close: number, reach: number = Number.POSITIVE_INFINITY): number {
    let depth = 0;
    for (let i = close; i >= Math.max(0, close - reach); i--) {
      const sign = this.tokens[i]?.is === "sign" ? this.textOf(this.tokens[i]) : "";
      if (/^[)\]}]$/.test(sign)) depth++;
      else if (/^[([{]$/.test(sign) && --depth === 0) return i;
    }
    return 0;
  }

  /** Brackets open at an offset, outermost first. */
  open(offset: number): readonly OpenBracket[] {
    const stack: { token: number; sign: string; args: number[] }[] = [];
    for (const [i, token] of this.tokens.entries()) {
      if (token.start >= offset) break;
      if (token.is !== "sign") continue;
      const sign = this.textOf(token);
      if (sign === "(" || sign === "[" || sign === "{") stack.push({ token: i, sign, args: [token.end] });
      else if (sign === ")" || sign === "]" || sign === "}") stack.pop();
      else if (sign === ",") stack.at(-1)?.args.push(token.end);
    }
    return stack.map(({ token, sign, args }) => ({
      sign: sign as OpenBracket["sign"],
      token,
      args,
      ...this.#called(token),
    }));
  }

  #called(bracket: number): { name: string; receiver?: { start: number; end: number } } {
    const name = this.tokens[bracket - 1];
    if (name?.is !== "name") return { name: "" };
    if (!this.is(bracket - 2, ".") || bracket < 3) return { name: this.textOf(name) };
    const start = this.operandStart(bracket - 3);
    return {
      name: this.textOf(name),
      receiver: { start: this.tokens[start]!.start, end: this.tokens[bracket - 3]!.end },
    };
  }

  /** The type whose field is named at an offset: `Object.spec` in `Object.spec{replicas: 1}`. */
  structAt(offset: number): string | undefined {
    const inside = this.open(offset).at(-1);
    if (inside?.sign !== "{" || inside.name === "") return undefined;
    const last = this.before(offset);
    const before = this.is(last, "?") ? last - 1 : last;
    if (!this.is(before, "{") && !this.is(before, ",")) return undefined;
    const first = this.operandStart(inside.token - 1);
    return this.text.slice(this.tokens[first]!.start, this.tokens[inside.token - 1]!.end);
  }

  /** The only name in a stretch, as in the first argument of a macro; undefined for anything more. */
  loneName(start: number, end: number): string | undefined {
    const inside = this.tokens.filter((token) => token.start >= start && token.end <= end && token.is !== "comment");
    return inside.length === 1 && inside[0]!.is === "name" ? this.textOf(inside[0]) : undefined;
  }
}
