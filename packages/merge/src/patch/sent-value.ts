// Values as the text of a patch has them: a `test` compares the text of every number, string and boolean with how the server would write
// the existing value. `1.0` is not `1`, and "é" is not "\u00e9". Upstream: evanphx/json-patch v4 lazyNode.equal.

import { formatGoJson } from "@celadon/base";
import { isMap, setOwn } from "../value/value.ts";

/** A scalar as it was written, or what holds such. */
export type SentValue = string | readonly SentValue[] | ReadonlyMap<string, SentValue>;

/** The `value` of every operation in the text of a patch, which has been read as JSON before. */
export function sentValues(text: string): readonly (SentValue | undefined)[] {
  const operations = new Scanner(text).value();
  if (!Array.isArray(operations)) return [];
  return operations.map((operation: SentValue) => (operation instanceof Map ? operation.get("value") : undefined));
}

/** A scalar that a patch has put into a document. */
export class SentScalar {
  readonly value: unknown;
  readonly text: string;
  constructor(value: unknown, text: string) {
    this.value = value;
    this.text = text;
  }
}

/** A value with the text of its scalars; a null inside it is null, as one that was there. */
export function asSent(value: unknown, sent: SentValue | undefined): unknown {
  if (value === null || sent === undefined) return value;
  if (Array.isArray(value)) return value.map((item, i) => asSent(item, Array.isArray(sent) ? sent[i] : undefined));
  if (!isMap(value)) return typeof sent === "string" ? new SentScalar(value, sent) : value;
  const members: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    setOwn(members, key, asSent(value[key], sent instanceof Map ? sent.get(key) : undefined));
  }
  return members;
}

/** The same without texts. */
export function withoutTexts(value: unknown): unknown {
  if (value instanceof SentScalar) return value.value;
  if (Array.isArray(value)) return value.map(withoutTexts);
  if (!isMap(value)) return value;
  const members: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setOwn(members, key, withoutTexts(value[key]));
  return members;
}

/** Whether the server would write a value of its own as it was sent. */
export function isSentAs(value: unknown, sent: SentValue | undefined): boolean {
  if (value instanceof SentScalar) return value.text === sent;
  if (Array.isArray(value)) {
    return Array.isArray(sent) && value.length === sent.length && value.every((item, i) => isSentAs(item, sent[i]));
  }
  if (isMap(value)) {
    const keys = Object.keys(value);
    if (!(sent instanceof Map) || sent.size !== keys.length) return false;
    return keys.every((key) => sent.has(key) && isSentAs(value[key], sent.get(key)));
  }
  return typeof sent === "string" && sent === formatGoJson(value);
}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const WORD = /[^\s,\]}]+/y;

/** A cursor over JSON that is known to be right. */
class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): SentValue {
    this.#take(SPACE);
    switch (this.#text[this.#at]) {
      case "[": {
        const items: SentValue[] = [];
        this.#each("]", () => items.push(this.value()));
        return items;
      }
      case "{": {
        const members = new Map<string, SentValue>();
        this.#each("}", () => {
          const name = JSON.parse(this.#take(STRING)) as string;
          this.#take(SPACE);
          this.#at++; // the colon
          members.set(name, this.value());
        });
        return members;
      }
      case '"':
        return this.#take(STRING);
      default:
        return this.#take(WORD);
    }
  }

  /** Reads the items between commas to the end of a list or an object. */
  #each(end: string, item: () => void): void {
    this.#at++;
    this.#take(SPACE);
    while (this.#at < this.#text.length && this.#text[this.#at] !== end) {
      item();
      this.#take(SPACE);
      if (this.#text[this.#at] === ",") this.#at++;
      this.#take(SPACE);
    }
    this.#at++;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }
}
