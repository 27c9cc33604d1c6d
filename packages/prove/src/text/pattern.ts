// RE2 patterns as languages: the texts in which a pattern is found. States are sets of positions in the pattern, made when a walk
// reaches them; assertions are decided between two characters, so a state remembers which class of character came last.

import { BoundedMap } from "@celadon/base";
import { isError } from "@celadon/cel";
import { type PatternNode, parsePattern } from "@celadon/cel/regex";
import type { Language } from "./language.ts";

/** States and instructions beyond which a pattern is not walked. */
const MOST_INSTRUCTIONS = 4000;
const MOST_STATES = 20_000;

/** Thrown when a pattern has more states than are kept. */
export class TooManyStates extends Error {}

interface Instruction {
  readonly op: "match" | "consume" | "split" | "assert";
  out: number;
  other: number;
  readonly ranges: readonly number[];
  readonly assertion: string;
}

/** The class of the character before: none, a word character, a line feed, or another. */
type Before = 0 | 1 | 2 | 3;
const NONE: Before = 0;
const WORD: Before = 1;
const LINE: Before = 2;
const OTHER: Before = 3;

const isWord = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
const classOf = (code: number): Before => (isWord(code) ? WORD : code === 10 ? LINE : OTHER);

const languages = new BoundedMap<string, Language | undefined>(256);

/** Undefined for a pattern that is invalid, or too large to be walked. */
export function patternLanguage(pattern: string): Language | undefined {
  if (languages.has(pattern)) return languages.get(pattern);
  const parsed = parsePattern(pattern);
  const language = isError(parsed) || parsed.tree.size > MOST_INSTRUCTIONS ? undefined : build(pattern, parsed.tree);
  languages.set(pattern, language);
  return language;
}

function build(pattern: string, tree: PatternNode): Language {
  const code: Instruction[] = [];
  const start = compile(code, tree, emit(code, { op: "match" }));
  const boundaries = new Set([10, 11, 48, 58, 65, 91, 95, 96, 97, 123]);
  for (const { ranges } of code)
    for (let i = 0; i < ranges.length; i += 2) boundaries.add(ranges[i] as number).add((ranges[i + 1] as number) + 1);
  return new PatternWalk(pattern, code, start, [...boundaries]);
}

const MATCHED = 0;

class PatternWalk implements Language {
  readonly key: string;
  readonly start: number;
  readonly boundaries: readonly number[];
  readonly #code: readonly Instruction[];
  readonly #begin: number;
  readonly #states: { readonly waiting: readonly number[]; readonly before: Before; accepts?: boolean }[] = [
    { waiting: [], before: NONE, accepts: true },
  ];
  readonly #ids = new Map<string, number>();
  readonly #steps: Map<number, number>[] = [new Map()];

  constructor(pattern: string, code: readonly Instruction[], begin: number, boundaries: readonly number[]) {
    this.key = `matches ${JSON.stringify(pattern)}`;
    this.#code = code;
    this.#begin = begin;
    this.boundaries = boundaries;
    this.start = this.#stateOf([begin], NONE);
  }

  step(state: number, code: number): number {
    if (state === MATCHED) return MATCHED;
    const known = this.#steps[state]?.get(code);
    if (known !== undefined) return known;
    const { waiting, before } = this.#states[state]!;
    const reached = this.#closure(waiting, before, code);
    const next =
      reached === undefined
        ? MATCHED
        : this.#stateOf(
            reached.flatMap((pc) => (contains(this.#code[pc]!.ranges, code) ? [this.#code[pc]!.out] : [])),
            classOf(code),
          );
    this.#steps[state]?.set(code, next);
    return next;
  }

  accepts(id: number): boolean {
    const state = this.#states[id]!;
    state.accepts ??= this.#closure(state.waiting, state.before, undefined) === undefined;
    return state.accepts;
  }

  /** A match may begin at every character. */
  #stateOf(waiting: readonly number[], before: Before): number {
    const sorted = [...new Set([...waiting, this.#begin])].sort((a, b) => a - b);
    const key = `${before}:${sorted}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      if (this.#states.length >= MOST_STATES) throw new TooManyStates();
      id = this.#states.push({ waiting: sorted, before }) - 1;
      this.#steps.push(new Map());
      this.#ids.set(key, id);
    }
    return id;
  }

  /** The instructions that consume a character next; undefined when the pattern has been found. */
  #closure(waiting: readonly number[], before: Before, next: number | undefined): number[] | undefined {
    const stack = [...waiting];
    const seen = new Set<number>();
    const consuming: number[] = [];
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      if (seen.has(pc)) continue;
      seen.add(pc);
      const { op, out, other, assertion } = this.#code[pc]!;
      if (op === "match") return undefined;
      if (op === "consume") consuming.push(pc);
      else if (op === "split") stack.push(out, other);
      else if (asserted(assertion, before, next)) stack.push(out);
    }
    return consuming;
  }
}

function asserted(assertion: string, before: Before, next: number | undefined): boolean {
  const wordEdge = (before === WORD) !== (next !== undefined && isWord(next));
  switch (assertion) {
    case "text-begin":
      return before === NONE;
    case "line-begin":
      return before === NONE || before === LINE;
    case "text-end":
      return next === undefined;
    case "line-end":
      return next === undefined || next === 10;
    case "word-boundary":
      return wordEdge;
    default:
      return !wordEdge;
  }
}

function contains(ranges: readonly number[], code: number): boolean {
  for (let i = 0; i < ranges.length; i += 2)
    if (code >= (ranges[i] as number) && code <= (ranges[i + 1] as number)) return true;
  return false;
}

function emit(code: Instruction[], given: Partial<Instruction> & Pick<Instruction, "op">): number {
  return code.push({ out: -1, other: -1, ranges: [], assertion: "", ...given }) - 1;
}

/** Back to front: a node is compiled knowing where to go on. */
function compile(code: Instruction[], node: PatternNode, next: number): number {
  switch (node.kind) {
    case "empty":
      return next;
    case "literal":
      return node.codes.reduceRight((out, char) => emit(code, { op: "consume", out, ranges: [char, char] }), next);
    case "set":
      return emit(code, { op: "consume", out: next, ranges: node.ranges });
    case "assert":
      return emit(code, { op: "assert", out: next, assertion: node.assertion });
    case "concat":
      return node.items.reduceRight((out, item) => compile(code, item, out), next);
    case "alternate":
      return node.branches
        .map((branch) => compile(code, branch, next))
        .reduceRight((other, out) => emit(code, { op: "split", out, other }));
    case "capture":
      return compile(code, node.item, next);
    case "repeat": {
      let start = next;
      if (node.max === Infinity) {
        start = emit(code, { op: "split", out: next, other: next });
        code[start]!.out = compile(code, node.item, start);
      } else
        for (let i = node.min; i < node.max; i++)
          start = emit(code, { op: "split", out: compile(code, node.item, start), other: next });
      for (let i = 0; i < node.min; i++) start = compile(code, node.item, start);
      return start;
    }
  }
}
