// A fast reader for the YAML that manifests are written in: block maps and lists, plain and quoted scalars, literal and folded text, flow
// collections. Anything else (anchors, tags, merge keys, tabs outside of texts, and any possible error) makes it give up, and the complete
// reader reads the document instead. So it must hold: if it returns a value, it is the value of the complete reader, with the same places.
// It never reports an issue itself.

import { setOwn } from "@celadon/base";
import { findUnusual } from "../find-unusual.ts";
import type { ReadSettings } from "../options.ts";
import { isCutOff } from "../yaml/yaml-warning.ts";
import { readBlockText } from "./plain-yaml-block.ts";
import { FlowReader } from "./plain-yaml-flow.ts";
import type { PlaceRecorder } from "./plain-yaml-places.ts";
import {
  GiveUp,
  giveUp,
  isBlankOrEnd,
  LINE_END,
  LONGEST_KEY,
  plainKey,
  plainValue,
  quotedLineEnd,
  readQuoted,
  readQuotedLine,
  SPACE,
  skipSpaces,
  TAB,
  trimmed,
} from "./plain-yaml-text.ts";

const DASH = 0x2d;
const COLON = 0x3a;
const HASH = 0x23;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

/** Characters no plain scalar starts with; `-`, `?` and `:` could, and are left to the complete reader. */
const INDICATORS = new Set([..."?:,[]{}#&*!|>'\"%@`\t"].map((char) => char.charCodeAt(0)));

/** Reads documents of one text, each on its own. */
export class PlainYamlReader {
  private readonly text: string;
  private readonly settings: ReadSettings;
  private readonly flow: FlowReader;
  private places: PlaceRecorder | undefined;
  /** The first unusual character that was found, and from where it was looked for. */
  private unusual = -1;
  private searched = 0;
  /** The first character of the line being read that is not a space, and how many spaces are before it. */
  private at = 0;
  /** -1 at the end of a document. */
  private indent = 0;
  private depth = 0;
  private nodes = 0;
  private start = 0;
  /** The key that was checked last, and its colon: the first one of a map in a list is checked twice. */
  private keyAt = -1;
  private colon = -1;

  constructor(text: string, settings: ReadSettings) {
    this.text = text;
    this.settings = settings;
    this.flow = new FlowReader(text, settings, () => this.count());
  }

  /**
   * The value of the document between two offsets, null for one without content; undefined if it needs the complete reader.
   * It starts at its `---` or at the start of the text, and ends where the next one starts.
   */
  read(start: number, end: number, places?: PlaceRecorder): unknown {
    if (start === end) return null;
    if (this.nextUnusual(start) < end) return undefined;
    this.places = places;
    this.flow.places = places;
    this.depth = 0;
    this.nodes = 0;
    try {
      const isMarked = this.text.startsWith("---", start);
      this.toContent(isMarked ? this.lineEnd(start + 3) + 1 : start);
      this.start = this.at;
      const value = this.indent >= 0 ? this.block() : null;
      if (this.indent !== -1 || this.at !== end) giveUp();
      return value;
    } catch (error) {
      if (error instanceof GiveUp || error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** The beginning of the value read last. */
  get contentStart(): number {
    return this.start;
  }

  private nextUnusual(from: number): number {
    if (this.unusual < from || from < this.searched) {
      this.unusual = findUnusual(this.text, from);
      this.searched = from;
    }
    return this.unusual;
  }

  /** A map or list that starts in the current line. */
  private block(): unknown {
    this.count();
    if (++this.depth > this.settings.limits.depth) giveUp();
    this.places?.enter(this.at);
    const value = this.isItem(this.at) ? this.list(this.indent) : this.map(this.indent);
    this.places?.leave();
    this.depth--;
    return value;
  }

  private map(indent: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    while (this.indent === indent && !this.isItem(this.at)) {
      const colon = this.keyEnd(this.at);
      if (colon === -1) giveUp();
      this.count();
      const key = this.key(this.at, colon);
      if (Object.hasOwn(map, key)) giveUp();
      this.places?.name(key, this.at);
      setOwn(map, key, this.places?.isBeside(key) ? this.pass(indent, true) : this.value(colon + 1, indent, true));
    }
    // A list item at the map's own indentation would be no member of it.
    if (this.indent >= indent) giveUp();
    return map;
  }

  private list(indent: number): unknown[] {
    const list: unknown[] = [];
    while (this.indent === indent && this.isItem(this.at)) {
      const start = skipSpaces(this.text, this.at + 1);
      if (this.places?.isBeside(list.length)) list.push(this.pass(indent, false));
      else if (this.isItem(start) || this.keyEnd(start) !== -1) {
        this.indent += start - this.at;
        this.at = start;
        list.push(this.block());
      } else {
        list.push(this.value(this.at + 1, indent, false));
      }
    }
    // The map around the list may continue at the same indentation; the caller checks that.
    if (this.indent > indent) giveUp();
    return list;
  }

  /**
   * Past a member or an item: all lines that are indented more, and in a map the items of a list at its own indentation. Everything that
   * goes on over lines is indented so; otherwise the document would not have been read the first time.
   */
  private pass(indent: number, inMap: boolean): null {
    this.places?.scalar(this.at, this.at);
    do {
      const end = this.text.indexOf("\n", this.at);
      this.toContent(end === -1 ? this.text.length : end + 1);
    } while (this.indent > indent || (inMap && this.indent === indent && this.isItem(this.at)));
    return null;
  }

  /** Reads the value after a colon or a dash at the offset; `indent` is the indentation of the map or list it stands in. */
  private value(offset: number, indent: number, inMap: boolean): unknown {
    const start = skipSpaces(this.text, offset);
    const first = this.text.charCodeAt(start);
    if (isBlankOrEnd(first) || (first === HASH && start > offset)) return this.nested(start, indent, inMap);
    this.count();
    switch (first) {
      case QUOTE:
      case APOSTROPHE: {
        const { value, end } = readQuoted(this.text, start, indent);
        this.places?.scalar(start, end);
        this.toContent(this.lineEnd(end) + 1);
        return value;
      }
      case 0x7c: // | and >
      case 0x3e: {
        const { value, end, textEnd } = readBlockText(this.text, start, indent);
        this.places?.scalar(start, textEnd);
        this.toContent(end);
        if (this.indent > indent) giveUp();
        return value;
      }
      case 0x5b: // [ and {
      case 0x7b: {
        this.nodes--; // counted again as a collection
        const { value, end } = this.flow.read(start, this.depth, indent);
        this.toContent(this.lineEnd(end) + 1);
        return value;
      }
      default:
        return plainValue(this.plain(start, indent), this.settings);
    }
  }

  /** A value on the lines below, or none at all. */
  private nested(offset: number, indent: number, inMap: boolean): unknown {
    this.toContent(this.lineEnd(offset) + 1);
    if (this.indent > indent || (inMap && this.indent === indent && this.isItem(this.at))) return this.block();
    this.count();
    this.places?.scalar(offset, offset);
    return null;
  }

  /** The text of a plain scalar, its further lines folded into it. */
  private plain(start: number, indent: number): string {
    this.checkPlainStart(start);
    let end = this.plainEnd(start);
    let text = trimmed(this.text, start, end);
    let last = start + text.length;
    // A comment ends the scalar for good. If it cuts the text off, the complete reader warns.
    if (this.text.charCodeAt(end) === HASH) {
      if (isCutOff(text)) giveUp();
      this.places?.scalar(start, last);
      this.toContent(this.lineEnd(end - 1) + 1);
      return text;
    }
    for (;;) {
      let blanks = 0;
      let line = end + 1;
      let next = skipSpaces(this.text, line);
      while (next < this.text.length && this.text.charCodeAt(next) === LINE_END) {
        blanks++;
        line = next + 1;
        next = skipSpaces(this.text, line);
      }
      if (next >= this.text.length || next - line <= indent || this.text.charCodeAt(next) === HASH) {
        this.places?.scalar(start, last);
        this.toContent(end + 1);
        return text;
      }
      if (this.isItem(next)) giveUp();
      end = this.plainEnd(next);
      if (this.text.charCodeAt(end) === HASH) giveUp();
      const part = trimmed(this.text, next, end);
      text += (blanks === 0 ? " " : "\n".repeat(blanks)) + part;
      last = next + part.length;
    }
  }

  private checkPlainStart(start: number): void {
    const first = this.text.charCodeAt(start);
    if (INDICATORS.has(first)) giveUp();
    if (first === DASH && isBlankOrEnd(this.text.charCodeAt(start + 1))) giveUp();
  }

  /** The end of the scalar's part of this line: at the line's end or at the `#` of a comment. */
  private plainEnd(start: number): number {
    const { text } = this;
    for (let i = start; ; i++) {
      const unit = text.charCodeAt(i);
      if (unit > COLON) continue;
      if (unit === LINE_END || i >= text.length) return i;
      if (unit === TAB) giveUp();
      if (unit === COLON && isBlankOrEnd(text.charCodeAt(i + 1))) giveUp();
      if (unit === HASH && text.charCodeAt(i - 1) === SPACE) return i;
    }
  }

  /** The offset of the colon that ends a key which starts at the offset, or -1 if there is no key. */
  private keyEnd(start: number): number {
    if (start !== this.keyAt) {
      this.keyAt = start;
      this.colon = this.findKeyEnd(start);
    }
    return this.colon;
  }

  private findKeyEnd(start: number): number {
    const first = this.text.charCodeAt(start);
    if (first === QUOTE || first === APOSTROPHE) {
      const end = quotedLineEnd(this.text, start);
      return this.isKeyColon(end) ? end : -1;
    }
    if (INDICATORS.has(first)) return -1;
    const { text } = this;
    for (let i = start; ; i++) {
      const unit = text.charCodeAt(i);
      if (unit > COLON) continue; // most are letters
      if (unit === LINE_END || i >= text.length) return -1;
      if (unit === TAB) giveUp();
      if (unit === COLON && this.isKeyColon(i)) return i;
      if (unit === HASH && text.charCodeAt(i - 1) === SPACE) return -1;
    }
  }

  private isKeyColon(at: number): boolean {
    return this.text.charCodeAt(at) === COLON && isBlankOrEnd(this.text.charCodeAt(at + 1));
  }

  private key(start: number, colon: number): string {
    const first = this.text.charCodeAt(start);
    if (colon - start > LONGEST_KEY) giveUp();
    if (first === QUOTE || first === APOSTROPHE) return readQuotedLine(this.text, start).value;
    // `a :` and `-a:` are for the complete reader.
    if (this.text.charCodeAt(colon - 1) === SPACE || first === DASH) giveUp();
    return plainKey(this.text.slice(start, colon));
  }

  /** Whether a list item starts at the offset. */
  private isItem(at: number): boolean {
    return this.text.charCodeAt(at) === DASH && isBlankOrEnd(this.text.charCodeAt(at + 1));
  }

  /** The end of a line that has nothing left but spaces and a comment. */
  private lineEnd(from: number): number {
    const at = skipSpaces(this.text, from);
    const unit = this.text.charCodeAt(at);
    if (unit === LINE_END || at >= this.text.length) return at;
    if (unit !== HASH || at === from) giveUp();
    const end = this.text.indexOf("\n", at);
    return end === -1 ? this.text.length : end;
  }

  /** Moves to the next line with content, from the start of a line. */
  private toContent(from: number): void {
    let line = from;
    for (;;) {
      const first = skipSpaces(this.text, line);
      const unit = this.text.charCodeAt(first);
      if (first >= this.text.length) {
        this.at = this.text.length;
        this.indent = -1;
        return;
      }
      if (unit !== LINE_END && unit !== HASH) {
        this.at = first;
        this.indent = first === line && this.isMarker(line) ? -1 : first - line;
        return;
      }
      const end = this.text.indexOf("\n", first);
      line = end === -1 ? this.text.length : end + 1;
    }
  }

  private isMarker(line: number): boolean {
    return this.text.startsWith("---", line) && isBlankOrEnd(this.text.charCodeAt(line + 3));
  }

  private count(): void {
    if (++this.nodes > this.settings.limits.nodes) giveUp();
  }
}
