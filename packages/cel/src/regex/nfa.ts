// Sets of instructions, and how one set follows from another. Used to build the automaton's states, and by itself when an
// input needs more states than are worth keeping.

import type { Alphabet } from "./alphabet.ts";
import { ASSERT, ASSERTIONS, CONSUME, MATCH, type Program, SPLIT } from "./program.ts";

/** What is before a position: as much as assertions want to know. */
export type Context = 0 | 1 | 2 | 3;
export const TEXT_BEGIN: Context = 0;
export const AFTER_NEWLINE: Context = 1;
export const AFTER_WORD: Context = 2;
export const ELSEWHERE: Context = 3;

const UNKNOWN = -1;

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
  /** Instructions that wait for input, in `waiting[0…count)`: they consume, or assert something about what comes next. */
  #waiting: Int32Array;
  #spare: Int32Array;
  #count = 0;
  readonly #startsAtLines: boolean;

  constructor(program: Program, alphabet: Alphabet) {
    const size = program.op.length;
    this.program = program;
    this.alphabet = alphabet;
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
   * Feeds one character class, or the end of the text (class `alphabet.count`). True when this completes a match: nothing else
   * is asked then. Otherwise a match may start at the position after the character too.
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

  contextAfter(input: number): Context {
    if (input === this.alphabet.newline) return AFTER_NEWLINE;
    return this.alphabet.word[input] === 1 ? AFTER_WORD : ELSEWHERE;
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
    const { count, newline, word } = this.alphabet;
    const kind = ASSERTIONS[assertion];
    if (kind === "text-begin") return context === TEXT_BEGIN;
    if (kind === "line-begin") return context === TEXT_BEGIN || context === AFTER_NEWLINE;
    if (next === UNKNOWN) return undefined;
    if (kind === "text-end") return next === count;
    if (kind === "line-end") return next === count || next === newline;
    const boundary = (context === AFTER_WORD) !== (word[next] === 1);
    return kind === "word-boundary" ? boundary : !boundary;
  }
}
