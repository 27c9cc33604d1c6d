// Sets of instructions, and how one set follows from another. Used to build the automaton's states, and by itself when an
// input needs more states than are worth keeping.

import { work } from "../value/size/work.ts";
import type { Alphabet } from "./alphabet.ts";
import { ASSERT, ASSERTIONS, CONSUME, MATCH, type Program, SPLIT } from "./program.ts";

/** The neighbour of a position, on either side: as much as assertions want to know. */
export type Context = 0 | 1 | 2 | 3;
/** The text begins or ends here. */
export const EDGE: Context = 0;
export const NEWLINE: Context = 1;
export const WORD: Context = 2;
export const ELSEWHERE: Context = 3;

const UNKNOWN = -1;
/** Instructions that are followed in the time of a step of work. */
const INSTRUCTIONS_PER_STEP = 4;

/** An ordered set of instruction numbers that empties in constant time. */
class InstructionSet {
  readonly items: Int32Array;
  size = 0;
  readonly #place: Int32Array;

  constructor(capacity: number) {
    this.items = new Int32Array(capacity);
    this.#place = new Int32Array(capacity);
  }

  has(pc: number): boolean {
    const place = this.#place[pc] as number;
    return place < this.size && this.items[place] === pc;
  }

  add(pc: number): void {
    this.#place[pc] = this.size;
    this.items[this.size++] = pc;
  }
}

export class Nfa {
  readonly program: Program;
  readonly alphabet: Alphabet;
  readonly #seen: InstructionSet;
  readonly #stack: Int32Array;
  /** Instructions that wait for input, in `waiting[0…count)`: they consume, or assert something about the next character. */
  #waiting: Int32Array;
  #spare: Int32Array;
  #count = 0;
  readonly #startsAtLines: boolean;
  /** The work of following one character, in steps. */
  readonly steps: number;

  constructor(program: Program, alphabet: Alphabet) {
    const size = program.op.length;
    this.program = program;
    this.alphabet = alphabet;
    this.steps = size / INSTRUCTIONS_PER_STEP;
    this.#startsAtLines = program.assertions.has("line-begin");
    this.#seen = new InstructionSet(size);
    this.#stack = new Int32Array(size);
    this.#waiting = new Int32Array(size);
    this.#spare = new Int32Array(size);
  }

  /** The instructions waiting now, in ascending order. */
  waiting(): Int32Array {
    return this.#waiting.slice(0, this.#count).sort();
  }

  /** Whether no further input can lead to a match: nothing waits, and no later line begins the pattern anew. */
  get finished(): boolean {
    return this.#count === 0 && !this.#startsAtLines;
  }

  /** Begins a search; true when the pattern matches before any input is seen. */
  begin(context: Context): boolean {
    this.#clear();
    return this.#follow(this.program.start, context, UNKNOWN);
  }

  /** Takes up the search where `waiting` instructions wait. */
  resume(waiting: Int32Array): void {
    this.#waiting.set(waiting);
    this.#count = waiting.length;
  }

  /**
   * Feeds one character class, or the end of the text (class `alphabet.count`). True when this completes a match; other instructions are
   * then skipped. Otherwise a match may start at the position after the character too.
   */
  step(context: Context, input: number): boolean {
    const { op, out, arg, start } = this.program;
    if (this.#settle(context, input)) return true;
    if (input === this.alphabet.count) return false;
    const before = this.#waiting;
    const count = this.#count;
    this.#waiting = this.#spare;
    this.#spare = before;
    this.#clear();
    const after = this.contextAfter(input);
    for (let i = 0; i < count; i++) {
      const pc = before[i] as number;
      if (op[pc] !== CONSUME || this.alphabet.members[arg[pc] as number]?.[input] !== 1) continue;
      if (this.#follow(out[pc] as number, after, UNKNOWN)) return true;
    }
    return this.#follow(start, after, UNKNOWN);
  }

  /** Whether a match starts at or after `from`, without keeping anything for the next search. */
  search(s: string, from: number, before: Context): boolean {
    const { alphabet } = this;
    let context = before;
    if (this.begin(context)) return true;
    for (let i = from; i < s.length; ) {
      const code = s.codePointAt(i) as number;
      const input = alphabet.classOf(code);
      work(this.steps);
      if (this.step(context, input)) return true;
      if (this.finished) return false;
      context = this.contextAfter(input);
      i += code > 0xffff ? 2 : 1;
    }
    return this.step(context, alphabet.count);
  }

  contextAfter(input: number): Context {
    return contextOf(this.alphabet, input);
  }

  /** Decides the waiting assertions, now that the next character is known. */
  #settle(context: Context, input: number): boolean {
    const { op } = this.program;
    let pending = false;
    for (let i = 0; i < this.#count && !pending; i++) pending = op[this.#waiting[i] as number] === ASSERT;
    if (!pending) return false;
    const before = this.#waiting;
    const count = this.#count;
    this.#waiting = this.#spare;
    this.#spare = before;
    this.#clear();
    for (let i = 0; i < count; i++) {
      if (this.#follow(before[i] as number, context, input)) return true;
    }
    return false;
  }

  #clear(): void {
    this.#seen.size = 0;
    this.#count = 0;
  }

  /** Adds everything reachable from `pc` without consuming; true when that includes the match. */
  #follow(pc: number, context: Context, next: number): boolean {
    const { op, out, arg } = this.program;
    const seen = this.#seen;
    const stack = this.#stack;
    if (seen.has(pc)) return false;
    let depth = 0;
    seen.add(pc);
    stack[depth++] = pc;
    while (depth > 0) {
      const at = stack[--depth] as number;
      const code = op[at];
      if (code === MATCH) return true;
      if (code === CONSUME) {
        this.#waiting[this.#count++] = at;
        continue;
      }
      if (code === ASSERT) {
        const holds = this.#holds(arg[at] as number, context, next);
        if (holds === undefined) this.#waiting[this.#count++] = at;
        if (holds !== true) continue;
      } else if (code === SPLIT) {
        const other = arg[at] as number;
        if (!seen.has(other)) {
          seen.add(other);
          stack[depth++] = other;
        }
      }
      const target = out[at] as number;
      if (!seen.has(target)) {
        seen.add(target);
        stack[depth++] = target;
      }
    }
    return false;
  }

  /** Whether an assertion holds between `context` and the class `next`; undefined when that depends on an unknown `next`. */
  #holds(assertion: number, context: Context, next: number): boolean | undefined {
    const kind = ASSERTIONS[assertion];
    if (next === UNKNOWN && kind !== "text-begin" && kind !== "line-begin") return undefined;
    return holds(assertion, context, contextOf(this.alphabet, next));
  }
}

/** The kind of a character for an assertion beside it; the class after the last is the end of the text. */
export function contextOf({ count, newline, word }: Alphabet, input: number): Context {
  if (input === count) return EDGE;
  if (input === newline) return NEWLINE;
  return word[input] === 1 ? WORD : ELSEWHERE;
}

/** Whether an assertion holds between two characters. */
export function holds(assertion: number, before: Context, after: Context): boolean {
  switch (ASSERTIONS[assertion]) {
    case "text-begin":
      return before === EDGE;
    case "line-begin":
      return before === EDGE || before === NEWLINE;
    case "text-end":
      return after === EDGE;
    case "line-end":
      return after === EDGE || after === NEWLINE;
    case "word-boundary":
      return (before === WORD) !== (after === WORD);
    default:
      return (before === WORD) === (after === WORD);
  }
}
