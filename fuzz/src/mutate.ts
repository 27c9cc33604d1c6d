// Inputs: random bytes, and expressions changed a little, a few times over: characters, tokens, parts exchanged between
// expressions, and nesting.

import type { Random } from "./random.ts";

/** Longest input made; longer ones only repeat what shorter ones show, slowly. */
const LONGEST = 2000;

// biome-ignore format: by kind
const TOKENS = [
  "(", ")", "[", "]", "{", "}", ".", ",", ":", "?", ".?", "[?", "{?", "+", "-", "*", "/", "%", "!", "&&", "||",
  "==", "!=", "<", "<=", ">", ">=", " in ", "true", "false", "null", "has(", "size(", "type(", "dyn(", "string(", "int(",
  "uint(", "double(", "bytes(", "timestamp(", "duration(", ".all(x, ", ".exists(x, ", ".exists_one(x, ", ".map(x, ",
  ".filter(x, ", ".all(i, v, ", ".transformMap(k, v, ", "cel.bind(x, ", ".orValue(", "optional.of(", "optional.none()",
  ".matches(", ".replace(", ".split(", ".format(", ".join(", ".sort()", ".flatten()", "math.greatest(", "sets.contains(",
  "0", "1", "-1", "1u", "0.0", "-0.0", "1.5", "1e308", "9223372036854775807", "-9223372036854775808", "0x7fffffffffffffff",
  "18446744073709551615u", "9007199254740992", "9007199254740993", "4294967296", "''", "'a'", '"\\u00e9"', "b'\\xff'", "r'\\d+'",
  "'''x\n'''", "'\\U0001F431'", "object", "oldObject", "params", "i", "u", "d", "s", "b", "l", "m", "t", "x", "__proto__",
  "constructor", "toString", "'__proto__'", "[]", "{}", "[1, 2, 3]", "{'a': 1}", "{1: 2, 1u: 3}", "// c\n", "`a-b`",
];

const CHARACTERS = [
  "\u0000",
  "\n",
  "\r",
  "\t",
  " ",
  "'",
  '"',
  "\\",
  "\ud800",
  "\udc00",
  "\u{1f600}",
  "\u00e9",
  "\u200b",
  "\u2028",
  "`",
  "$",
  "#",
  "@",
  ";",
  "\ufeff",
];

export function randomBytes(random: Random): string {
  const length = random.below(random.oneIn(20) ? LONGEST : 60);
  const top = random.pick([128, 256, 0x10000]);
  let text = "";
  for (let i = 0; i < length; i++) text += String.fromCharCode(random.below(top));
  return text;
}

export function mutate(random: Random, corpus: readonly { readonly expr: string }[]): string {
  let text = random.pick(corpus).expr;
  const times = 1 + random.below(random.oneIn(4) ? 12 : 3);
  for (let i = 0; i < times; i++) text = random.pick(MUTATIONS)(text, random, random.pick(corpus).expr);
  return text.slice(0, LONGEST);
}

type Mutation = (text: string, random: Random, other: string) => string;

const MUTATIONS: readonly Mutation[] = [
  (text, random) => insert(text, random, random.pick(TOKENS)),
  (text, random) => insert(text, random, random.pick(CHARACTERS)),
  (text, random) => replaceToken(text, random, random.pick(TOKENS)),
  (text, random, other) => replaceToken(text, random, random.pick(tokensOf(other))),
  (text, random) => remove(text, random, 1),
  (text, random) => remove(text, random, 1 + random.below(10)),
  (text, random) => insert(text, random, part(text, random)),
  (text, random, other) => replacePart(text, random, `(${other})`),
  (text, random, other) => replacePart(text, random, part(other, random)),
  (text, random, other) => `${text}${random.pick(["+", "==", "&&", "||", " in ", "<", "-", "*", "?1:", ","])}${other}`,
  (text, random, other) => `(${text}) ? (${other}) : (${random.pick(TOKENS)})`,
  (text, random) =>
    `[${text}].${random.pick(["all", "exists", "map", "filter"])}(x, ${random.pick(["x", "x == x", "true", text])})`,
  (text, random) => `{${random.pick(["'k'", "1", "true", "1u", "2.0"])}: ${text}}`,
  (text, random) => nest(text, random),
];

function insert(text: string, random: Random, what: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + what + text.slice(at);
}

function remove(text: string, random: Random, length: number): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + text.slice(at + length);
}

const TOKEN = /[A-Za-z_]\w*|\d[\w.]*|'[^']*'|"[^"]*"|&&|\|\||[=!<>]=|\S/g;

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [""];
}

function replaceToken(text: string, random: Random, by: string): string {
  const found = [...text.matchAll(TOKEN)];
  if (found.length === 0) return by;
  const { 0: token, index } = random.pick(found);
  return text.slice(0, index) + by + text.slice(index + token.length);
}

/** A stretch of the text between balanced brackets if there is one, so that parts are often expressions. */
function range(text: string, random: Random): [number, number] {
  const open = [...text.matchAll(/[([{]/g)];
  if (open.length > 0 && !random.oneIn(4)) {
    const { index } = random.pick(open);
    let depth = 0;
    for (let end = index; end < text.length; end++) {
      if ("([{".includes(text[end]!)) depth++;
      if (")]}".includes(text[end]!) && --depth === 0) return [index + 1, end];
    }
  }
  const start = random.below(text.length + 1);
  return [start, start + random.below(text.length - start + 1)];
}

function part(text: string, random: Random): string {
  return text.slice(...range(text, random));
}

function replacePart(text: string, random: Random, by: string): string {
  const [start, end] = range(text, random);
  return text.slice(0, start) + by + text.slice(end);
}

function nest(text: string, random: Random): string {
  const [open, close] = random.pick([
    ["(", ")"],
    ["[", "]"],
    ["!(", ")"],
    ["-(", ")"],
    ["{1: ", "}"],
    ["dyn(", ")"],
    ["x.", ""],
    ["1 + ", ""],
  ] as const);
  const depth = random.oneIn(10) ? 300 : 1 + random.below(8);
  return open.repeat(depth) + text + close.repeat(depth);
}
