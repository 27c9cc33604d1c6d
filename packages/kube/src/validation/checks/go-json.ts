// What Go's encoding/json says about a text that is not JSON: annotations and secrets hold JSON, and refusals quote it.

import { encodeUtf8, quoteGo } from "@celadon/base";

const LITERALS = ["true", "false", "null"];

/** The error of reading the text, or undefined if it is JSON. Go reads bytes, and shows the one it stumbled over as a character. */
export function jsonSyntaxError(given: string | Uint8Array): string | undefined {
  const bytes = typeof given === "string" ? encodeUtf8(given) : given;
  try {
    new Scanner(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).document();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return error.message;
    throw error;
  }
}

class Scanner {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  document(): void {
    this.value();
    this.blanks();
    if (this.at < this.text.length) this.fail("after top-level value");
  }

  private value(): void {
    this.blanks();
    const char = this.text[this.at];
    if (char === "{") {
      this.list("}", "after object key:value pair", () => this.member());
      return;
    }
    if (char === "[") {
      this.list("]", "after array element", () => this.value());
      return;
    }
    if (char === '"') {
      this.string();
      return;
    }
    const literal = LITERALS.find((word) => word[0] === char);
    if (literal !== undefined) {
      this.literal(literal);
      return;
    }
    if (char !== undefined && /[-0-9]/.test(char)) {
      this.number();
      return;
    }
    this.fail("looking for beginning of value");
  }

  private list(end: string, after: string, item: () => void): void {
    this.at++;
    this.blanks();
    if (this.text[this.at] === end) {
      this.at++;
      return;
    }
    for (;;) {
      item();
      this.blanks();
      const char = this.text[this.at];
      if (char !== "," && char !== end) this.fail(after);
      this.at++;
      if (char === end) return;
    }
  }

  private member(): void {
    this.blanks();
    if (this.text[this.at] !== '"') this.fail("looking for beginning of object key string");
    this.string();
    this.blanks();
    if (this.text[this.at] !== ":") this.fail("after object key");
    this.at++;
    this.value();
  }

  private string(): void {
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      const char = this.text[this.at];
      if (char === undefined || char < " ") this.fail("in string literal");
      if (char !== "\\") continue;
      const code = this.text[++this.at];
      if (code === undefined || !'bfnrt\\/"u'.includes(code)) this.fail("in string escape code");
      for (let i = 0; code === "u" && i < 4; i++) {
        if (!/[0-9a-fA-F]/.test(this.text[++this.at] ?? "")) this.fail("in \\u hexadecimal character escape");
      }
    }
    this.at++;
  }

  private literal(word: string): void {
    for (const expected of word) {
      if (this.text[this.at] !== expected) this.fail(`in literal ${word} (expecting ${quoteChar(expected)})`);
      this.at++;
    }
  }

  private number(): void {
    if (this.text[this.at] === "-") this.at++;
    if (this.text[this.at] === "0") this.at++;
    else this.digits("in numeric literal");
    if (this.text[this.at] === ".") {
      this.at++;
      this.digits("after decimal point in numeric literal");
    }
    if (!/[eE]/.test(this.text[this.at] ?? "")) return;
    this.at++;
    if (/[-+]/.test(this.text[this.at] ?? "")) this.at++;
    this.digits("in exponent of numeric literal");
  }

  private digits(where: string): void {
    if (!/[0-9]/.test(this.text[this.at] ?? "")) this.fail(where);
    while (/[0-9]/.test(this.text[this.at] ?? "")) this.at++;
  }

  private blanks(): void {
    while (" \t\r\n".includes(this.text[this.at] ?? "x")) this.at++;
  }

  private fail(where: string): never {
    const char = this.text[this.at];
    if (char === undefined) throw new SyntaxError("unexpected end of JSON input");
    throw new SyntaxError(`invalid character ${quoteChar(char)} ${where}`);
  }
}

function quoteChar(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return `'"'`;
  return `'${quoteGo(char).slice(1, -1)}'`;
}

/** What Go says about a value of the wrong kind: `json: cannot unmarshal string into Go value of type []core.Taint`. */
export function jsonTypeError(value: unknown, into: string): string {
  const names: Readonly<Record<string, string>> = {
    boolean: "bool",
    object: Array.isArray(value) ? "array" : "object",
  };
  return `json: cannot unmarshal ${names[typeof value] ?? typeof value} into Go ${into}`;
}
