import { expect, test } from "vitest";
import { CelError } from "../value/error.ts";
import { searchTree, shapeOf } from "./literal.ts";
import { parsePattern } from "./parse.ts";
import { printPattern } from "./print.testing.ts";
import { DEFAULT_LIMITS } from "./regex.ts";
import type { Node } from "./syntax.ts";

function tree(pattern: string): Node {
  const parsed = parsePattern(pattern, DEFAULT_LIMITS);
  if (parsed instanceof CelError) throw new Error(parsed.message);
  return searchTree(parsed.tree);
}

// biome-ignore format: one case per line
const shapes = [
  { pattern: "abc",             literal: true,  fromStart: false, toEnd: false, needle: "abc",  lead: 0,        suffix: "" },
  { pattern: "^abc$",           literal: true,  fromStart: true,  toEnd: true,  needle: "abc",  lead: 0,        suffix: "abc" },
  { pattern: "\\A(a(?:b)c)",    literal: true,  fromStart: true,  toEnd: false, needle: "abc",  lead: 0,        suffix: "" },
  { pattern: "a\\.b$",          literal: true,  fromStart: false, toEnd: true,  needle: "a.b",  lead: 0,        suffix: "a.b" },
  { pattern: ".*abc.*",         literal: true,  fromStart: false, toEnd: false, needle: "abc",  lead: 0,        suffix: "" },
  { pattern: "^$",              literal: true,  fromStart: true,  toEnd: true,  needle: "",     lead: Infinity, suffix: "" },
  { pattern: "",                literal: true,  fromStart: false, toEnd: false, needle: "",     lead: Infinity, suffix: "" },
  { pattern: "[0-9]+ms",        literal: false, fromStart: false, toEnd: false, needle: "ms",   lead: 1,        suffix: "" },
  { pattern: "\\bid=\\d",       literal: false, fromStart: false, toEnd: false, needle: "id=",  lead: 0,        suffix: "" },
  { pattern: "(?:ab|c)x{2}[d]y$", literal: false, fromStart: false, toEnd: true, needle: "dy",  lead: 4,        suffix: "dy" },
  { pattern: "[^a]bc",          literal: false, fromStart: false, toEnd: false, needle: "bc",   lead: Infinity, suffix: "" },
  { pattern: "\\d[a-z]*no\\d*longer", literal: false, fromStart: false, toEnd: false, needle: "longer", lead: Infinity, suffix: "" },
  { pattern: "\\x{d800}",       literal: false, fromStart: false, toEnd: false, needle: "",     lead: Infinity, suffix: "" },
  { pattern: "(?m)^abc",        literal: false, fromStart: false, toEnd: false, needle: "abc",  lead: 0,        suffix: "" },
  { pattern: "(?i)abc",         literal: false, fromStart: false, toEnd: false, needle: "",     lead: Infinity, suffix: "" },
];
test.each(shapes)("$pattern", ({ pattern, ...want }) => expect(shapeOf(tree(pattern))).toEqual(want));

// biome-ignore format: one case per line
const smaller = [
  { pattern: "a*b",          want: "b" },
  { pattern: "ab*",          want: "a" },
  { pattern: "a+b+",         want: "ab" },
  { pattern: "a{2,}b",       want: "a{2,2}b" },
  { pattern: "(a?)(b*)c?",   want: "(?:)" },
  { pattern: "a*(b*(c))d*",  want: "c" },
  { pattern: "^a*b",         want: "\\Aa*b" },
  { pattern: "(?:a|b*)c",    want: "(?:a|b*)c" },
  { pattern: "(ab)+",        want: "ab" },
];
test.each(smaller)("$pattern becomes $want", ({ pattern, want }) => expect(printPattern(tree(pattern))).toBe(want));
