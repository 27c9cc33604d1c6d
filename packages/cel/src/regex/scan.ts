// Matches of a pattern in a text, with the texts of its groups, in time linear in the text for every pattern. The text is read backwards
// first (backward.ts); then every choice is known to be right before it is made, so that the scan goes through a match once, from its start
// to its end, and reads nothing twice. This holds even if each match looks to the end of the text before it gives up the longer one.

import { work } from "../value/size/work.ts";
import { type Alphabet, createAlphabet, createOpenAlphabet } from "./alphabet.ts";
import { Backward, type SavedRow } from "./backward.ts";
import { type Context, contextOf, EDGE, ELSEWHERE, holds } from "./nfa.ts";
import { ASSERT, CAPTURE, CONSUME, compileProgram, MATCH, type Program, SPLIT } from "./program.ts";
import type { Node } from "./syntax.ts";

/** A pattern ready to be looked for, in one text after the other. */
export interface Scanner {
  scan(s: string): Scan;
}

/** The matches in one text, from left to right. */
export interface Scan {
  /**
   * The first match at or after `from`, which never goes back: [start, end] of the match and of each group in turn, -1 where a group
   * took no part.
   */
  find(from: number): number[] | undefined;
}

export function createScanner(tree: Node, groupCount: number, budget: number): Scanner {
  const program = compileProgram(tree, { groups: true });
  const fixed = createAlphabet(program);
  const alphabet = fixed ?? createOpenAlphabet(program);
  const backward = new Backward(program, alphabet, fixed !== undefined, budget);
  const walker = new Walker(program, backward, groupCount);
  return { scan: (s) => new TextScan(s, alphabet, backward, walker) };
}

/** Characters, or instructions, that are passed in the time of a step of work. */
const PASSED_PER_STEP = 4;

/** The rows of one text. Long texts are known a block at a time. */
class TextScan implements Scan {
  readonly #s: string;
  readonly #alphabet: Alphabet;
  readonly #backward: Backward;
  readonly #walker: Walker;
  readonly #seesContext: boolean;
  readonly #blockSize: number;
  /** Rows at the ends of the blocks that have not been entered, the last block first. */
  readonly #ends: BlockEnd[] = [];
  /** Rows at the positions `first … last`. */
  #first = 0;
  #last = -1;
  #rows: Int32Array;

  constructor(s: string, alphabet: Alphabet, backward: Backward, walker: Walker) {
    this.#s = s;
    this.#alphabet = alphabet;
    this.#backward = backward;
    this.#walker = walker;
    // Rows inside a block and rows between blocks are kept at the same time.
    this.#blockSize = Math.max(backward.blockSize, Math.ceil(Math.sqrt(s.length)));
    this.#seesContext = backward.program.assertions.size > 0;
    this.#rows = new Int32Array(Math.min(s.length, this.#blockSize + 1) + 1);
    if (s.length > this.#blockSize) this.#findEnds();
    else this.#fill(0, s.length, undefined);
  }

  find(from: number): number[] | undefined {
    const s = this.#s;
    for (let at = from; at <= s.length; at += widthAt(s, at)) {
      if (this.#walker.startsAt(this.#row(at), this.#contextBefore(at))) return this.#walk(at);
    }
    return undefined;
  }

  /** From the start of a match to its end, always by the preferred choice that leads there. */
  #walk(start: number): number[] {
    const s = this.#s;
    const walker = this.#walker;
    let at = start;
    let done = walker.start(this.#row(at), this.#contextBefore(at), at);
    while (!done) {
      at += widthAt(s, at);
      done = walker.consume(this.#row(at), this.#contextBefore(at), at);
    }
    return [start, at, ...walker.captures];
  }

  /** A text of more than one block is read backwards once to know the rows between blocks. */
  #findEnds(): void {
    const backward = this.#backward;
    let end = this.#s.length;
    this.#startBlock();
    let saved = backward.save(backward.atEnd());
    this.#ends.push({ at: end, row: saved });
    while (end > this.#blockSize) {
      const begin = isInsidePair(this.#s, end - this.#blockSize) ? end - this.#blockSize - 1 : end - this.#blockSize;
      this.#startBlock();
      saved = backward.save(this.#readBack(begin, end, backward.restore(saved)));
      this.#ends.push({ at: begin, row: saved });
      end = begin;
    }
  }

  #startBlock(): void {
    if (this.#backward.startBlock()) this.#walker.forget();
  }

  /** The row at `begin`, from that at `end`; those on the way are noted in `rows`. */
  #readBack(begin: number, end: number, from: number, rows?: Int32Array): number {
    const s = this.#s;
    const alphabet = this.#alphabet;
    const backward = this.#backward;
    work((end - begin) / PASSED_PER_STEP);
    let row = from;
    let at = end;
    if (rows) rows[at - begin] = row;
    while (at > begin) {
      at -= isInsidePair(s, at - 1) ? 2 : 1;
      row = backward.before(row, alphabet.classOf(s.codePointAt(at) as number));
      if (rows) rows[at - begin] = row;
    }
    return row;
  }

  #row(at: number): number {
    if (at > this.#last) this.#enterBlock(at);
    return this.#rows[at - this.#first] as number;
  }

  /** Positions only grow: nobody asks for an earlier position of a block. */
  #enterBlock(at: number): void {
    let end = this.#ends.pop() as BlockEnd;
    while (end.at < at) end = this.#ends.pop() as BlockEnd;
    this.#fill(at, end.at, end.row);
  }

  /** Makes the rows from `first` to `last`, where the row is known or the text ends. */
  #fill(first: number, last: number, saved: SavedRow | undefined): void {
    const backward = this.#backward;
    this.#first = first;
    this.#last = last;
    if (this.#rows.length <= last - first) this.#rows = new Int32Array(last - first + 1);
    this.#startBlock();
    this.#readBack(first, last, saved ? backward.restore(saved) : backward.atEnd(), this.#rows);
  }

  #contextBefore(at: number): Context {
    if (!this.#seesContext) return ELSEWHERE;
    if (at === 0) return EDGE;
    const s = this.#s;
    const code = s.codePointAt(isInsidePair(s, at - 1) ? at - 2 : at - 1) as number;
    return contextOf(this.#alphabet, this.#alphabet.classOf(code));
  }
}

interface BlockEnd {
  readonly at: number;
  readonly row: SavedRow;
}

/** One way through the program, along a text with known rows. */
class Walker {
  readonly #program: Program;
  readonly #backward: Backward;
  /** The beginnings and ends of groups on the way so far. */
  readonly captures: Int32Array;
  /** By row and context: 0 if unknown, 1 if the pattern does not start there, 2 if it does. */
  #starts: Uint8Array = new Uint8Array(64);
  readonly #seen: Int32Array;
  #round = 0;
  readonly #stack: Int32Array;
  /** The instruction that consumes the next character. */
  #at = 0;

  constructor(program: Program, backward: Backward, groupCount: number) {
    const size = program.op.length;
    this.#program = program;
    this.#backward = backward;
    this.captures = new Int32Array(2 * groupCount);
    this.#seen = new Int32Array(size);
    this.#stack = new Int32Array(3 * size + 3);
  }

  /** Rows have other meanings from here on. */
  forget(): void {
    this.#starts.fill(0);
  }

  /** Whether a match starts at a position with this row. */
  startsAt(row: number, before: Context): boolean {
    const key = row * 4 + before;
    if (key >= this.#starts.length) {
      const larger = new Uint8Array(key * 2);
      larger.set(this.#starts);
      this.#starts = larger;
    }
    if (this.#starts[key] === 0) this.#starts[key] = this.#choose(this.#program.start, row, before, 0) >= 0 ? 2 : 1;
    return this.#starts[key] === 2;
  }

  /** Begins a match. Answers whether it ends right here. */
  start(row: number, before: Context, at: number): boolean {
    this.captures.fill(-1);
    this.#at = this.#choose(this.#program.start, row, before, at);
    return this.#program.op[this.#at] === MATCH;
  }

  /** Goes on behind the next character. Answers whether the match ends there. */
  consume(row: number, before: Context, at: number): boolean {
    const { op, out } = this.#program;
    this.#at = this.#choose(out[this.#at] as number, row, before, at);
    return op[this.#at] === MATCH;
  }

  /**
   * The first instruction, in order of preference, that is the match or consumes a character and leads to one; negative if there is none.
   * Notes where groups begin and end on the way to it.
   */
  #choose(from: number, row: number, before: Context, at: number): number {
    const { op, out, arg } = this.#program;
    const { captures } = this;
    const seen = this.#seen;
    const stack = this.#stack;
    const round = this.#nextRound();
    let depth = 0;
    let steps = 1;
    let chosen = -1;
    stack[depth++] = from;
    while (depth > 0 && chosen < 0) {
      const pc = stack[--depth] as number;
      if (pc < 0) {
        captures[~pc] = stack[--depth] as number; // that way led nowhere
        continue;
      }
      if (seen[pc] === round) continue;
      seen[pc] = round;
      steps++;
      switch (op[pc]) {
        case MATCH:
          chosen = pc;
          break;
        case CONSUME:
          if (this.#backward.leads(row, pc)) chosen = pc;
          break;
        case SPLIT:
          stack[depth++] = arg[pc] as number;
          stack[depth++] = out[pc] as number;
          break;
        case ASSERT:
          if (holds(arg[pc] as number, before, this.#backward.next(row))) stack[depth++] = out[pc] as number;
          break;
        case CAPTURE: {
          const slot = arg[pc] as number;
          stack[depth++] = captures[slot] as number;
          stack[depth++] = ~slot;
          captures[slot] = at;
          stack[depth++] = out[pc] as number;
        }
      }
    }
    work(steps / PASSED_PER_STEP);
    return chosen;
  }

  #nextRound(): number {
    if (this.#round === 0x7fff_ffff) {
      this.#seen.fill(0);
      this.#round = 0;
    }
    return ++this.#round;
  }
}

const widthAt = (s: string, at: number): number => ((s.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);

function isInsidePair(s: string, at: number): boolean {
  const low = s.charCodeAt(at);
  if (low < 0xdc00 || low > 0xdfff || at === 0) return false;
  const high = s.charCodeAt(at - 1);
  return high >= 0xd800 && high <= 0xdbff;
}
