// Recovering from syntax errors as the reference's generated parser does: drop one token, make one up, or skip to a token
// that some rule being read can go on with. One mistake is reported once; nothing more is reported until a token fits.

import type { Issue } from "../ast/issue.ts";
import {
  extraneousInput,
  mismatchedInput,
  missingToken,
  nestedTooDeeply,
  noViableAlternative,
  recoverySkippedTooMuch,
  syntaxError,
  tooManyErrors,
  tooManyRecoveries,
  unrecognisedText,
} from "./issues.ts";
import type { Token } from "./syntax-tree.ts";
import { EOF, TOKEN_NAMES } from "./token.ts";
import { describe, EPSILON, has, mayEnd, setOf, type TokenSet } from "./token-sets.ts";
import { TokenStream } from "./token-stream.ts";

/** Thrown to leave a rule that cannot go on; the rule itself reports and recovers. */
export class Stuck {
  readonly words: string;
  readonly at: Token;
  constructor(words: string, at: Token) {
    this.words = words;
    this.at = at;
  }
}

/** Thrown to stop reading altogether: a limit was reached, and the issues say which. */
export const STOP: Error = new Error("stopped reading");

export interface RecoveryLimits {
  readonly recursion: number;
  readonly errors: number;
  readonly recoveries: number;
  readonly skippedTokens: number;
}

/** Literal kinds have names of their own; a made-up token of another kind has none. */
const FIRST_UNNAMED = TOKEN_NAMES.indexOf("NUM_FLOAT");

export class Recovery {
  readonly tokens: TokenStream;
  readonly issues: Issue[] = [];
  /** The place in the grammar, by the reference's number; recovery at one place twice must move on. */
  state = 0;
  readonly #limits: RecoveryLimits;
  /** For every rule being read, the tokens that may follow it in its caller. */
  readonly #follow: TokenSet[] = [];
  readonly #depths: number[] = [];
  #recovering = false;
  #lastErrorIndex = -1;
  #lastErrorStates: Set<number> = new Set();
  #attempts = 0;

  constructor(text: string, limits: RecoveryLimits, backticks: boolean) {
    this.#limits = limits;
    this.tokens = new TokenStream(text, backticks, (start, end) => {
      this.#report({ start, end }, unrecognisedText(text.slice(start, end)));
    });
  }

  get kind(): number {
    return this.tokens.peek(1).kind;
  }

  /** Begins a rule; its caller continues with one of `follow`. */
  enter(rule: number, follow: TokenSet): void {
    const depth = (this.#depths[rule] ?? 0) + 1;
    this.#depths[rule] = depth;
    if (depth > this.#limits.recursion) {
      this.issues.push(nestedTooDeeply(this.#limits.recursion));
      throw STOP;
    }
    this.#follow.push(follow);
  }

  leave(rule: number): void {
    this.#follow.pop();
    this.#depths[rule]!--;
  }

  /** In the rule that got stuck: tells why, and skips to where some rule can go on. Anything else is thrown on. */
  recover(error: unknown): void {
    if (!(error instanceof Stuck)) throw error;
    this.#tell(error.words, error.at);
    this.#skip();
  }

  /** The token of this kind, found, or made up, or found behind one that does not belong. `after` may follow it. */
  match(state: number, kind: number, after: TokenSet): Token {
    this.state = state;
    const token = this.tokens.peek(1);
    if (token.kind === kind) {
      this.#matched();
      this.tokens.consume();
      return token;
    }
    this.#attempt();
    const expected = setOf(kind);
    if (this.#dropOne(expected)) {
      const found = this.tokens.peek(1);
      this.tokens.consume();
      return found;
    }
    if (has(this.#inContext(after), token.kind)) {
      this.#tell(missingToken(display(token), describe(expected)), token);
      const place = token.kind === EOF ? (this.tokens.previous ?? token) : token;
      const text = kind < FIRST_UNNAMED ? `<missing ${TOKEN_NAMES[kind]!}>` : "<missing undefined>";
      return { kind, start: place.start, end: place.start, text, index: -1 };
    }
    throw this.#mismatch(expected);
  }

  /** Before alternatives or an optional part: the token must begin one of them, or be one that may follow. */
  syncBlock(state: number, expected: TokenSet): void {
    this.state = state;
    if (this.#recovering || mayEnd(expected) || has(expected, this.kind)) return;
    if (!this.#dropOne(expected)) throw this.#mismatch(expected);
  }

  /** Before another round of a loop: skips what neither continues nor follows it. */
  syncLoop(state: number, expected: TokenSet): void {
    this.state = state;
    if (this.#recovering || mayEnd(expected) || has(expected, this.kind)) return;
    const token = this.tokens.peek(1);
    this.#tell(extraneousInput(display(token), describe(expected)), token);
    this.#skipUntil(expected | this.#followers(), Number.POSITIVE_INFINITY);
  }

  /** No alternative begins as the text does from `from` to `at`. */
  noAlternative(from: Token, at: Token): Stuck {
    const text = from.kind === EOF ? "<EOF>" : this.tokens.textBetween(from, at);
    return new Stuck(noViableAlternative(text), at);
  }

  #mismatch(expected: TokenSet): Stuck {
    const token = this.tokens.peek(1);
    return new Stuck(mismatchedInput(display(token), describe(this.#inContext(expected))), token);
  }

  #matched(): void {
    this.#recovering = false;
    this.#lastErrorIndex = -1;
    this.#lastErrorStates = new Set();
  }

  /** Drops the current token when the one behind it is expected. */
  #dropOne(expected: TokenSet): boolean {
    const wanted = this.#inContext(expected);
    if (!has(wanted, this.tokens.peek(2).kind)) return false;
    const token = this.tokens.peek(1);
    this.#tell(extraneousInput(display(token), describe(wanted)), token);
    this.tokens.consume();
    this.#matched();
    return true;
  }

  /** The set, with the tokens that may follow rules that can end there. */
  #inContext(set: TokenSet): TokenSet {
    let expected = set;
    for (let i = this.#follow.length - 1; i > 0 && mayEnd(expected); i--)
      expected = (expected & ~EPSILON) | this.#follow[i]!;
    return mayEnd(expected) ? (expected & ~EPSILON) | setOf(EOF) : expected;
  }

  /** Everything some rule being read could go on with. */
  #followers(): TokenSet {
    let set = 0n;
    for (let i = 1; i < this.#follow.length; i++) set |= this.#follow[i]!;
    return set & ~EPSILON;
  }

  #attempt(): void {
    const limit = this.#limits.recoveries;
    if (this.#attempts++ === limit) {
      this.#report(this.tokens.peek(1), tooManyRecoveries(limit));
      throw STOP;
    }
  }

  #skip(): void {
    this.#attempt();
    let left = this.#limits.skippedTokens;
    if (this.#lastErrorIndex === this.tokens.index && this.#lastErrorStates.has(this.state)) {
      // here before, and nothing was consumed since: move on by force
      this.tokens.consume();
      left--;
    }
    this.#lastErrorIndex = this.tokens.index;
    this.#lastErrorStates.add(this.state);
    this.#skipUntil(this.#followers(), left);
  }

  #skipUntil(set: TokenSet, most: number): void {
    for (let left = most; this.kind !== EOF && !has(set, this.kind); left--) {
      if (left <= 0) {
        this.issues.push(recoverySkippedTooMuch(this.#limits.skippedTokens));
        throw STOP;
      }
      this.tokens.consume();
    }
  }

  #tell(words: string, at: Token): void {
    if (this.#recovering) return;
    this.#recovering = true;
    this.#report(at, words);
  }

  #report(at: { readonly start: number; readonly end: number }, words: string): void {
    const span = { start: at.start, end: at.end, at: at.start };
    // only syntax errors are counted here, before any other is found
    if (this.issues.length < this.#limits.errors) {
      this.issues.push(syntaxError(span, words));
      return;
    }
    this.issues.push(syntaxError(span, tooManyErrors(this.#limits.errors)));
    throw STOP;
  }
}

const display = (token: Token): string => (token.kind === EOF ? "<EOF>" : token.text);
