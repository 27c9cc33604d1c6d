// Looking for one text in another in time that grows with both and no faster. JavaScript's own search is the fastest there is on
// ordinary texts and takes minutes on two that were made to be hard; it is used where it cannot take long.

import { walk } from "../size/work.ts";

/** Searched texts up to this length, and pairs of texts with fewer comparisons than that, are left to JavaScript. */
const SHORT = 16;
const FEW = 0x10_0000;
/** Characters between two looks at the clock. */
const PIECE = 0x1_0000;

const isEasy = (text: string, part: string): boolean =>
  part.length <= SHORT || text.length * part.length <= FEW || part.length > text.length;

/** Returns `text.indexOf(part, from)` for a part that is not empty. */
export function findText(text: string, part: string, from = 0): number {
  walk(text.length - from);
  return isEasy(text, part) ? text.indexOf(part, from) : new Search(part, false).find(text, from);
}

/** Returns `text.lastIndexOf(part, from)`. */
export function findLastText(text: string, part: string, from: number = text.length): number {
  walk(text.length);
  if (isEasy(text, part)) return text.lastIndexOf(part, from);
  const last = Math.min(from, text.length - part.length);
  return new Search(part, true).find(text, last + part.length - 1);
}

export function includesText(text: string, part: string): boolean {
  return isEasy(text, part) ? text.includes(part) : findText(text, part) >= 0;
}

/** Returns `text.split(part)` for a part that is not empty, with a limited number of parts. */
export function splitText(text: string, part: string, most: number): string[] {
  if (most === Number.POSITIVE_INFINITY && isEasy(text, part)) {
    walk(text.length);
    return text.split(part);
  }
  const search = isEasy(text, part) ? undefined : new Search(part, false);
  const parts: string[] = [];
  let from = 0;
  while (parts.length < most - 1) {
    const at = search === undefined ? text.indexOf(part, from) : search.find(text, from);
    if (at < 0) break;
    walk(at - from);
    parts.push(text.slice(from, at));
    from = at + part.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** Knuth, Morris and Pratt's: how much of the part is still matched after a mismatch is known beforehand. */
class Search {
  readonly #part: string;
  readonly #backward: boolean;
  /** For a length matched, the longest shorter one that ends alike. */
  readonly #shorter: Int32Array;

  constructor(part: string, backward: boolean) {
    walk(part.length * 4);
    this.#part = part;
    this.#backward = backward;
    this.#shorter = new Int32Array(part.length + 1);
    let matched = 0;
    for (let i = 1; i < part.length; i++) {
      while (matched > 0 && this.#unit(i) !== this.#unit(matched)) matched = this.#shorter[matched] as number;
      if (this.#unit(i) === this.#unit(matched)) matched++;
      this.#shorter[i + 1] = matched;
    }
  }

  /** The i-th unit of the part in the direction of the search. */
  #unit(i: number): number {
    return this.#part.charCodeAt(this.#backward ? this.#part.length - 1 - i : i);
  }

  /** Finds the beginning of the part. `from` is the first unit that may belong to it: its first one, or searching backward its last one. */
  find(text: string, from: number): number {
    const { length } = this.#part;
    const step = this.#backward ? -1 : 1;
    let matched = 0;
    for (let at = from; at >= 0 && at < text.length; at += step) {
      if (at % PIECE === 0) walk(PIECE * 4);
      const unit = text.charCodeAt(at);
      while (matched > 0 && unit !== this.#unit(matched)) matched = this.#shorter[matched] as number;
      if (unit === this.#unit(matched)) matched++;
      if (matched === length) return this.#backward ? at : at - length + 1;
    }
    return -1;
  }
}
