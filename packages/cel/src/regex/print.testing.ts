// The tree as pattern text again, in the plainest dialect there is: no flags, no named groups, no escapes but \x{…}, sets spelled out.
// Every RE2 implementation reads the printed pattern the same way.

import { MAX_CODE, type Ranges } from "./ranges.ts";
import type { Assertion, Node } from "./syntax.ts";

const ASSERTED: Readonly<Record<Assertion, string>> = {
  "text-begin": "\\A",
  "text-end": "\\z",
  "line-begin": "(?m:^)",
  "line-end": "(?m:$)",
  "word-boundary": "\\b",
  "no-word-boundary": "\\B",
};

export function printPattern(node: Node): string {
  switch (node.kind) {
    case "empty":
      return "(?:)";
    case "literal":
      return node.codes.map(printCode).join("");
    case "set":
      return printSet(node.ranges);
    case "assert":
      return ASSERTED[node.assertion];
    case "concat":
      return node.items
        .map((item) => (item.kind === "alternate" ? `(?:${printPattern(item)})` : printPattern(item)))
        .join("");
    case "alternate":
      return node.branches.map(printPattern).join("|");
    case "capture":
      return `(${printPattern(node.item)})`;
    case "repeat":
      return printRepeat(node.item, node.min, node.max) + (node.greedy ? "" : "?");
  }
}

function printRepeat(item: Node, min: number, max: number): string {
  const single = item.kind === "set" || item.kind === "capture" || (item.kind === "literal" && item.codes.length === 1);
  const text = single ? printPattern(item) : `(?:${printPattern(item)})`;
  if (max === Infinity) return min === 0 ? `${text}*` : min === 1 ? `${text}+` : `${text}{${min},}`;
  if (min === 0 && max === 1) return `${text}?`;
  return `${text}{${min},${max}}`;
}

function printCode(code: number): string {
  const character = code < 0x7f ? String.fromCharCode(code) : "";
  return /^[\w -]$/.test(character) ? character : `\\x{${code.toString(16)}}`;
}

function printSet(ranges: Ranges): string {
  if (ranges.length === 0) return `[^\\x{0}-\\x{${MAX_CODE.toString(16)}}]`;
  let text = "";
  for (let i = 0; i < ranges.length; i += 2) {
    const lo = `\\x{${(ranges[i] as number).toString(16)}}`;
    text += ranges[i] === ranges[i + 1] ? lo : `${lo}-\\x{${(ranges[i + 1] as number).toString(16)}}`;
  }
  return `[${text}]`;
}
