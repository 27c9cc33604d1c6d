// The same questions for solvers that other people wrote: expressions over the fields of a box, made together with their meaning in SMT-LIB,
// for z3 and cvc5 where they are installed. They are a check of the prover, and no part of it.

import { spawnSync } from "node:child_process";
import type { Question } from "@celadon/prove";
import type { Random } from "../random.ts";

/** An expression, whether it fails, and its value where it does not. */
interface Meant {
  readonly cel: string;
  readonly fails: string;
  readonly value: string;
}

/** A boolean expression about a box with its meaning. */
export type MeantExpression = Meant;

export function meantExpression(random: Random): MeantExpression {
  return new Meanings(random).bool(3);
}

const WORDS = ["", "a", "b", "ab", "B", "x:y"];
const quoted = (text: string): string => `"${text}"`;

/** Patterns with their languages. */
const PATTERNS: readonly (readonly [cel: string, smt: string])[] = [
  ["^a", '(re.++ (str.to_re "a") re.all)'],
  ["b$", '(re.++ re.all (str.to_re "b"))'],
  ["^[ab]+$", '(re.+ (re.range "a" "b"))'],
  ["[0-9]", '(re.++ re.all (re.range "0" "9") re.all)'],
  ["^(a|B)?b*$", '(re.++ (re.opt (re.union (str.to_re "a") (str.to_re "B"))) (re.* (str.to_re "b")))'],
];

class Meanings {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  bool(depth: number): Meant {
    const random = this.#random;
    if (depth > 0 && !random.oneIn(4)) {
      const [a, b] = [this.bool(depth - 1), this.bool(depth - 1)];
      switch (random.below(6)) {
        case 0:
          return { cel: `!(${a.cel})`, fails: a.fails, value: `(not ${a.value})` };
        case 1: {
          const c = this.bool(depth - 1);
          return this.#choice(c, a, b);
        }
        case 2:
        case 3:
          return logic(a, b, "&&");
        default:
          return logic(a, b, "||");
      }
    }
    switch (random.below(8)) {
      case 0:
        return sure("object.b", "b");
      case 1:
        return { cel: "object.c", fails: "(not has_c)", value: "c" };
      case 2: {
        const name = random.pick(["m", "p", "c"]);
        return sure(`has(object.${name})`, `has_${name}`);
      }
      case 3: {
        const [a, b] = [this.text(depth), this.text(depth)];
        return both(a, b, "==", "=");
      }
      case 4: {
        const text = this.text(depth);
        const [name, smt] = random.pick([
          ["startsWith", "str.prefixof"],
          ["endsWith", "str.suffixof"],
        ] as const);
        const word = random.pick(WORDS);
        return {
          cel: `${text.cel}.${name}('${word}')`,
          fails: text.fails,
          value: `(${smt} ${quoted(word)} ${text.value})`,
        };
      }
      case 5: {
        const text = this.text(depth);
        const [pattern, language] = random.pick(PATTERNS);
        return {
          cel: `${text.cel}.matches('${pattern}')`,
          fails: text.fails,
          value: `(str.in_re ${text.value} ${language})`,
        };
      }
      default: {
        const [a, b] = [this.int(depth), this.int(depth)];
        const [cel, smt] = random.pick([
          ["<", "<"],
          ["<=", "<="],
          [">", ">"],
          ["==", "="],
        ] as const);
        return both(a, b, cel, smt);
      }
    }
  }

  int(depth: number): Meant {
    const random = this.#random;
    switch (random.below(depth > 0 ? 8 : 3)) {
      case 0:
        return sure("object.n", "n");
      case 1:
        return { cel: "object.m", fails: "(not has_m)", value: "m" };
      case 3: {
        const k = random.below(3);
        return sure(`object.?m.orValue(${k})`, `(ite has_m m ${k})`);
      }
      case 4: {
        const text = this.text(depth - 1);
        return { cel: `size(${text.cel})`, fails: text.fails, value: `(str.len ${text.value})` };
      }
      case 5:
      case 6: {
        const [a, b] = [this.int(depth - 1), this.int(depth - 1)];
        const operator = random.pick(["+", "-"]);
        const value = `(${operator} ${a.value} ${b.value})`;
        const inside = `(and (<= (- ${2n ** 63n}) ${value}) (<= ${value} ${2n ** 63n - 1n}))`;
        return { cel: `(${a.cel} ${operator} ${b.cel})`, fails: `(or ${a.fails} ${b.fails} (not ${inside}))`, value };
      }
      case 7:
        return this.#choice(this.bool(0), this.int(depth - 1), this.int(depth - 1));
      default: {
        const k = random.below(4);
        return sure(`${k}`, `${k}`);
      }
    }
  }

  text(depth: number): Meant {
    const random = this.#random;
    switch (random.below(depth > 0 ? 6 : 3)) {
      case 0:
        return sure("object.s", "s");
      case 1:
        return { cel: "object.p", fails: "(not has_p)", value: "p" };
      case 3: {
        const word = random.pick(WORDS);
        return sure(`object.?p.orValue('${word}')`, `(ite has_p p ${quoted(word)})`);
      }
      case 4: {
        const [text, word] = [this.text(depth - 1), random.pick(WORDS)];
        return { cel: `(${text.cel} + '${word}')`, fails: text.fails, value: `(str.++ ${text.value} ${quoted(word)})` };
      }
      case 5:
        return this.#choice(this.bool(0), this.text(depth - 1), this.text(depth - 1));
      default: {
        const word = random.pick(WORDS);
        return sure(`'${word}'`, quoted(word));
      }
    }
  }

  #choice(test: Meant, a: Meant, b: Meant): Meant {
    return {
      cel: `(${test.cel} ? ${a.cel} : ${b.cel})`,
      fails: `(or ${test.fails} (ite ${test.value} ${a.fails} ${b.fails}))`,
      value: `(ite ${test.value} ${a.value} ${b.value})`,
    };
  }
}

const sure = (cel: string, value: string): Meant => ({ cel, fails: "false", value });

function both(a: Meant, b: Meant, cel: string, smt: string): Meant {
  return {
    cel: `${a.cel} ${cel} ${b.cel}`,
    fails: `(or ${a.fails} ${b.fails})`,
    value: `(${smt} ${a.value} ${b.value})`,
  };
}

/** One operand decides, whatever becomes of the other. */
function logic(a: Meant, b: Meant, operator: "&&" | "||"): Meant {
  const decides = ({ fails, value }: Meant): string =>
    `(and (not ${fails}) ${operator === "||" ? value : `(not ${value})`})`;
  const decided = `(or ${decides(a)} ${decides(b)})`;
  return {
    cel: `(${a.cel} ${operator} ${b.cel})`,
    fails: `(and (or ${a.fails} ${b.fails}) (not ${decided}))`,
    value: operator === "||" ? decided : `(not ${decided})`,
  };
}

const FIELDS = `(set-logic ALL)
(declare-const n Int)(assert (and (<= (- 2) n) (<= n 5)))
(declare-const has_m Bool)(declare-const m Int)(assert (and (<= (- ${2n ** 63n}) m) (<= m ${2n ** 63n - 1n})))
(declare-const s String)(declare-const has_p Bool)(declare-const p String)
(declare-const b Bool)(declare-const has_c Bool)(declare-const c Bool)
`;

/** A solver on this machine, as a command that reads from its standard input. */
export interface Solver {
  readonly name: string;
  readonly command: readonly string[];
}

const SOLVERS: readonly Solver[] = [
  { name: "z3", command: ["z3", "-in", "-t:1000"] },
  {
    name: "cvc5",
    command: ["cvc5", "--lang=smt2", "--incremental", "--strings-exp", "--tlimit-per=1000", "-"],
  },
];

export function installedSolvers(): readonly Solver[] {
  return SOLVERS.filter(({ name }) => spawnSync(name, ["--version"]).error === undefined);
}

/** Whether a box that answers each question by being an example can exist; undefined where the solver does not know. */
export function solved({ command }: Solver, { fails, value }: MeantExpression): Record<Question, boolean | undefined> {
  const examples = [fails, `(or ${fails} (not ${value}))`, `(and (not ${fails}) ${value})`];
  const input = FIELDS + examples.map((example) => `(push 1)(assert ${example})(check-sat)(pop 1)\n`).join("");
  const [program = "", ...argv] = command;
  const lines = spawnSync(program, argv, { input, encoding: "utf8" }).stdout.trim().split("\n");
  const [errors, others, holds] = lines.map((line) => (line === "sat" ? true : line === "unsat" ? false : undefined));
  return { "never-errors": errors, always: others, never: holds };
}
