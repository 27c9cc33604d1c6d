// A JSON reader that keeps what JSON.parse loses: 64-bit integers, the difference between 1 and 1.0, duplicate keys, where an error is.
// Strict JSON, one value; the caller decides whether text may follow. Members become own properties, also `__proto__`.

import { setOwn } from "@celadon/base";
import { ReadFailure } from "../issue.ts";
import { doubleValue, integerValue, shownNumber } from "../number.ts";
import type { ReadSettings } from "../options.ts";
import { RawNumber, RepeatedMembers } from "./raw-json.ts";

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const LONE_SURROGATES = /\p{Cs}/gu;
const HEX4 = /^[0-9a-fA-F]{4}$/;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Repeated members beyond this are not listed: nobody reads on. */
const LONGEST_LIST = 1000;

export class JsonParser {
  /** Members given twice in one object, in the order they stand, where they are warned about. */
  readonly repeated: { readonly key: string; readonly at: number }[] = [];
  /** Characters of the longest key, as it is written. */
  longestKey = 0;
  private readonly text: string;
  private readonly settings: ReadSettings;
  private at: number;
  private depth = 0;
  private nodes = 0;

  constructor(text: string, start: number, settings: ReadSettings) {
    this.text = text;
    this.at = start;
    this.settings = settings;
  }

  /** Reads one value and returns where it ends. Throws ReadFailure. */
  parse(): { readonly value: unknown; readonly end: number } {
    const value = this.value();
    return { value, end: this.at };
  }

  private value(): unknown {
    this.skipBlanks();
    if (++this.nodes > this.settings.limits.nodes) {
      throw new ReadFailure(
        "too_many_nodes",
        `more than ${this.settings.limits.nodes} values in one document`,
        this.at,
      );
    }
    switch (this.text.charCodeAt(this.at)) {
      case 0x7b:
        return this.object();
      case 0x5b:
        return this.array();
      case 0x22:
        return this.string();
      case 0x74:
        return this.word("true", true);
      case 0x66:
        return this.word("false", false);
      case 0x6e:
        return this.word("null", null);
      default:
        return this.number();
    }
  }

  private object(): object {
    this.enter();
    const object: Record<string, unknown> = {};
    let entries: [string, unknown][] | undefined;
    this.skipBlanks();
    if (this.text.charCodeAt(this.at) === 0x7d) return this.leave(object);
    for (;;) {
      this.skipBlanks();
      const keyAt = this.at;
      if (this.text.charCodeAt(keyAt) !== 0x22) this.unexpected("looking for a key in quotes");
      const key = this.string();
      if (this.at - keyAt > this.longestKey) this.longestKey = this.at - keyAt;
      this.skipBlanks();
      if (this.text.charCodeAt(this.at) !== 0x3a) this.unexpected("after a key");
      this.at++;
      const value = this.value();
      const isRepeated = this.settings.duplicates !== "last" && Object.hasOwn(object, key);
      if (isRepeated && this.settings.duplicates === "error") {
        throw new ReadFailure("duplicate_key", `duplicate field ${JSON.stringify(key)}`, keyAt);
      }
      if (isRepeated && this.settings.duplicates === "warn") this.repeat(key, keyAt);
      else if (isRepeated) entries ??= Object.entries(object);
      entries?.push([key, value]);
      setOwn(object, key, value);
      this.skipBlanks();
      const next = this.text.charCodeAt(this.at);
      if (next === 0x7d) return this.leave(entries === undefined ? object : new RepeatedMembers(entries));
      if (next !== 0x2c) this.unexpected("after a member");
      this.at++;
    }
  }

  private repeat(key: string, at: number): void {
    if (this.repeated.length < LONGEST_LIST) this.repeated.push({ key, at });
  }

  private array(): unknown[] {
    this.enter();
    const array: unknown[] = [];
    this.skipBlanks();
    if (this.text.charCodeAt(this.at) === 0x5d) return this.leave(array);
    for (;;) {
      array.push(this.value());
      this.skipBlanks();
      const next = this.text.charCodeAt(this.at);
      if (next === 0x5d) return this.leave(array);
      if (next !== 0x2c) this.unexpected("after an element");
      this.at++;
    }
  }

  private enter(): void {
    if (++this.depth > this.settings.limits.depth) {
      throw new ReadFailure("too_deep", `nested more than ${this.settings.limits.depth} levels deep`, this.at);
    }
    this.at++;
  }

  private leave<T>(value: T): T {
    this.depth--;
    this.at++;
    return value;
  }

  private string(): string {
    const start = ++this.at;
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit === 0x22) return this.text.slice(start, this.at++);
      if (unit === 0x5c) return this.escapedString(start);
      if (!(unit >= 0x20)) this.unexpected("in a string");
      // A lone surrogate is no character; Go reads U+FFFD.
      if (unit >= 0xd800 && unit < 0xe000 && !this.isPair()) return this.escapedString(start);
      this.at++;
    }
  }

  private escapedString(start: number): string {
    let value = this.text.slice(start, this.at);
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit === 0x22) {
        this.at++;
        return value.replace(LONE_SURROGATES, "\ufffd");
      }
      if (!(unit >= 0x20)) this.unexpected("in a string");
      if (unit === 0x5c) value += this.escape();
      else value += this.text[this.at++];
    }
  }

  private escape(): string {
    const char = this.text[this.at + 1] ?? "";
    if (char === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!HEX4.test(digits)) throw new ReadFailure("syntax", "invalid \\u escape in a string", this.at);
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const value = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined;
    if (value === undefined) throw new ReadFailure("syntax", "invalid escape in a string", this.at);
    this.at += 2;
    return value;
  }

  private isPair(): boolean {
    const unit = this.text.charCodeAt(this.at);
    if (unit >= 0xdc00) {
      const before = this.text.charCodeAt(this.at - 1);
      return before >= 0xd800 && before < 0xdc00;
    }
    const after = this.text.charCodeAt(this.at + 1);
    return after >= 0xdc00 && after < 0xe000;
  }

  private number(): unknown {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) this.unexpected("looking for a value");
    const text = match[0];
    if (match[1] === undefined && match[2] === undefined) {
      const integer = integerValue(text);
      if (typeof integer === "number") this.mustBeFinite(integer, text);
      this.at += text.length;
      const isKept = !this.settings.keepsNumberText || typeof integer === "bigint" || Number.isSafeInteger(integer);
      return isKept ? integer : new RawNumber(integer, text);
    }
    const n = Number(text);
    if (this.settings.keepsNumberText) {
      this.at += text.length;
      return new RawNumber(n, text);
    }
    this.mustBeFinite(n, text);
    this.at += text.length;
    return doubleValue(n, this.settings.double);
  }

  private mustBeFinite(n: number, text: string): void {
    if (Number.isFinite(n) || this.settings.keepsNumberText) return;
    throw new ReadFailure("number_range", `number ${shownNumber(text)} is out of range`, this.at);
  }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.unexpected("looking for a value");
    this.at += word.length;
    return value;
  }

  private skipBlanks(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.at++;
    }
  }

  private unexpected(where: string): never {
    const code = this.text.codePointAt(this.at);
    const found = code === undefined ? "end of text" : `character ${JSON.stringify(String.fromCodePoint(code))}`;
    throw new ReadFailure("syntax", `unexpected ${found} ${where}`, this.at);
  }
}
