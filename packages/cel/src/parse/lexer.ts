// The lexer: one token at a time, over UTF-16 code units, without copying text. If several readings of the text are possible the longest
// complete one wins, and an incomplete one falls back to the longest that completed: `r'abc` without a closing quote is the identifier `r`
// and then a mistake. Text that is no token comes as INVALID, never as an exception.

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
  INVALID,
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
  TRUE,
  UINT,
} from "./token.ts";

const LETTER = 1;
const DIGIT = 2;
const HEX = 4;
const SPACE = 8;
/** Characters allowed between backticks, beyond letters and digits. */
const ESCAPED = 16;

const CLASS: Uint8Array = characterClasses();

function characterClasses(): Uint8Array {
  const table = new Uint8Array(128);
  const mark = (chars: string, bits: number): void => {
    for (let i = 0; i < chars.length; i++) table[chars.charCodeAt(i)]! |= bits;
  };
  mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_", LETTER);
  mark("0123456789", DIGIT | HEX);
  mark("abcdefABCDEF", HEX);
  mark(" \t\r\n\f", SPACE);
  mark(".-/ ", ESCAPED);
  return table;
}

/** Tokens of one character that begin no longer one. */
const SINGLE: Uint8Array = singleTokens();

function singleTokens(): Uint8Array {
  const table = new Uint8Array(128);
  const kinds: [string, number][] = [
    ["[", LBRACKET],
    ["]", RBRACKET],
    ["{", LBRACE],
    ["}", RBRACE],
    ["(", LPAREN],
    [")", RPAREN],
    [",", COMMA],
    ["-", MINUS],
    ["?", QUESTION],
    [":", COLON],
    ["+", PLUS],
    ["*", STAR],
    ["%", PERCENT],
  ];
  for (const [char, kind] of kinds) table[char.charCodeAt(0)] = kind;
  return table;
}

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const BACKSLASH = 92;

const is = (code: number, bits: number): boolean => code < 128 && (CLASS[code]! & bits) !== 0;

/** A cursor over the text. `start` and `end` are the range of the token `next` answered last. */
export class Lexer {
  readonly text: string;
  start = 0;
  end = 0;
  /** The end of the scan of an incomplete literal. */
  #stopped = 0;
  /** Whether names in backticks are tokens. */
  readonly #backticks: boolean;

  constructor(text: string, backticks = true) {
    this.text = text;
    this.#backticks = backticks;
  }

  /** Moves to the next token and answers its kind. */
  next(): number {
    const text = this.text;
    const length = text.length;
    let i = this.end;
    let code = 0;
    for (;;) {
      if (i >= length) {
        this.start = this.end = length;
        return EOF;
      }
      code = text.charCodeAt(i);
      if (is(code, SPACE)) {
        i++;
      } else if (code === 47 && text.charCodeAt(i + 1) === 47) {
        const newline = text.indexOf("\n", i);
        i = newline < 0 ? length : newline;
      } else {
        break;
      }
    }
    this.start = i;
    if (code >= 128) return this.#invalid(i);
    const bits = CLASS[code]!;
    if ((bits & LETTER) !== 0) return this.#word(i, code);
    if ((bits & DIGIT) !== 0) return this.#number(i, code);
    const single = SINGLE[code]!;
    if (single !== 0) {
      this.end = i + 1;
      return single;
    }
    const following = i + 1 < length ? text.charCodeAt(i + 1) : 0;
    switch (code) {
      case 46: // .
        if (is(following, DIGIT)) {
          this.end = this.#exponent(this.#digits(i + 1));
          return FLOAT;
        }
        this.end = i + 1;
        return DOT;
      case 61: // =
        return following === 61 ? this.#token(i + 2, EQUALS) : this.#invalid(i + 1);
      case 33: // !
        return following === 61 ? this.#token(i + 2, NOT_EQUALS) : this.#token(i + 1, EXCLAM);
      case 60: // <
        return following === 61 ? this.#token(i + 2, LESS_EQUALS) : this.#token(i + 1, LESS);
      case 62: // >
        return following === 61 ? this.#token(i + 2, GREATER_EQUALS) : this.#token(i + 1, GREATER);
      case 38: // &
        return following === 38 ? this.#token(i + 2, AND) : this.#invalid(i + 1);
      case 124: // |
        return following === 124 ? this.#token(i + 2, OR) : this.#invalid(i + 1);
      case 47: // /
        return this.#token(i + 1, SLASH);
      case DOUBLE_QUOTE:
      case SINGLE_QUOTE:
        return this.#quoted(i, false) ? STRING : this.#invalid(this.#stopped);
      case 96: // `
        return this.#backticks ? this.#escapedIdentifier(i) : this.#invalid(i);
      default:
        return this.#invalid(i);
    }
  }

  #token(end: number, kind: number): number {
    this.end = end;
    return kind;
  }

  /** No token: the range ends behind the character that fits nothing. */
  #invalid(at: number): number {
    const code = at < this.text.length ? this.text.codePointAt(at)! : 0;
    this.end = Math.min(at + (code > 0xffff ? 2 : 1), this.text.length);
    return INVALID;
  }

  #word(start: number, first: number): number {
    const text = this.text;
    const length = text.length;
    let i = start + 1;
    while (i < length && is(text.charCodeAt(i), LETTER | DIGIT)) i++;
    const size = i - start;
    if (size <= 5) {
      // prefixes of literals: r'…', b'…', br'…'
      if (size <= 2 && i < length) {
        const quote = text.charCodeAt(i);
        if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
          const bytes = first === 98 || first === 66;
          const last = text.charCodeAt(i - 1);
          const raw = last === 114 || last === 82;
          if (size === 1 ? bytes || raw : bytes && raw) {
            if (this.#quoted(i, raw)) return bytes ? BYTES : STRING;
          }
        }
      }
      this.end = i;
      switch (first) {
        case 105: // i
          return size === 2 && text.charCodeAt(start + 1) === 110 ? IN : IDENT;
        case 116: // t
          return size === 4 && text.startsWith("true", start) ? TRUE : IDENT;
        case 102: // f
          return size === 5 && text.startsWith("false", start) ? FALSE : IDENT;
        case 110: // n
          return size === 4 && text.startsWith("null", start) ? NULL : IDENT;
      }
      return IDENT;
    }
    this.end = i;
    return IDENT;
  }

  #number(start: number, first: number): number {
    const text = this.text;
    let i: number;
    if (first === 48 && text.charCodeAt(start + 1) === 120 && is(text.charCodeAt(start + 2), HEX)) {
      i = start + 3;
      while (i < text.length && is(text.charCodeAt(i), HEX)) i++;
    } else {
      i = this.#digits(start + 1);
      const point = text.charCodeAt(i) === 46 && is(text.charCodeAt(i + 1), DIGIT);
      const end = this.#exponent(point ? this.#digits(i + 2) : i);
      if (point || end !== i) return this.#token(end, FLOAT);
    }
    const suffix = text.charCodeAt(i);
    return suffix === 117 || suffix === 85 ? this.#token(i + 1, UINT) : this.#token(i, INT);
  }

  #digits(i: number): number {
    while (i < this.text.length && is(this.text.charCodeAt(i), DIGIT)) i++;
    return i;
  }

  /** The end of an exponent that begins at `i`; Answers `i` itself if there is no exponent. */
  #exponent(i: number): number {
    const code = this.text.charCodeAt(i);
    if (code !== 101 && code !== 69) return i;
    const sign = this.text.charCodeAt(i + 1);
    const digits = sign === 43 || sign === 45 ? i + 2 : i + 1;
    return is(this.text.charCodeAt(digits), DIGIT) ? this.#digits(digits + 1) : i;
  }

  /** A literal whose opening quote stands at `i`. Sets `end` when it completes, `#stopped` when it does not. */
  #quoted(i: number, raw: boolean): boolean {
    const text = this.text;
    const quote = text.charCodeAt(i);
    if (text.charCodeAt(i + 1) === quote) {
      // `''` may open a triple quote; when that never closes, the empty string stands
      if (text.charCodeAt(i + 2) !== quote || !this.#quotedUntil(i + 3, quote, raw, true)) this.end = i + 2;
      return true;
    }
    return this.#quotedUntil(i + 1, quote, raw, false);
  }

  #quotedUntil(i: number, quote: number, raw: boolean, triple: boolean): boolean {
    const text = this.text;
    const length = text.length;
    while (i < length) {
      const code = text.charCodeAt(i);
      if (code === quote) {
        if (!triple) {
          this.end = i + 1;
          return true;
        }
        if (text.charCodeAt(i + 1) === quote && text.charCodeAt(i + 2) === quote) {
          this.end = i + 3;
          return true;
        }
        i++;
      } else if (code === BACKSLASH && !raw) {
        const end = this.#escape(i + 1);
        if (end < 0) return false;
        i = end;
      } else if (!triple && (code === NEWLINE || code === CARRIAGE_RETURN)) {
        break;
      } else {
        i++;
      }
    }
    this.#stopped = i;
    return false;
  }

  /** The end of an escape sequence whose first character after the backslash is at `i`; -1 if it is invalid. */
  #escape(i: number): number {
    const text = this.text;
    switch (text.charCodeAt(i)) {
      case 97:
      case 98:
      case 102:
      case 110:
      case 114:
      case 116:
      case 118: // a b f n r t v
      case DOUBLE_QUOTE:
      case SINGLE_QUOTE:
      case BACKSLASH:
      case 63:
      case 96: // ? `
        return i + 1;
      case 48:
      case 49:
      case 50:
      case 51: // octal
        for (const at of [i + 1, i + 2]) {
          const digit = text.charCodeAt(at);
          if (!(digit >= 48 && digit <= 55)) {
            this.#stopped = at;
            return -1;
          }
        }
        return i + 3;
      case 120:
      case 88: // x X
        return this.#hexDigits(i + 1, 2);
      case 117: // u
        return this.#hexDigits(i + 1, 4);
      case 85: // U
        return this.#hexDigits(i + 1, 8);
      default:
        this.#stopped = i;
        return -1;
    }
  }

  #hexDigits(i: number, count: number): number {
    for (const end = i + count; i < end; i++) {
      if (!is(this.text.charCodeAt(i), HEX)) {
        this.#stopped = i;
        return -1;
      }
    }
    return i;
  }

  #escapedIdentifier(start: number): number {
    const text = this.text;
    let i = start + 1;
    while (i < text.length && is(text.charCodeAt(i), LETTER | DIGIT | ESCAPED)) i++;
    if (i > start + 1 && text.charCodeAt(i) === 96) return this.#token(i + 1, ESC_IDENT);
    return this.#invalid(i);
  }
}
