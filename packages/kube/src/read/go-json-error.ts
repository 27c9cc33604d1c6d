// What Go's encoding/json says about text that is not JSON: the first character that does not fit, and what was expected there.

/** Undefined if the text is JSON. */
export function goJsonError(text: string): string | undefined {
  const scanner = new Scanner(text);
  try {
    scanner.value();
    scanner.blanks();
    if (scanner.at < text.length) scanner.invalid("after top-level value");
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
  at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  value(): void {
    this.blanks();
    const char = this.text[this.at];
    if (char === "{") this.object();
    else if (char === "[") this.array();
    else if (char === '"') this.string();
    else if (char === "t") this.literal("true");
    else if (char === "f") this.literal("false");
    else if (char === "n") this.literal("null");
    else if (char !== undefined && "-0123456789".includes(char)) this.number();
    else this.invalid("looking for beginning of value");
  }

  blanks(): void {
    while (" \t\r\n".includes(this.text[this.at] ?? "x")) this.at++;
  }

  invalid(where: string): never {
    const char = this.text[this.at];
    if (char === undefined) throw new SyntaxFailure("unexpected end of JSON input");
    throw new SyntaxFailure(`invalid character ${quoteByte(char)} ${where}`);
  }

  private object(): void {
    this.at++;
    this.blanks();
    if (this.text[this.at] === "}") {
      this.at++;
      return;
    }
    for (;;) {
      this.blanks();
      if (this.text[this.at] !== '"') this.invalid("looking for beginning of object key string");
      this.string();
      this.blanks();
      if (this.text[this.at] !== ":") this.invalid("after object key");
      this.at++;
      this.value();
      this.blanks();
      const next = this.text[this.at];
      if (next !== "," && next !== "}") this.invalid("after object key:value pair");
      this.at++;
      if (next === "}") return;
    }
  }

  private array(): void {
    this.at++;
    this.blanks();
    if (this.text[this.at] === "]") {
      this.at++;
      return;
    }
    for (;;) {
      this.value();
      this.blanks();
      const next = this.text[this.at];
      if (next !== "," && next !== "]") this.invalid("after array element");
      this.at++;
      if (next === "]") return;
    }
  }

  private string(): void {
    this.at++;
    for (;;) {
      const char = this.text[this.at];
      if (char === undefined || char < " ") this.invalid("in string literal");
      this.at++;
      if (char === '"') return;
      if (char === "\\") this.escape();
    }
  }

  private escape(): void {
    const char = this.text[this.at];
    if (char === undefined || !'bfnrt\\/"u'.includes(char)) this.invalid("in string escape code");
    this.at++;
    for (let i = 0; char === "u" && i < 4; i++, this.at++) {
      if (!/[0-9a-fA-F]/.test(this.text[this.at] ?? "")) this.invalid("in \\u hexadecimal character escape");
    }
  }

  private literal(word: string): void {
    for (const expected of word) {
      if (this.text[this.at] !== expected) this.invalid(`in literal ${word} (expecting ${quoteByte(expected)})`);
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
    if (this.text[this.at] === "e" || this.text[this.at] === "E") {
      this.at++;
      if (this.text[this.at] === "+" || this.text[this.at] === "-") this.at++;
      this.digits("in exponent of numeric literal");
    }
  }

  private digits(where: string): void {
    const start = this.at;
    while (/[0-9]/.test(this.text[this.at] ?? "")) this.at++;
    if (this.at === start) this.invalid(where);
  }
}

// Go looks at bytes: of a character beyond ASCII the first one is shown, as if it were a character.
function quoteByte(char: string): string {
  if (char === "'") return "'\\''";
  if (char === '"') return "'\"'";
  const escapes: Readonly<Record<string, string>> = {
    "\\": "\\\\",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
  };
  const code =
    char < "\x80"
      ? char.charCodeAt(0)
      : Number.parseInt(encodeURIComponent(char.replace(/\p{Cs}/u, "\ufffd")).slice(1, 3), 16);
  const shown =
    escapes[char] ??
    (code < 0x20 || (code >= 0x7f && code < 0xa0)
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : String.fromCharCode(code));
  return `'${shown}'`;
}
