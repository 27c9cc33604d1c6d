// Boolean search in time linear in the input: a deterministic automaton that makes its states as inputs reach them. The states live in one
// table of integers, a row for each state and a column for each class of input; a cell holds the row to go to. When the table is full it is
// emptied; a pattern that keeps filling it is simulated without one.

import { work } from "../value/size/work.ts";
import { createAlphabet, type FixedAlphabet } from "./alphabet.ts";
import { type Context, EDGE, ELSEWHERE, Nfa } from "./nfa.ts";
import { ASSERT, type Program } from "./program.ts";

/** Cells hold row offsets. Row 0 is the state no input leads out of; row 1 (offset `columns`) is the match. */
const DEAD = 0;
const UNBUILT = -1;
const GIVEN_UP = -2;

/** A full table is useful when each cell built was read this often. */
const READS_PER_CELL = 10;
/** So many times may the table fill up without being useful. */
const PATIENCE = 3;
const FIRST_ROWS = 8;
/** Characters that are read from the table in the time of a step of work. */
const CHARACTERS_PER_STEP = 16;

interface State {
  readonly waiting: Int32Array;
  readonly context: Context;
}

export class Dfa {
  readonly #nfa: Nfa;
  readonly #alphabet: FixedAlphabet;
  readonly #columns: number;
  readonly #budget: number;
  #table: Int32Array;
  #states: (State | undefined)[] = [];
  #rows = new Map<number, number[]>();
  #starts: [number, number, number, number] = [UNBUILT, UNBUILT, UNBUILT, UNBUILT];
  #used = 0;
  #built = 0;
  #read = 0;
  #patience = PATIENCE;

  constructor(program: Program, alphabet: FixedAlphabet, budget: number) {
    this.#nfa = new Nfa(program, alphabet);
    this.#alphabet = alphabet;
    this.#columns = alphabet.count + 1;
    this.#budget = budget;
    this.#table = new Int32Array(FIRST_ROWS * this.#columns);
    this.#empty();
  }

  /** Whether a match starts at or after `from`. */
  search(s: string, from: number): boolean {
    const narrow = this.#alphabet.narrow;
    const columns = this.#columns;
    const length = s.length;
    if (length > CHARACTERS_PER_STEP) work(length / CHARACTERS_PER_STEP);
    let row = this.#start(s, from);
    if (row <= columns) return row === columns;
    let i = from;
    for (;;) {
      const table = this.#table;
      // Two at a time: most of the time goes into charCodeAt, which then needs half the checks.
      while (i + 1 < length) {
        const code = s.charCodeAt(i);
        const after = s.charCodeAt(i + 1);
        if ((code | after) > 255) break;
        const middle = table[row + (narrow[code] as number)] as number;
        if (middle <= columns) break;
        const next = table[middle + (narrow[after] as number)] as number;
        if (next <= columns) {
          row = middle;
          i++;
          break;
        }
        row = next;
        i += 2;
      }
      while (i < length) {
        const code = s.charCodeAt(i);
        if (code > 255) break;
        const next = table[row + (narrow[code] as number)] as number;
        if (next <= columns) {
          if (next !== UNBUILT) return next === columns;
          break;
        }
        row = next;
        i++;
      }
      // Here is the end, a wide character, or a cell to build: one careful step.
      if (i === length) return this.#atEnd(row, length - from);
      const code = s.codePointAt(i) as number;
      row = this.#step(row, this.#alphabet.classOf(code), i - from);
      if (row <= columns) return row === GIVEN_UP ? this.#simulate(s, from) : row === columns;
      i += code > 0xffff ? 2 : 1;
    }
  }

  #step(row: number, input: number, progress: number): number {
    const next = this.#table[row + input] as number;
    if (next !== UNBUILT) return next;
    return this.#patience === 0 ? GIVEN_UP : this.#build(row, input, progress);
  }

  #atEnd(row: number, progress: number): boolean {
    this.#read += progress;
    const end = this.#columns - 1;
    const next = this.#table[row + end] as number;
    return (next === UNBUILT ? this.#build(row, end, 0) : next) === this.#columns;
  }

  #start(s: string, from: number): number {
    const context = from === 0 ? EDGE : this.#contextBefore(s, from);
    let row = this.#starts[context];
    if (row === UNBUILT) {
      row = this.#nfa.begin(context) ? this.#columns : this.#currentRow(context, 0);
      this.#starts[context] = row;
    }
    return row;
  }

  #contextBefore(s: string, at: number): Context {
    const code = s.charCodeAt(at - 1);
    return code < 256 ? this.#nfa.contextAfter(this.#alphabet.narrow[code] as number) : ELSEWHERE;
  }

  /** Works out one cell. The table may be emptied by this: only the row returned is sure to be there afterwards. */
  #build(row: number, input: number, progress: number): number {
    const state = this.#states[row / this.#columns] as State;
    const nfa = this.#nfa;
    work(nfa.steps);
    nfa.resume(state.waiting);
    let target: number;
    const rows = this.#rows;
    if (nfa.step(state.context, input)) target = this.#columns;
    else if (input === this.#alphabet.count) target = DEAD;
    else target = this.#currentRow(nfa.contextAfter(input), progress);
    if (rows === this.#rows) this.#table[row + input] = target; // not when the table was emptied meanwhile
    this.#built++;
    return target;
  }

  /** The row of the state the simulation is in, made if need be. */
  #currentRow(context: Context, progress: number): number {
    if (this.#nfa.finished) return DEAD;
    const waiting = this.#nfa.waiting();
    const kept = this.#needsContext(waiting) ? context : ELSEWHERE;
    const hash = hashOf(waiting, kept);
    const columns = this.#columns;
    for (const row of this.#rows.get(hash) ?? []) {
      const state = this.#states[row / columns] as State;
      if (state.context === kept && sameItems(state.waiting, waiting)) return row;
    }
    const cost = columns + waiting.length;
    if (this.#used + cost > this.#budget) this.#recycle(progress);
    const row = this.#states.push({ waiting, context: kept }) * columns - columns;
    if (row + columns > this.#table.length) this.#grow();
    this.#table.fill(UNBUILT, row, row + columns);
    this.#used += cost;
    const bucket = this.#rows.get(hash);
    if (bucket === undefined) this.#rows.set(hash, [row]);
    else bucket.push(row);
    return row;
  }

  /** The preceding character matters only to assertions that still wait. */
  #needsContext(waiting: Int32Array): boolean {
    const { op } = this.#nfa.program;
    return waiting.some((pc) => op[pc] === ASSERT);
  }

  #grow(): void {
    const larger = new Int32Array(this.#table.length * 2);
    larger.set(this.#table);
    this.#table = larger;
  }

  #recycle(progress: number): void {
    if (this.#read + progress < this.#built * READS_PER_CELL) this.#patience--;
    else this.#patience = PATIENCE;
    this.#empty();
  }

  #empty(): void {
    this.#states = [undefined, undefined];
    this.#rows = new Map();
    this.#starts = [UNBUILT, UNBUILT, UNBUILT, UNBUILT];
    this.#used = 2 * this.#columns;
    this.#built = 0;
    this.#read = 0;
  }

  /** The same search without keeping states. */
  #simulate(s: string, from: number): boolean {
    return this.#nfa.search(s, from, from === 0 ? EDGE : this.#contextBefore(s, from));
  }
}

/** Undefined if the pattern's character sets are too many and too large to be separated. */
export function createDfa(program: Program, budget: number): Dfa | undefined {
  const alphabet = createAlphabet(program);
  return alphabet && new Dfa(program, alphabet, budget);
}

function hashOf(waiting: Int32Array, context: Context): number {
  let hash: number = context;
  for (const pc of waiting) hash = (Math.imul(hash, 31) + pc) | 0;
  return hash;
}

function sameItems(a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
