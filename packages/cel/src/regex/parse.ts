// Pattern text to tree: RE2 syntax as Go's regexp package reads it, with its error texts. Go reads a pattern in one pass from
// left to right and stops at the first error; this parser keeps to the same order. An explicit stack of open groups takes the
// place of recursion, so that "((((…" cannot exhaust the call stack.

import { CelError } from "../value/error.ts";
import { parseClass } from "./class.ts";
import { syntaxError } from "./errors.ts";
import { readEscape, type Span } from "./escape.ts";
import { type Flags, NO_FLAGS, readFlags } from "./flags.ts";
import { fold } from "./fold.ts";
import { readGroup } from "./groups.ts";
import { ANY, ANY_BUT_NEWLINE, type Ranges } from "./ranges.ts";
import { DEFAULT_LIMITS, type RegexLimits } from "./regex.ts";
import {
  type Assertion,
  alternate,
  assert,
  capture,
  concat,
  literal,
  type Node,
  repeat,
  repeatsFit,
  set,
} from "./syntax.ts";

/** A regular expression that was read. */
export interface Pattern {
  readonly tree: Node;
  /** Names of the capturing groups in order, "" for an unnamed one. */
  readonly groupNames: readonly string[];
}

/** Reads an RE2 pattern. A pattern that RE2 refuses, or that exceeds the limits, is an error. */
export function parsePattern(pattern: string, limits: RegexLimits = DEFAULT_LIMITS): Pattern | CelError {
  return new Parser(pattern, limits).parse();
}

/** An open group: the parts before and after its last `|`, and the state that its `)` restores. */
interface Group {
  readonly branches: Node[];
  items: Node[];
  /** The name of a capturing group ("" without a name), undefined for `(?:`. */
  readonly name: string | undefined;
  readonly outerFlags: Flags;
}

/** Go's limits: repetitions multiply up to this, the tree grows no higher, the program no longer (128 MB of instructions). */
const MAX_REPEAT = 1000;
const MAX_HEIGHT = 1000;
const MAX_SIZE = Math.floor((128 << 20) / 40);

/** Bounds of character ranges a pattern may hold for each instruction it may compile to. */
const BOUNDS_PER_INSTRUCTION = 10;

const ESCAPED_ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ["A", "text-begin"],
  ["z", "text-end"],
  ["b", "word-boundary"],
  ["B", "no-word-boundary"],
]);
const COUNTS = /\{(0|[1-9][0-9]*)(,(0|[1-9][0-9]*)?)?\}/y;

class Parser {
  readonly #pattern: string;
  readonly #limits: RegexLimits;
  readonly #names: string[] = [];
  readonly #outer: Group[] = [];
  #group: Group = { branches: [], items: [], name: undefined, outerFlags: NO_FLAGS };
  #flags: Flags = NO_FLAGS;
  #at = 0;
  #bounds = 0;
  /** A limit of ours that was passed. Go reads on, and an error that it finds later comes first. */
  #passed: CelError | undefined;
  /** The beginning of the last repetition, or -1 if something else was read last. */
  #lastRepeat = -1;

  constructor(pattern: string, limits: RegexLimits) {
    this.#pattern = pattern;
    this.#limits = limits;
  }

  parse(): Pattern | CelError {
    while (this.#at < this.#pattern.length) {
      const start = this.#at;
      const repeats = this.#next();
      if (repeats instanceof CelError) return repeats;
      this.#lastRepeat = repeats ? start : -1;
    }
    if (this.#outer.length > 0) return syntaxError("missing closing )", this.#pattern);
    const tree = this.#finishGroup();
    return this.#tooLarge(tree) ?? this.#passed ?? { tree, groupNames: this.#names };
  }

  /** Reads one piece; answers whether it was a repetition operator. */
  #next(): boolean | CelError {
    const character = this.#pattern[this.#at] as string;
    switch (character) {
      case "(":
        return this.#openGroup();
      case ")":
        return this.#closeGroup();
      case "|":
        this.#group.branches.push(concat(this.#group.items));
        this.#group.items = [];
        this.#at++;
        return false;
      case "^":
        return this.#push(assert(this.#flags.multiLine ? "line-begin" : "text-begin"), 1);
      case "$":
        return this.#push(assert(this.#flags.multiLine ? "line-end" : "text-end"), 1);
      case ".":
        return this.#push(set(this.#flags.dotAll ? ANY : ANY_BUT_NEWLINE), 1);
      case "[":
        return this.#pushSet(parseClass(this.#pattern, this.#at, this.#flags.ignoreCase));
      case "*":
        return this.#repeat(0, Infinity, 1);
      case "+":
        return this.#repeat(1, Infinity, 1);
      case "?":
        return this.#repeat(0, 1, 1);
      case "{":
        return this.#counted();
      case "\\":
        return this.#escape();
      default:
        return this.#pushCode(this.#pattern.codePointAt(this.#at) as number);
    }
  }

  #push(node: Node, width: number): false {
    this.#group.items.push(node);
    this.#at += width;
    return false;
  }

  #pushCode(code: number): false {
    this.#pushLiteral(code);
    this.#at += code > 0xffff ? 2 : 1;
    return false;
  }

  #pushLiteral(code: number): void {
    this.#group.items.push(this.#flags.ignoreCase ? set(fold([code, code])) : literal([code]));
  }

  #pushSet(read: Span<Ranges> | CelError): false | CelError {
    if (read instanceof CelError) return read;
    this.#bounds += read.value.length;
    if (this.#bounds > this.#limits.programSize * BOUNDS_PER_INSTRUCTION) this.#passed ??= this.#large();
    this.#group.items.push(set(read.value));
    this.#at = read.end;
    return false;
  }

  #escape(): false | CelError {
    const at = this.#at;
    const letter = this.#pattern[at + 1] ?? "";
    const assertion = ESCAPED_ASSERTIONS.get(letter);
    if (assertion !== undefined) return this.#push(assert(assertion), 2);
    if (letter === "C") return syntaxError("invalid escape sequence", "\\C");
    if (letter === "Q") return this.#quoted();
    const group = readGroup(this.#pattern, at, this.#flags.ignoreCase);
    if (group !== undefined) return this.#pushSet(group);
    const code = readEscape(this.#pattern, at);
    if (code instanceof CelError) return code;
    this.#pushLiteral(code.value);
    this.#at = code.end;
    return false;
  }

  /** `\Q…\E`: the text between them, literally; without `\E`, up to the end. */
  #quoted(): false {
    const close = this.#pattern.indexOf("\\E", this.#at + 2);
    const end = close < 0 ? this.#pattern.length : close;
    for (const character of this.#pattern.slice(this.#at + 2, end))
      this.#pushLiteral(character.codePointAt(0) as number);
    this.#at = close < 0 ? end : close + 2;
    return false;
  }

  #openGroup(): false | CelError {
    const pattern = this.#pattern;
    const at = this.#at;
    if (!pattern.startsWith("(?", at)) return this.#enter("", this.#flags, at + 1);
    const nameAt = pattern.startsWith("P<", at + 2) ? at + 4 : pattern[at + 2] === "<" ? at + 3 : -1;
    if (nameAt < 0 || nameAt >= pattern.length) return this.#changeFlags();
    const close = pattern.indexOf(">", at);
    if (close < 0) return syntaxError("invalid named capture", pattern.slice(at));
    const name = pattern.slice(nameAt, close);
    if (!/^\w+$/.test(name)) return syntaxError("invalid named capture", pattern.slice(at, close + 1));
    return this.#enter(name, this.#flags, close + 1);
  }

  #changeFlags(): false | CelError {
    const read = readFlags(this.#pattern, this.#at, this.#flags);
    if (read instanceof CelError) return read;
    if (read.value.group) return this.#enter(undefined, read.value.flags, read.end);
    this.#flags = read.value.flags;
    this.#at = read.end;
    return false;
  }

  #enter(name: string | undefined, flags: Flags, at: number): false {
    if (name !== undefined) this.#names.push(name);
    this.#outer.push(this.#group);
    this.#group = { branches: [], items: [], name, outerFlags: this.#flags };
    this.#flags = flags;
    this.#at = at;
    return false;
  }

  #closeGroup(): false | CelError {
    const outer = this.#outer.pop();
    if (outer === undefined) return syntaxError("unexpected )", this.#pattern);
    const { name, outerFlags, branches, items } = this.#group;
    const body = this.#isSequence(name, branches) ? undefined : this.#finishGroup();
    this.#group = outer;
    this.#flags = outerFlags;
    if (body === undefined) {
      // The items join the outer ones, as without parentheses: taking a deep nest apart level by level would take quadratic time.
      outer.items = outer.items.length === 0 ? items : outer.items.concat(items);
      this.#at++;
      return false;
    }
    const node = name === undefined ? body : capture(body, name);
    return this.#tooLarge(node) ?? this.#push(node, 1);
  }

  /**
   * Whether the group that ends here only puts things in a row: it captures nothing, offers no choice, is not repeated, not even
   * after flags or an empty quotation, as in `(?:ab)(?i)*`.
   */
  #isSequence(name: string | undefined, branches: readonly Node[]): boolean {
    return name === undefined && branches.length === 0 && !"*+?{(\\".includes(this.#pattern[this.#at + 1] ?? " ");
  }

  #finishGroup(): Node {
    return alternate([...this.#group.branches, concat(this.#group.items)]);
  }

  /** `{2}`, `{2,}`, `{2,5}`; any other text after `{` makes it a plain character. */
  #counted(): boolean | CelError {
    COUNTS.lastIndex = this.#at;
    const counts = COUNTS.exec(this.#pattern);
    if (counts === null) return this.#pushCode(0x7b);
    const min = Number(counts[1]);
    const max = counts[2] === undefined ? min : counts[3] === undefined ? Infinity : Number(counts[3]);
    if (min > MAX_REPEAT || (max !== Infinity && (max > MAX_REPEAT || min > max))) {
      return syntaxError("invalid repeat count", counts[0]);
    }
    return this.#repeat(min, max, counts[0].length);
  }

  #repeat(min: number, max: number, width: number): true | CelError {
    const start = this.#at;
    const lazy = this.#pattern[start + width] === "?";
    this.#at += lazy ? width + 1 : width;
    if (this.#lastRepeat >= 0) {
      return syntaxError("invalid nested repetition operator", this.#pattern.slice(this.#lastRepeat, this.#at));
    }
    const item = this.#group.items.pop();
    if (item === undefined) {
      return syntaxError("missing argument to repetition operator", this.#pattern.slice(start, this.#at));
    }
    const node = repeat(item, min, max, lazy === this.#flags.ungreedy);
    this.#group.items.push(node);
    const large = this.#tooLarge(node);
    if (large !== undefined) return large;
    if ((min >= 2 || (max >= 2 && max !== Infinity)) && !repeatsFit(node, MAX_REPEAT)) {
      return syntaxError("invalid repeat count", this.#pattern.slice(start, this.#at));
    }
    return true;
  }

  #tooLarge(node: Node): CelError | undefined {
    if (node.size > MAX_SIZE) return this.#large();
    if (node.height > MAX_HEIGHT) return syntaxError("expression nests too deeply", this.#pattern);
    if (node.size > this.#limits.programSize) this.#passed ??= this.#large();
    return undefined;
  }

  #large(): CelError {
    return syntaxError("expression too large", this.#pattern);
  }
}
