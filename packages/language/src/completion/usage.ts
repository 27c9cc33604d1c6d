// The use of names in a document's expressions: a name written once is likely to be written again, above all behind the same operand.
// `has(object.spec.x)` says that `object.spec.x` comes next.

import { ExpressionText } from "../expression/written.ts";

/** Tokens of the longest operand that counts: nobody writes a longer one again, and reading it for each of its members would take long. */
const REACH = 50;

export class Usage {
  /** By operand as it is written, then by member. */
  readonly #members = new Map<string, Map<string, number>>();
  readonly #anywhere = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #words = new Set<string>();

  /** Expressions near the cursor weigh more than others. */
  add(text: string, weight: number): void {
    const written = new ExpressionText(text);
    for (const [i, token] of written.tokens.entries()) {
      if (token.is !== "name") continue;
      const name = written.textOf(token);
      const dot = written.is(i - 1, "?") ? i - 2 : i - 1;
      if (!written.is(dot, ".") || dot === 0) {
        count(this.#names, name, weight);
        continue;
      }
      count(this.#anywhere, name, weight);
      const first = written.operandStart(dot - 1, REACH);
      if (dot - first > REACH) continue;
      const operand = operandKey(written.text.slice(written.tokens[first]!.start, written.tokens[dot - 1]!.end));
      let members = this.#members.get(operand);
      if (members === undefined) this.#members.set(operand, (members = new Map()));
      count(members, name, weight);
    }
  }

  /** Words of a message: they often name the fields it is about. */
  addWords(text: string): void {
    for (const [word] of text.matchAll(/[A-Za-z_]\w+/g)) this.#words.add(word);
  }

  /** The number of times a member was read behind this operand. */
  behind(operand: string, name: string): number {
    return this.#members.get(operandKey(operand))?.get(name) ?? 0;
  }

  /** All that was read behind it. */
  membersOf(operand: string): readonly string[] {
    return [...(this.#members.get(operandKey(operand))?.keys() ?? [])];
  }

  member(name: string): number {
    return this.#anywhere.get(name) ?? 0;
  }

  name(name: string): number {
    return this.#names.get(name) ?? 0;
  }

  isMentioned(name: string): boolean {
    return this.#words.has(name);
  }
}

/** Optional syntax and blanks make no other operand; an old object is like the new one. */
function operandKey(operand: string): string {
  return operand
    .replace(/\s+/g, "")
    .replace(/\?/g, "")
    .replace(/^oldObject\b/, "object")
    .replace(/^oldSelf\b/, "self");
}

function count(counts: Map<string, number>, key: string, weight: number): void {
  counts.set(key, (counts.get(key) ?? 0) + weight);
}
