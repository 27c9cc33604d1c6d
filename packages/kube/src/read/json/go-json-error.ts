// Errors of Go's encoding/json about text that is not JSON: the first wrong byte, and the expected one.

import { encodeUtf8, quoteGo } from "@celadon/base";

/** Undefined if the text is JSON. */
export function goJsonError(given: string | Uint8Array): string | undefined {
  try {
    new Scanner(typeof given === "string" ? encodeUtf8(given) : given).document();
    return undefined;
  } catch (failure) {
    if (failure instanceof SyntaxFailure) return failure.text;
    if (failure instanceof RangeError) return "exceeded max depth";
    throw failure;
  }
}

class SyntaxFailure {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

class Scanner {
  private readonly bytes: Uint8Array;
  private at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  document(): void {
    this.value();
    this.blanks();
    if (this.at < this.bytes.length) this.invalid("after top-level value");
  }

  /** The byte as a character, as Go shows it; empty at the end. */
  private peek(): string {
    const byte = this.bytes[this.at];
    return byte === undefined ? "" : String.fromCharCode(byte);
  }

  private value(): void {
    this.blanks();
    const char = this.peek();
    if (char === "{") this.list("}", "after object key:value pair", () => this.member());
    else if (char === "[") this.list("]", "after array element", () => this.value());
    else if (char === '"') this.string();
    else if (char === "t") this.literal("true");
    else if (char === "f") this.literal("false");
    else if (char === "n") this.literal("null");
    else if (/[-0-9]/.test(char)) this.number();
    else this.invalid("looking for beginning of value");
  }

  private blanks(): void {
    while (/[ \t\r\n]/.test(this.peek())) this.at++;
  }

  private invalid(where: string): never {
    const char = this.peek();
    if (char === "") throw new SyntaxFailure("unexpected end of JSON input");
    throw new SyntaxFailure(`invalid character ${quoteByte(char)} ${where}`);
  }

  private list(end: string, after: string, item: () => void): void {
    this.at++;
    this.blanks();
    if (this.peek() === end) {
      this.at++;
      return;
    }
    for (;;) {
      item();
      this.blanks();
      const char = this.peek();
      if (char !== "," && char !== end) this.invalid(after);
      this.at++;
      if (char === end) return;
    }
  }

  private member(): void {
    this.blanks();
    if (this.peek() !== '"') this.invalid("looking for beginning of object key string");
    this.string();
    this.blanks();
    if (this.peek() !== ":") this.invalid("after object key");
    this.at++;
    this.value();
  }

  private string(): void {
    for (this.at++; this.peek() !== '"'; this.at++) {
      const char = this.peek();
      if (char < " ") this.invalid("in string literal");
      if (char === "\\") this.escape();
    }
    this.at++;
  }

  private escape(): void {
    this.at++;
    const char = this.peek();
    if (char === "" || !'bfnrt\\/"u'.includes(char)) this.invalid("in string escape code");
    for (let i = 0; char === "u" && i < 4; i++) {
      this.at++;
      if (!/[0-9a-fA-F]/.test(this.peek())) this.invalid("in \\u hexadecimal character escape");
    }
  }

  private literal(word: string): void {
    for (const expected of word) {
      if (this.peek() !== expected) this.invalid(`in literal ${word} (expecting ${quoteByte(expected)})`);
      this.at++;
    }
  }

  private number(): void {
    if (this.peek() === "-") this.at++;
    if (this.peek() === "0") this.at++;
    else this.digits("in numeric literal");
    if (this.peek() === ".") {
      this.at++;
      this.digits("after decimal point in numeric literal");
    }
    if (!/[eE]/.test(this.peek())) return;
    this.at++;
    if (/[-+]/.test(this.peek())) this.at++;
    this.digits("in exponent of numeric literal");
  }

  private digits(where: string): void {
    if (!/[0-9]/.test(this.peek())) this.invalid(where);
    while (/[0-9]/.test(this.peek())) this.at++;
  }
}

function quoteByte(char: string): string {
  if (char === "'") return "'\\''";
  return char === '"' ? `'"'` : `'${quoteGo(char).slice(1, -1)}'`;
}
