// Texts to compare the readers on: real documents, real ones changed in a few places, and generated ones.

import type { Random } from "../random.ts";
import type { YamlCase } from "./answers.ts";

/** Pieces that mean something to YAML, put into texts anywhere. */
const PIECES: readonly string[] = [
  ...[
    "a",
    "b: 2",
    "x y",
    "1",
    "-1",
    "1.0",
    "0x1F",
    "010",
    "0b1",
    "1e3",
    ".5",
    "1_000",
    "~",
    "null",
    "yes",
    "No",
    "on",
    "y",
    ".inf",
    ".nan",
  ],
  ...[
    ":",
    ": ",
    " :",
    "- ",
    "-",
    "? ",
    "?",
    ", ",
    ",",
    "[",
    "]",
    "{",
    "}",
    "[]",
    "{}",
    "{{ .x }}",
    "#",
    " # c",
    "'",
    '"',
    "''",
    '""',
  ],
  ...[
    "'q'",
    '"d\\n"',
    "\\",
    "\\\n",
    "\\'",
    "\\/",
    "\\x41",
    "\\u00e9",
    "\\U0001F600",
    "\\N",
    "|",
    "|-",
    "|+",
    "|2",
    ">",
    ">-",
    ">1+",
    "|\n",
    ">\n",
  ],
  ...[
    "&x ",
    "*x",
    "&x",
    "*x ",
    "<<: ",
    "<<: *x",
    "!!int ",
    "!!str ",
    "!!float ",
    "!!binary ",
    "!!null ",
    "!t ",
    "! ",
    "!<tag:x> ",
    "!",
    "%YAML 1.1\n",
    "%",
  ],
  ...[
    "---\n",
    "\n---\n",
    "---",
    "--- ",
    "--- # c\n",
    "...\n",
    "\n...\n",
    "\n",
    "\n\n",
    "\n ",
    "\n  ",
    "\n    ",
    "\n- ",
    "\n  - ",
    "\r\n",
    "\r",
    "\t",
    "\n\t",
    " ",
    "  ",
  ],
  ...[
    "\u0085",
    "\u2028",
    "\ufeff",
    "é",
    "😀",
    "\u00a0",
    "\u0007",
    "@",
    "`",
    "=",
    "http://x/y?z=1",
    "2001-01-01",
    "9223372036854775808",
    "1e400",
    "key: value\n",
    "k: |\n  text\n",
  ],
];

const SCALARS: readonly string[] = [
  ...[
    "x",
    "a b",
    "1",
    "1.5",
    "1.0",
    "-0",
    "0o7",
    "0777",
    "08",
    "0b-1",
    "1__0",
    "yes",
    "off",
    "~",
    "",
    ".5",
    "+.5",
    ".5_0",
    "-.5",
    "1e3",
    "1E+5",
    "4611686018427387904.0",
    "18446744073709551615",
    "-9223372036854775809",
  ],
  ...[
    "'q'",
    "'it''s'",
    '"d"',
    '"a\\tb"',
    "'a\n  b'",
    '"a\n\n  b\\\n  c"',
    "[a, b]",
    "{a: 1}",
    "[]",
    "{}",
    "[{a: b}, [c]]",
    "a#b",
    "a # c",
    "!!str 1",
    "!!int '3'",
    "!!float 1",
    "!!binary aGk=",
    "!x y",
    "! 1",
    "*x",
    "&x 1",
    "&x {a: 1}",
  ],
  ...[
    "|\n    lit\n     more\n\n    end",
    ">\n    fold\n    ed\n\n    x\n",
    ">-\n    a\n     b\n    c",
    "|+\n    k\n\n",
    "|2\n    i",
    "- a\n  - b",
    "http://a:80/b",
    "a: b",
    "<<",
    "=",
    "2001-12-14t21:59:43.10-05:00",
    "!!timestamp 2001-01-01",
    "!!null ''",
    "-",
    "- -",
    "?",
    ":x",
    "a:b",
    "x\n    y",
    "'",
    '"',
  ],
];

const KEYS: readonly string[] = [
  "a",
  "b",
  "a b",
  "'q'",
  '"d"',
  "1",
  "1.5",
  "yes",
  "~",
  "x/y.z",
  "? a\n",
  "<<",
  "&x k",
  "*x ",
  "!!str 1",
  "[a]",
  "{a: b}",
  "é",
  "-a",
  "a-b",
  "",
];

export interface Source {
  /** Real documents. */
  readonly real: readonly string[];
  readonly random: Random;
}

export function nextCase({ real, random }: Source): YamlCase {
  const mode = random.oneIn(3) ? "file" : "body";
  const roll = random.below(10);
  if (roll < 5 && real.length > 0) return { kind: "changed", mode, text: changed(random.pick(real), real, random) };
  if (roll < 7) return { kind: "pieces", mode, text: pieces(random) };
  if (roll === 7 && real.length > 0 && random.oneIn(5)) return { kind: "real", mode, text: random.pick(real) };
  return { kind: "generated", mode, text: block(random, 0, 3) };
}

function pieces(random: Random): string {
  return Array.from({ length: 1 + random.below(14) }, () => random.pick(PIECES)).join("");
}

/** A document with one to four changes. */
function changed(text: string, real: readonly string[], random: Random): string {
  let result = text;
  for (let n = 1 + random.below(4); n > 0; n--) result = change(result, real, random);
  return result;
}

function change(text: string, real: readonly string[], random: Random): string {
  const at = random.below(text.length + 1);
  const lines = text.split("\n");
  const line = random.below(lines.length);
  switch (random.below(10)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1 + random.below(3));
    case 1:
    case 2:
    case 3:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 4:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at + 1 + random.below(4));
    case 5:
      return lines.toSpliced(line, 0, lines[random.below(lines.length)]!).join("\n");
    case 6:
      return lines.toSpliced(line, 1).join("\n");
    case 7:
      return lines.with(line, " ".repeat(random.below(3)) + lines[line]!.slice(random.below(3))).join("\n");
    case 8:
      return lines.with(line, lines[line]!.replace(/: .*/, `: ${random.pick(SCALARS)}`)).join("\n");
    default:
      if (random.oneIn(3)) return text.replaceAll("\n", random.pick(["\r\n", "\r", "\n\n"]));
      if (random.oneIn(3)) return text.slice(0, at);
      return text + random.pick(["", "\n", "---\n"]) + random.pick(real);
  }
}

/** A map or list of a few members, most of them well-formed. */
function block(random: Random, indent: number, depth: number): string {
  const isList = random.oneIn(3);
  const members = Array.from({ length: 1 + random.below(4) }, () => member(random, indent, depth, isList));
  return members.join("");
}

function member(random: Random, indent: number, depth: number, isList: boolean): string {
  const start = " ".repeat(random.oneIn(15) ? random.below(6) : indent) + (isList ? "-" : `${random.pick(KEYS)}:`);
  if (depth > 0 && random.oneIn(3)) {
    const inside = block(random, indent + (random.oneIn(4) ? 0 : 2), depth - 1);
    if (isList && random.oneIn(2)) return `${start} ${inside.trimStart()}`;
    return `${start}\n${inside}`;
  }
  const scalar = random.pick(SCALARS).replaceAll("\n", `\n${" ".repeat(random.oneIn(6) ? 0 : indent)}`);
  const comment = random.oneIn(8) ? " # c" : "";
  return `${start}${random.oneIn(12) ? "" : " "}${scalar}${comment}${random.oneIn(30) ? "\r\n" : "\n"}`;
}
