// The layout of every rule of the grammar, read off the tokens of a text that is known to be valid.
//
// - `&&` and `||` stand at the ends of lines, one clause per line: of the real-world policies that break chains, all but one
//   in fifty do so. `+` and the like too; `?` and `:` stand at the beginnings, as they mostly do there.
// - What an author separated stays separated: a chain with a line break between any two clauses has one between all of them,
//   and so have the branches of a conditional and the entries of a map or message that begins with one. An empty line
//   between clauses stays, as one. Everything else goes on one line if it fits.
// - A macro's variables stay on the line of its parenthesis; a lone list, map or message in parentheses opens there as well.
// - A chain of calls breaks before its dots when it has several calls with more than words as arguments and does not fit up to
//   the last of them, whose arguments can break; or when all have only words, and it does not fit.
// - Every token is written as it was.

import {
  AND,
  DOT,
  EOF,
  EXCLAM,
  GREATER,
  IDENT,
  LBRACE,
  LBRACKET,
  LPAREN,
  MINUS,
  OR,
  PERCENT,
  PLUS,
  QUESTION,
  SLASH,
  STAR,
} from "../parse/token.ts";
import { breaks, choice, comment, concat, type Doc, flat, group, indent, line, softline } from "./document.ts";
import { Shape } from "./shape.ts";
import type { FormatToken } from "./tokens.ts";

export function layOut(tokens: readonly FormatToken[]): Doc {
  return new Layout(tokens).whole();
}

/** Operands of one operator, or of several that bind alike, and the tokens they stand between. */
interface Terms<T> {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly T[];
  /** One fewer; `blank` where an empty line stands at it. */
  readonly ops: readonly { readonly op: Doc; readonly blank: boolean }[];
  /** The author broke a line at one of the operators. */
  readonly separated: boolean;
}

/** A member call and the selections behind it. */
interface Segment {
  readonly start: number;
  readonly docs: Doc[];
  readonly isShort: boolean;
}

// biome-ignore format: macros that declare variables
const BINDING: ReadonlySet<string> = new Set([
  "all", "exists", "exists_one", "existsOne", "filter", "map", "transformList", "transformMap", "transformMapEntry", "sortBy",
  "optMap", "optFlatMap", "bind",
]);
const SUMS: ReadonlySet<number> = new Set([PLUS, MINUS]);
const PRODUCTS: ReadonlySet<number> = new Set([STAR, SLASH, PERCENT]);
const OR_ONLY: ReadonlySet<number> = new Set([OR]);
const AND_ONLY: ReadonlySet<number> = new Set([AND]);

class Layout {
  readonly #tokens: readonly FormatToken[];
  readonly #shape: Shape;
  #at = 0;

  constructor(tokens: readonly FormatToken[]) {
    this.#tokens = tokens;
    this.#shape = new Shape(tokens);
  }

  whole(): Doc {
    return concat(this.#expr(false), this.#take());
  }

  #kind(ahead = 0): number {
    return this.#tokens[this.#at + ahead]?.kind ?? EOF;
  }

  /** The current token with the comments around it, and moves on. */
  #take(before: readonly Doc[] = this.#before(this.#at)): Doc {
    const { text } = this.#tokens[this.#at]!;
    this.#at++;
    const behind = this.#tokens[this.#at]?.comments[0];
    if (before.length === 0 && (behind === undefined || behind.own)) return text;
    return concat(...before, text, behind === undefined || behind.own ? "" : comment(behind.text, false));
  }

  /** Comments above a token. */
  #before(index: number): readonly Doc[] {
    return this.#tokens[index]!.comments.filter(({ own }) => own).map(({ text }) => comment(text, true));
  }

  /** A comment inside, between the first token and the last, leaves no choice. */
  #group(start: number, doc: Doc, must = false, end: number = this.#at): Doc {
    return group(doc, must || this.#shape.hasComments(start, end));
  }

  /** `nested`: among others of its kind, so that all its lines but the first stand further in. */
  #expr(nested: boolean): Doc {
    const start = this.#at;
    const { doc, separated } = this.#conditional(nested, false);
    return separated === undefined ? doc : this.#group(start, doc, separated);
  }

  /** Conditionals in the last branch are part of the same group. `separated` is undefined when there is no `?`. */
  #conditional(nested: boolean, isBranch: boolean): { doc: Doc; separated: boolean | undefined } {
    const condition = this.#or(nested);
    const first = isBranch ? indent(condition) : condition;
    if (this.#kind() !== QUESTION) return { doc: first, separated: undefined };
    const mark = this.#at;
    const question = this.#take();
    const yes = this.#or(false);
    const colonAt = this.#at;
    const colon = this.#take();
    const no = this.#conditional(false, true);
    const branches = indent(concat(line, question, " ", indent(yes), line, colon, " ", no.doc));
    const separated = this.#tokens[mark]!.newline || this.#tokens[colonAt]!.newline || no.separated === true;
    return { doc: concat(first, branches), separated };
  }

  #or(nested: boolean): Doc {
    const clauses = this.#terms(OR_ONLY, () => this.#terms(AND_ONLY, () => this.#relation()));
    if (clauses.terms.length === 1) return this.#chain(clauses.terms[0]!, nested);
    return this.#chain({ ...clauses, terms: clauses.terms.map((ands) => this.#chain(ands, true)) }, nested);
  }

  #terms<T>(operators: ReadonlySet<number>, read: () => T): Terms<T> {
    const start = this.#at;
    const terms = [read()];
    const ops: { op: Doc; blank: boolean }[] = [];
    let separated = false;
    while (operators.has(this.#kind())) {
      const before = this.#tokens[this.#at]!;
      const behind = this.#tokens[this.#at + 1]!;
      separated ||= before.newline || behind.newline;
      ops.push({ op: this.#take(), blank: before.blank || behind.blank });
      terms.push(read());
    }
    return { start, end: this.#at, terms, ops, separated };
  }

  #chain({ start, end, terms, ops, separated }: Terms<Doc>, nested: boolean): Doc {
    if (ops.length === 0) return terms[0]!;
    const rest = concat(...ops.map(({ op, blank }, i) => concat(" ", op, blank ? softline : "", line, terms[i + 1]!)));
    return this.#group(start, concat(terms[0]!, nested ? indent(rest) : rest), separated, end);
  }

  #relation(): Doc {
    let left = this.#sum();
    // kinds 1..7 are the relations
    while (this.#kind() >= 1 && this.#kind() <= GREATER) {
      const start = this.#at;
      const op = this.#take();
      const from = this.#at;
      const right = this.#sum();
      const stays = this.#shape.isBracketed(from, this.#at) && !this.#shape.hasComments(start, from + 1);
      left = concat(left, " ", op, stays ? concat(" ", right) : this.#group(start, indent(concat(line, right))));
    }
    return left;
  }

  #sum(): Doc {
    return this.#operators(this.#terms(SUMS, () => this.#operators(this.#terms(PRODUCTS, () => this.#unary()))));
  }

  #operators({ start, end, terms, ops }: Terms<Doc>): Doc {
    if (ops.length === 0) return terms[0]!;
    const rest = concat(...ops.map(({ op }, i) => concat(" ", op, line, terms[i + 1]!)));
    return this.#group(start, concat(terms[0]!, indent(rest)), false, end);
  }

  #unary(): Doc {
    const ops: Doc[] = [];
    while (this.#kind() === EXCLAM || this.#kind() === MINUS) ops.push(this.#take());
    const operand = this.#member();
    return ops.length === 0 ? operand : concat(...ops, operand);
  }

  #member(): Doc {
    const start = this.#at;
    const head = [this.#primary()];
    const segments: Segment[] = [];
    for (;;) {
      const docs = segments.at(-1)?.docs ?? head;
      if (this.#kind() === LBRACKET) {
        docs.push(this.#index());
      } else if (this.#kind() !== DOT) {
        break;
      } else if (this.#kind(1) === IDENT && this.#kind(2) === LPAREN) {
        const from = this.#at;
        const name = concat(this.#take(), this.#take());
        segments.push({ start: from, docs: [name, this.#arguments()], isShort: this.#shape.isShort(from + 2) });
      } else {
        docs.push(this.#take());
        if (this.#kind() === QUESTION) docs.push(this.#take());
        docs.push(this.#take());
      }
    }
    return segments.length === 0 ? concat(...head) : this.#calls(start, head, segments);
  }

  #calls(start: number, head: readonly Doc[], segments: readonly Segment[]): Doc {
    const whole = concat(...head, ...segments.flatMap(({ docs }) => docs));
    const large = segments.filter(({ isShort }) => !isShort);
    // short calls alone: all on one line, or each on its own
    if (large.length === 0) {
      if (segments.length < 2) return whole;
      const dotted = group(this.#dotted(head, segments, new Set(segments)), true);
      return breaks(whole) || this.#shape.hasComments(start, this.#at) ? dotted : choice(flat(whole), dotted);
    }
    if (large.length === 1) return whole;
    const last = large.at(-1)!;
    const at = segments.indexOf(last);
    const dotted = group(this.#dotted(head, segments, new Set(large)), true);
    const before = concat(...head, ...segments.slice(0, at).flatMap(({ docs }) => docs), last.docs[0]!);
    if (breaks(before) || this.#shape.hasComments(start, last.start + 1)) return dotted;
    const behind = [...last.docs.slice(1), ...segments.slice(at + 1).flatMap(({ docs }) => docs)];
    return choice(concat(flat(before), ...behind), dotted);
  }

  /** Calls on lines of their own; short ones stay beside their target. */
  #dotted(head: readonly Doc[], segments: readonly Segment[], own: ReadonlySet<Segment>): Doc {
    const parts = segments.map((segment) => concat(own.has(segment) ? softline : "", ...segment.docs));
    return concat(...head, indent(concat(...parts)));
  }

  #primary(): Doc {
    switch (this.#kind()) {
      case LPAREN:
      case LBRACKET:
        return this.#brackets((nested) => this.#element(nested));
      case LBRACE:
        return this.#entries();
      case DOT:
      case IDENT:
        return this.#named();
      default:
        return this.#take();
    }
  }

  /** A name, a call, or a message. */
  #named(): Doc {
    const parts: Doc[] = [];
    if (this.#kind() === DOT) parts.push(this.#take());
    let ahead = 1;
    while (this.#kind(ahead) === DOT && this.#kind(ahead + 1) === IDENT) ahead += 2;
    const isMessage = this.#kind(ahead) === LBRACE;
    for (let i = 0; i < (isMessage ? ahead : 1); i++) parts.push(this.#take());
    if (isMessage) parts.push(this.#entries());
    else if (this.#kind() === LPAREN) parts.push(this.#arguments());
    return parts.length === 1 ? parts[0]! : concat(...parts);
  }

  #arguments(): Doc {
    const open = this.#at;
    const variables = BINDING.has(this.#tokens[open - 1]!.text) ? this.#shape.namesIn(open) : 0;
    return this.#brackets((nested) => this.#expr(nested), variables);
  }

  #index(): Doc {
    // one word gains nothing from a line of its own
    const isWord = this.#shape.closeOf(this.#at) - this.#at === 2;
    return isWord
      ? concat(this.#take(), this.#take(), this.#take())
      : this.#brackets((nested) => this.#element(nested));
  }

  #element(nested: boolean): Doc {
    return this.#kind() === QUESTION ? concat(this.#take(), this.#expr(nested)) : this.#expr(nested);
  }

  /** Reads the entries of a map or message. A line break before the first is the author's wish for one before each. */
  #entries(): Doc {
    const separated = this.#tokens[this.#at + 1]!.newline;
    return this.#brackets(() => concat(this.#element(true), this.#take(), " ", this.#expr(true)), 0, separated);
  }

  /** From an opening bracket to the closing one. The first `variables` items stay on the line of the opening one. */
  #brackets(read: (nested: boolean) => Doc, variables = 0, separated = false): Doc {
    const start = this.#at;
    const close = this.#shape.closeOf(start);
    const head = [this.#take()];
    for (let i = 0; i < variables; i++) head.push(i === 0 ? "" : " ", this.#take(), this.#take());
    const from = this.#at;
    const nested = this.#shape.hasComma(from, close);
    const items: Doc[] = [];
    while (this.#at < close) items.push(concat(read(nested), this.#at < close ? this.#take() : ""));
    const last = this.#before(close);
    const end = this.#take([]);
    if (items.length === 0) {
      const isEmpty = !this.#shape.hasComments(start, this.#at);
      return isEmpty ? concat(...head, end) : group(concat(...head, indent(concat(...last)), softline, end), true);
    }
    if (
      items.length === 1 &&
      this.#shape.isBracketed(from, close) &&
      !this.#shape.hasEdgeComments(start, from, close)
    ) {
      return concat(...head, variables > 0 ? " " : "", items[0]!, end);
    }
    const contents = items.flatMap((item, i) => (i === 0 ? [item] : [line, item]));
    const inner = indent(concat(variables > 0 ? line : softline, ...contents, ...last));
    return this.#group(start, concat(...head, inner, softline, end), separated);
  }
}
