// From where can a match still be reached? Read from its end, a text answers that at every position for every instruction, in one pass. An
// instruction that consumes the next character leads to a match when its successor does at the position after. A row describes a position:
// a set of consuming instructions, and the kind of the next character, for assertions. Rows are found again in a table like the
// automaton's; a text that keeps making new ones is read without.

import { work } from "../value/size/work.ts";
import type { Alphabet } from "./alphabet.ts";
import { type Context, contextOf, EDGE, ELSEWHERE, holds } from "./nfa.ts";
import { ASSERT, CAPTURE, CONSUME, type Program, SPLIT } from "./program.ts";

const UNBUILT = -1;
/** So many rows per row that was found again, and the table is of no use. */
const USELESS = 0.8;
/** Instructions that are followed in the time of a step of work. */
const INSTRUCTIONS_PER_STEP = 4;

export class Backward {
  readonly program: Program;
  readonly alphabet: Alphabet;
  /** Positions of a text that are known at a time, so that their rows have room. */
  readonly blockSize: number;
  readonly #words: number;
  readonly #columns: number;
  /** Predecessors of each instruction that do not consume, and those that do: index and lists. */
  readonly #empty: Lists;
  readonly #consuming: Lists;
  readonly #seesContext: boolean;
  /** The set of each row, as bits; the kind of its next character; the row one character before it, by the character's class. */
  #sets: Uint32Array;
  #next: Uint8Array;
  #table: Int32Array;
  #byHash = new Map<number, number[]>();
  #rows = 0;
  #found = 0;
  /** False once the table has proved useless. */
  #keeps: boolean;
  readonly #reached: Uint8Array;
  readonly #stack: Int32Array;

  /** `budget` is what rows may take together, in cells of four bytes. */
  constructor(program: Program, alphabet: Alphabet, keeps: boolean, budget: number) {
    this.program = program;
    this.alphabet = alphabet;
    const size = program.op.length;
    this.#words = (size + 31) >> 5;
    this.#columns = alphabet.count;
    this.#keeps = keeps;
    this.#empty = emptyLists(program);
    this.#consuming = consumingLists(program);
    this.#seesContext = program.assertions.size > 0;
    const cells = this.#words + 1 + (keeps ? this.#columns : 0);
    this.blockSize = Math.max(4, Math.min(1 << 16, Math.floor(budget / cells)));
    this.#sets = new Uint32Array(this.#words * FIRST_ROWS);
    this.#next = new Uint8Array(FIRST_ROWS);
    this.#table = new Int32Array(keeps ? this.#columns * FIRST_ROWS : 0);
    this.#reached = new Uint8Array(size);
    this.#stack = new Int32Array(size);
  }

  /** Rows made from here on are not needed together with those made before. Answers whether those are gone. */
  startBlock(): boolean {
    if (this.#keeps && this.#rows > 1000 && this.#found < this.#rows * (1 - USELESS)) this.#keeps = false;
    if (this.#keeps && this.#rows < this.blockSize / 2) return false;
    this.#rows = 0;
    this.#found = 0;
    this.#byHash.clear();
    return true;
  }

  /** Whether a consuming instruction leads to a match from a position with this row. */
  leads(row: number, pc: number): boolean {
    return (((this.#sets[row * this.#words + (pc >> 5)] as number) >>> (pc & 31)) & 1) === 1;
  }

  /** The context after a position with this row; of interest only where there are assertions. */
  next(row: number): Context {
    return this.#next[row] as Context;
  }

  /** The row at the end of the text: nothing can be consumed. */
  atEnd(): number {
    const row = this.#newRow(this.#seesContext ? EDGE : ELSEWHERE);
    return this.#keeps ? this.#known(row) : row;
  }

  /** A copy of a row, to take it up again in another block. */
  save(row: number): SavedRow {
    const at = row * this.#words;
    return { set: this.#sets.slice(at, at + this.#words), next: this.next(row) };
  }

  restore({ set, next }: SavedRow): number {
    const row = this.#newRow(next);
    this.#sets.set(set, row * this.#words);
    return this.#keeps ? this.#known(row) : row;
  }

  /** The row one character before a position with `row`; the character's class is `input`. */
  before(row: number, input: number): number {
    if (!this.#keeps) return this.#make(row, input);
    const cell = row * this.#columns + input;
    const built = this.#table[cell] as number;
    if (built !== UNBUILT) {
      this.#found++;
      return built;
    }
    const made = this.#known(this.#make(row, input));
    this.#table[cell] = made;
    return made;
  }

  #make(row: number, input: number): number {
    const { op, arg } = this.program;
    const { alphabet } = this;
    const after = this.next(row);
    const before = this.#seesContext ? contextOf(alphabet, input) : ELSEWHERE;
    const reached = this.#reached.fill(0);
    const stack = this.#stack;
    const made = this.#newRow(before);
    const at = made * this.#words;
    const sets = this.#sets;
    let depth = this.#pushSet(row);
    reached[0] = 1; // the match
    stack[depth++] = 0;
    let steps = this.#words;
    while (depth > 0) {
      const pc = stack[--depth] as number;
      const { index, items } = this.#empty;
      for (let i = index[pc] as number; i < (index[pc + 1] as number); i++) {
        const from = items[i] as number;
        steps++;
        if (reached[from] === 1) continue;
        if (op[from] === ASSERT && !holds(arg[from] as number, before, after)) continue;
        reached[from] = 1;
        stack[depth++] = from;
      }
      const consuming = this.#consuming;
      for (let i = consuming.index[pc] as number; i < (consuming.index[pc + 1] as number); i++) {
        const from = consuming.items[i] as number;
        steps++;
        if (alphabet.members[arg[from] as number]?.[input] === 1)
          sets[at + (from >> 5)] = (sets[at + (from >> 5)] as number) | (1 << (from & 31));
      }
    }
    work(steps / INSTRUCTIONS_PER_STEP);
    return made;
  }

  /** Puts the instructions of a row on the stack, and answers how many. */
  #pushSet(row: number): number {
    const at = row * this.#words;
    let depth = 0;
    for (let word = 0; word < this.#words; word++) {
      let bits = this.#sets[at + word] as number;
      while (bits !== 0) {
        const pc = (word << 5) + 31 - Math.clz32(bits & -bits);
        bits &= bits - 1;
        this.#reached[pc] = 1;
        this.#stack[depth++] = pc;
      }
    }
    return depth;
  }

  #newRow(next: Context): number {
    const words = this.#words;
    const row = this.#rows++;
    if (row === this.#next.length) {
      this.#sets = doubled(this.#sets, new Uint32Array(this.#sets.length * 2));
      this.#next = doubled(this.#next, new Uint8Array(this.#next.length * 2));
      if (this.#keeps) this.#table = doubled(this.#table, new Int32Array(this.#table.length * 2));
    }
    this.#sets.fill(0, row * words, (row + 1) * words);
    this.#next[row] = next;
    return row;
  }

  /** The newest row, or one that is the same and was there before: then the newest is taken back. */
  #known(row: number): number {
    const words = this.#words;
    const sets = this.#sets;
    let hash = this.#next[row] as number;
    for (let i = row * words; i < (row + 1) * words; i++) hash = (Math.imul(hash, 31) + (sets[i] as number)) | 0;
    const rows = this.#byHash.get(hash);
    for (const other of rows ?? []) {
      if (other === row || !this.#same(other, row)) continue;
      this.#rows--;
      return other;
    }
    if (rows === undefined) this.#byHash.set(hash, [row]);
    else rows.push(row);
    this.#table.fill(UNBUILT, row * this.#columns, (row + 1) * this.#columns);
    return row;
  }

  #same(a: number, b: number): boolean {
    if (this.#next[a] !== this.#next[b]) return false;
    const words = this.#words;
    for (let i = 0; i < words; i++) if (this.#sets[a * words + i] !== this.#sets[b * words + i]) return false;
    return true;
  }
}

const FIRST_ROWS = 16;

export interface SavedRow {
  readonly set: Uint32Array;
  readonly next: Context;
}

/** For each instruction the items `index[pc] … index[pc + 1]`. */
interface Lists {
  readonly index: Int32Array;
  readonly items: Int32Array;
}

function emptyLists({ op, out, arg }: Program): Lists {
  return listsOf(op.length, (add) => {
    for (let pc = 0; pc < op.length; pc++) {
      const code = op[pc];
      if (code !== SPLIT && code !== ASSERT && code !== CAPTURE) continue;
      add(out[pc] as number, pc);
      if (code === SPLIT) add(arg[pc] as number, pc);
    }
  });
}

function consumingLists({ op, out }: Program): Lists {
  return listsOf(op.length, (add) => {
    for (let pc = 0; pc < op.length; pc++) if (op[pc] === CONSUME) add(out[pc] as number, pc);
  });
}

/** Goes through the pairs twice: to count, and to fill. */
function listsOf(size: number, each: (add: (to: number, from: number) => void) => void): Lists {
  const index = new Int32Array(size + 1);
  each((to) => {
    index[to + 1] = (index[to + 1] as number) + 1;
  });
  for (let i = 0; i < size; i++) index[i + 1] = (index[i + 1] as number) + (index[i] as number);
  const items = new Int32Array(index[size] as number);
  const filled = index.slice();
  each((to, from) => {
    const at = filled[to] as number;
    filled[to] = at + 1;
    items[at] = from;
  });
  return { index, items };
}

function doubled<T extends Uint32Array | Int32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}
