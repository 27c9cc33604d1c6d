// Flow collections for the fast YAML reader: `[a, "b"]`, `{name: x, args: []}`, also over several lines. A scalar in one
// ends on its line.

import { setOwn } from "@celadon/base";
import type { ReadSettings } from "../options.ts";
import type { PlaceRecorder } from "./plain-yaml-places.ts";
import {
  giveUp,
  isBlankOrEnd,
  LINE_END,
  LONGEST_KEY,
  type Piece,
  plainKey,
  plainValue,
  readQuotedLine,
  SPACE,
  skipSpaces,
  TAB,
  trimmed,
} from "./plain-yaml-text.ts";

const DASH = 0x2d;
const FLOW = new Set([..."[]{},"].map((char) => char.charCodeAt(0)));
/** No plain scalar in a flow collection starts with one of these; `?` and `:` could, and are left to the complete reader. */
const STARTS = new Set([..."?:,[]{}#&*!|>'\"%@`"].map((char) => char.charCodeAt(0)));

export class FlowReader {
  private readonly text: string;
  private readonly settings: ReadSettings;
  private readonly count: () => void;
  places: PlaceRecorder | undefined;
  private at = 0;
  private depth = 0;
  private indent = 0;

  constructor(text: string, settings: ReadSettings, count: () => void) {
    this.text = text;
    this.settings = settings;
    this.count = count;
  }

  /** The collection at the offset; `depth` and `indent` are those of its parent. */
  read(start: number, depth: number, indent: number): Piece<unknown> {
    this.indent = indent;
    this.at = start;
    this.depth = depth;
    const value = this.value();
    return { value, end: this.at };
  }

  private value(): unknown {
    this.count();
    switch (this.text[this.at]) {
      case "[":
        return this.nested("]", [] as unknown[], (list) => list.push(this.value()));
      case "{":
        return this.nested("}", {} as Record<string, unknown>, (map) => this.member(map));
      case '"':
      case "'":
        return this.scalar(this.at, this.quoted());
      default:
        return this.scalar(this.at, plainValue(this.plain(), this.settings));
    }
  }

  private scalar<T>(start: number, value: T): T {
    if (this.places === undefined) return value;
    let end = this.at;
    while (this.text.charCodeAt(end - 1) === SPACE) end--;
    this.places.scalar(start, end);
    return value;
  }

  private nested<T>(close: string, into: T, readOne: (into: T) => void): T {
    if (++this.depth > this.settings.limits.depth) giveUp();
    this.places?.enter(this.at);
    this.at++;
    this.skipBlanks();
    if (this.text[this.at] !== close) {
      for (;;) {
        readOne(into);
        this.skipBlanks();
        if (this.text[this.at] === close) break;
        if (this.text[this.at] !== ",") giveUp();
        this.at++;
        this.skipBlanks();
        if (this.text[this.at] === close) break;
      }
    }
    this.at++;
    this.places?.leave();
    this.depth--;
    return into;
  }

  private member(map: Record<string, unknown>): void {
    this.count();
    const start = this.at;
    const isQuoted = this.text[this.at] === '"' || this.text[this.at] === "'";
    const key = isQuoted ? this.quoted() : plainKey(this.plain());
    if (this.at - start > LONGEST_KEY) giveUp();
    if (this.text[this.at] !== ":" || this.text.charCodeAt(this.at + 1) !== SPACE) giveUp();
    this.at = skipSpaces(this.text, this.at + 1);
    if (Object.hasOwn(map, key)) giveUp();
    this.places?.name(key, start);
    setOwn(map, key, this.value());
  }

  private quoted(): string {
    const { value, end } = readQuotedLine(this.text, this.at);
    this.at = end;
    return value;
  }

  private plain(): string {
    const start = this.at;
    const first = this.text.charCodeAt(start);
    const second = this.text.charCodeAt(start + 1);
    if (STARTS.has(first) || (first === DASH && (isBlankOrEnd(second) || FLOW.has(second)))) giveUp();
    for (let i = start; ; i++) {
      const unit = this.text.charCodeAt(i);
      if (unit === LINE_END || unit === TAB || unit === 0x23 || unit === 0x3f || i >= this.text.length) giveUp();
      const next = this.text.charCodeAt(i + 1);
      const isColon = unit === 0x3a && (isBlankOrEnd(next) || FLOW.has(next));
      if (!isColon && !FLOW.has(unit)) continue;
      this.at = i;
      if (isColon && this.text.charCodeAt(i - 1) === SPACE) giveUp();
      return trimmed(this.text, start, i);
    }
  }

  /** Past spaces and line ends; a further line has to be indented more than the parent of the collection. */
  private skipBlanks(): void {
    this.at = skipSpaces(this.text, this.at);
    while (this.text.charCodeAt(this.at) === LINE_END) {
      const line = this.at + 1;
      this.at = skipSpaces(this.text, line);
      if (this.text.charCodeAt(this.at) !== LINE_END && this.at - line <= this.indent) giveUp();
    }
  }
}
