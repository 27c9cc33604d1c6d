import { expect, test } from "vitest";
import { Lexer } from "./lexer.ts";
import { EOF, INVALID, TOKEN_NAMES } from "./token.ts";

/** Tokens as `text` or `NAME text`, mistakes as `INVALID text`. */
function lex(text: string): string {
  const lexer = new Lexer(text);
  const found: string[] = [];
  for (let kind = lexer.next(); kind !== EOF; kind = lexer.next()) {
    const name = kind === INVALID ? "INVALID" : TOKEN_NAMES[kind]!;
    const token = text.slice(lexer.start, lexer.end);
    found.push(name === `'${token}'` ? token : `${name} ${token}`);
  }
  return found.join(" · ");
}

// biome-ignore format: one case per line
const cases = [
  { text: "a+b_1",             want: "IDENTIFIER a · + · IDENTIFIER b_1" },
  { text: "in inn true nulls", want: "in · IDENTIFIER inn · true · IDENTIFIER nulls" },
  { text: "<=<!=!==",          want: "<= · < · != · != · INVALID =" },
  { text: "a//b\n/c",          want: "IDENTIFIER a · / · IDENTIFIER c" },
  { text: "\t\r\f\n a",        want: "IDENTIFIER a" },
  { text: "1 1.5 1. .5 1.5e3", want: "NUM_INT 1 · NUM_FLOAT 1.5 · NUM_INT 1 · . · NUM_FLOAT .5 · NUM_FLOAT 1.5e3" },
  { text: "1e 1e+ 1e-2 1E5",   want: "NUM_INT 1 · IDENTIFIER e · NUM_INT 1 · IDENTIFIER e · + · NUM_FLOAT 1e-2 · NUM_FLOAT 1E5" },
  { text: "0x 0xfFg 0x1u 00x1", want: "NUM_INT 0 · IDENTIFIER x · NUM_INT 0xfF · IDENTIFIER g · NUM_UINT 0x1u · NUM_INT 00 · IDENTIFIER x1" },
  { text: "1u 1U 1.5u",        want: "NUM_UINT 1u · NUM_UINT 1U · NUM_FLOAT 1.5 · IDENTIFIER u" },
  { text: "1..2",              want: "NUM_INT 1 · . · NUM_FLOAT .2" },
  { text: "'a' \"b\" ''",      want: "STRING 'a' · STRING \"b\" · STRING ''" },
  { text: "'\\'' '\\n\\x41\\101'", want: "STRING '\\'' · STRING '\\n\\x41\\101'" },
  { text: "'''a'b''c'''",      want: "STRING '''a'b''c'''" },
  { text: '"""a\n"b"""',       want: 'STRING """a\n"b"""' },
  { text: "r'\\' R'\\q'",      want: "STRING r'\\' · STRING R'\\q'" },
  { text: "r'''\\'''",         want: "STRING r'''\\'''" },
  { text: "b'a' B'' br'\\' bR'x'", want: "BYTES b'a' · BYTES B'' · BYTES br'\\' · BYTES bR'x'" },
  { text: "rb'a'",             want: "IDENTIFIER rb · STRING 'a'" },
  { text: "ab'c'",             want: "IDENTIFIER ab · STRING 'c'" },
  { text: "'ab",               want: "INVALID 'ab" },
  { text: "'a\nb'",            want: "INVALID 'a\n · IDENTIFIER b · INVALID '" },
  { text: "'\\q'",             want: "INVALID '\\q · INVALID '" },
  { text: "'\\x4g'",           want: "INVALID '\\x4g · INVALID '" },
  { text: "'\\08'",            want: "INVALID '\\08 · INVALID '" },
  { text: "'''a",              want: "STRING '' · INVALID 'a" },
  { text: "r'a",               want: "IDENTIFIER r · INVALID 'a" },
  { text: "b'''x",             want: "BYTES b'' · INVALID 'x" },
  { text: "`a-b/c. d` ``",     want: "ESC_IDENTIFIER `a-b/c. d` · INVALID ``" },
  { text: "`a\nb`",            want: "INVALID `a\n · IDENTIFIER b · INVALID `" },
  { text: "a & b | c",         want: "IDENTIFIER a · INVALID &  · IDENTIFIER b · INVALID |  · IDENTIFIER c" },
  { text: "a@😀é",             want: "IDENTIFIER a · INVALID @ · INVALID 😀 · INVALID é" },
  { text: "&😀x",              want: "INVALID &😀 · IDENTIFIER x" },
];
test.each(cases)("$text", ({ text, want }) => expect(lex(text)).toBe(want));
