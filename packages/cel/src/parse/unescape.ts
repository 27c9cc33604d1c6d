// From the text of a string or bytes literal to its value. The lexer has accepted the text already, so only two mistakes remain that the
// grammar does not exclude: code points that do not exist, and `\u` in bytes.

/** A value, or the reference's error text. */
export type Unescaped<T> = { readonly value: T } | { readonly problem: string };

/**
 * The value of a string literal with its quotes and prefix, `r'''…'''`. Older parsers were not strict: halves of surrogate pairs became
 * replacement characters, and numbers with the highest bit set, which Go read as negative, the byte at their end.
 */
export function unescapeString(literal: string, strict = true): Unescaped<string> {
  const { body, raw } = bodyOf(literal);
  if (raw || !body.includes("\\")) return { value: body };
  let value = "";
  let copied = 0;
  for (let i = body.indexOf("\\"); i >= 0; i = body.indexOf("\\", copied)) {
    value += body.slice(copied, i);
    const sequence = readEscape(body, i + 1);
    const code = strict ? sequence.code : looseCodePoint(sequence.code);
    if (code === undefined || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      return { problem: strict ? "invalid unicode code point" : "unable to unescape string" };
    }
    value += String.fromCodePoint(code);
    copied = sequence.end;
  }
  return { value: value + body.slice(copied) };
}

function looseCodePoint(code: number): number | undefined {
  if (code >= 0xd800 && code <= 0xdfff) return 0xfffd;
  if (code <= 0x10ffff) return code;
  const byte = code & 0xff;
  return code < 0x80000000 ? undefined : byte < 0x80 ? byte : 0xfffd;
}

/** The value of a bytes literal, `b"…"`: its text in UTF-8, except that `\x` and octal escapes are single bytes. */
export function unescapeBytes(literal: string): Unescaped<Uint8Array> {
  const { body, raw } = bodyOf(literal.slice(1));
  const bytes: number[] = [];
  let i = 0;
  while (i < body.length) {
    const code = body.codePointAt(i)!;
    if (code !== 0x5c || raw) {
      pushUtf8(bytes, code);
      i += code > 0xffff ? 2 : 1;
      continue;
    }
    const kind = body[i + 1];
    if (kind === "u" || kind === "U") return { problem: "unable to unescape string" };
    const sequence = readEscape(body, i + 1);
    bytes.push(sequence.code);
    i = sequence.end;
  }
  return { value: Uint8Array.from(bytes) };
}

/** The text between the quotes, with line ends as `\n`. */
function bodyOf(literal: string): { body: string; raw: boolean } {
  const raw = literal[0] === "r" || literal[0] === "R";
  const open = raw ? 1 : 0;
  const quote = literal[open]!;
  const triple = literal.length - open >= 6 && literal.startsWith(quote.repeat(3), open) ? 3 : 1;
  let body = literal.slice(open + triple, literal.length - triple);
  if (body.includes("\r")) body = body.replace(/\r\n?/g, "\n");
  return { body, raw };
}

const SIMPLE: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** One escape sequence, from behind its backslash. */
function readEscape(body: string, at: number): { code: number; end: number } {
  const kind = body[at]!;
  switch (kind) {
    case "a":
    case "b":
    case "f":
    case "n":
    case "r":
    case "t":
    case "v":
      return { code: SIMPLE[kind]!, end: at + 1 };
    case "x":
    case "X":
      return { code: Number.parseInt(body.slice(at + 1, at + 3), 16), end: at + 3 };
    case "u":
      return { code: Number.parseInt(body.slice(at + 1, at + 5), 16), end: at + 5 };
    case "U":
      return { code: Number.parseInt(body.slice(at + 1, at + 9), 16), end: at + 9 };
    case "0":
    case "1":
    case "2":
    case "3":
      return { code: Number.parseInt(body.slice(at, at + 3), 8), end: at + 3 };
    default:
      return { code: kind.charCodeAt(0), end: at + 1 };
  }
}

function pushUtf8(bytes: number[], code: number): void {
  // a lone surrogate has no UTF-8 form; U+FFFD stands for it, as everywhere text becomes bytes
  if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
  if (code < 0x80) {
    bytes.push(code);
  } else if (code < 0x800) {
    bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  } else {
    bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
}
