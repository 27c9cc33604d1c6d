// Finds a cursor's place in a YAML document by indentation alone: a document is broken most of the time while it is edited, and the lines
// above the cursor still say where it is. Block style with flow collections inside; comments and anchors are skipped.

import { type JsonPath, trimEndOf } from "@celadon/base";
import type { TextRange } from "../text/range.ts";
import { flowCursor } from "./flow-cursor.ts";

export type YamlCursor =
  /** At the name of a field of the object at `path`. */
  | {
      readonly at: "key";
      readonly path: JsonPath;
      readonly typed: string;
      readonly range: TextRange;
      /** A colon follows already. */
      readonly hasColon: boolean;
      readonly indent: number;
      /** In a place where a value may stand as well: below `key:`, or behind a dash. */
      readonly orValue: boolean;
    }
  /** In the scalar at `path`. */
  | {
      readonly at: "value";
      readonly path: JsonPath;
      readonly typed: string;
      readonly range: TextRange;
      /** The start of the line that has its key or dash. */
      readonly from: number;
    };

interface MapFrame {
  readonly is: "map";
  readonly indent: number;
  key: string;
}
interface ListFrame {
  readonly is: "list";
  readonly indent: number;
  index: number;
}
type Frame = MapFrame | ListFrame;

const KEY = /^(?:"((?:[^"\\]|\\.)*)" *|'((?:[^']|'')*)' *|([^\s#&*!|>'"%@`{}[\],?-][^#:]*|-[^\s:][^#:]*)):(?= |\t|$)/;

export function yamlCursor(text: string, offset: number): YamlCursor | undefined {
  return new Scanner(text, offset).find();
}

class Scanner {
  readonly #text: string;
  readonly #offset: number;
  #frames: Frame[] = [];
  #at = 0;

  constructor(text: string, offset: number) {
    this.#text = text;
    this.#offset = offset;
  }

  find(): YamlCursor | undefined {
    while (this.#at <= this.#text.length) {
      const start = this.#at;
      const end = endOfLine(this.#text, start);
      const isHere = this.#offset <= end;
      const found = this.#line(start, end, isHere);
      if (found !== undefined) return found === "none" ? undefined : found;
      if (isHere) return undefined;
      if (this.#at === start) this.#at = nextLine(this.#text, end);
    }
    return undefined;
  }

  /** Reads a line; moves `#at` where it reads more than that. */
  #line(start: number, end: number, isHere: boolean): YamlCursor | "none" | undefined {
    let at = start;
    while (at < end && this.#text[at] === " ") at++;
    if (at >= end) return isHere ? this.#emptyLine(this.#offset - start) : undefined;
    if (this.#text[at] === "#" || this.#text.startsWith("---", start))
      return isHere && this.#offset > at ? "none" : undefined;
    if (isHere && this.#offset <= at && this.#offset > start) return this.#emptyLine(this.#offset - start);
    while (this.#text[at] === "-" && (at + 1 >= end || this.#text[at + 1] === " ")) {
      this.#dash(at - start);
      at++;
      while (at < end && this.#text[at] === " ") at++;
      if (at >= end) {
        if (!isHere) return undefined;
        const range = { start: this.#offset, end: this.#offset };
        const indent = Math.max(at, this.#offset) - start;
        return { at: "key", path: this.#path(), typed: "", range, hasColon: false, indent, orValue: true };
      }
    }
    const rest = this.#text.slice(at, end);
    const found = KEY.exec(rest);
    if (found === null) return this.#scalar(at, end, start, isHere);
    const name = found[1] ?? found[2] ?? trimEndOf(found[3] ?? "", / /);
    const nameEnd = at + found[0].length - 1;
    const indent = at - start;
    if (isHere && this.#offset <= nameEnd) {
      this.#popTo(indent);
      const range = { start: at, end: at + found[0].trimEnd().slice(0, -1).trimEnd().length };
      const typed = this.#text.slice(at, Math.max(at, this.#offset));
      return { at: "key", path: this.#path(true), typed, range, hasColon: true, indent, orValue: false };
    }
    this.#key(name, indent);
    let value = nameEnd + 1;
    while (value < end && " \t".includes(this.#text[value]!)) value++;
    return this.#value(value, end, start, indent, isHere);
  }

  #emptyLine(column: number): YamlCursor {
    this.#popTo(column);
    const range = { start: this.#offset, end: this.#offset };
    const deepest = this.#frames.at(-1);
    const orValue = deepest?.is === "map" && deepest.indent < column;
    return { at: "key", path: this.#path(!orValue), typed: "", range, hasColon: false, indent: column, orValue };
  }

  #dash(column: number): void {
    while (this.#frames.length > 0 && this.#frames.at(-1)!.indent > column) this.#frames.pop();
    const top = this.#frames.at(-1);
    if (top?.is === "list" && top.indent === column) top.index++;
    else this.#frames.push({ is: "list", indent: column, index: 0 });
  }

  /** Closes frames that a key in this column is not inside of, and returns its map, if it exists already. */
  #popTo(column: number): void {
    for (let top = this.#frames.at(-1); top !== undefined; top = this.#frames.at(-1)) {
      if (top.indent > column || (top.is === "list" && top.indent === column)) this.#frames.pop();
      else return;
    }
  }

  #key(name: string, indent: number): void {
    this.#popTo(indent);
    const top = this.#frames.at(-1);
    if (top?.is === "map" && top.indent === indent) top.key = name;
    else this.#frames.push({ is: "map", indent, key: name });
  }

  /** `ofMap`: of the object that has the key, not of the key. */
  #path(ofMap = false): JsonPath {
    const frames = ofMap && this.#frames.at(-1)?.is === "map" ? this.#frames.slice(0, -1) : this.#frames;
    return frames.map((frame) => (frame.is === "map" ? frame.key : frame.index));
  }

  #value(at: number, lineEnd: number, start: number, indent: number, isHere: boolean): YamlCursor | "none" | undefined {
    const first = this.#text[at] ?? "";
    if (at < lineEnd && (first === "|" || first === ">")) return this.#block(at, lineEnd, start, indent);
    if (first === "{" || first === "[") return this.#flow(at, start);
    if (first === '"' || first === "'") return this.#quoted(at, start, first);
    if (at >= lineEnd || first === "#") {
      if (!isHere) return undefined;
      if (first === "#" && this.#offset > at) return "none";
      const range = { start: this.#offset, end: this.#offset };
      return { at: "value", path: this.#path(), typed: "", range, from: start };
    }
    return this.#plain(at, lineEnd, start, indent);
  }

  /** Text without a key: a value in a list, the next line of a plain value, or a key that is being typed. */
  #scalar(at: number, lineEnd: number, start: number, isHere: boolean): YamlCursor | "none" | undefined {
    const first = this.#text[at]!;
    const indent = at - start;
    if (first === "{" || first === "[") return this.#flow(at, start);
    if (first === '"' || first === "'") return this.#quoted(at, start, first);
    if (!isHere) return undefined;
    this.#popTo(indent);
    const top = this.#frames.at(-1);
    const orValue = top !== undefined && top.indent < indent;
    const end = plainEnd(this.#text, at, lineEnd);
    const typed = this.#text.slice(at, this.#offset);
    const path = this.#path(!orValue);
    return { at: "key", path, typed, range: { start: at, end }, hasColon: false, indent, orValue };
  }

  #block(at: number, lineEnd: number, start: number, indent: number): YamlCursor | "none" | undefined {
    let end = nextLine(this.#text, lineEnd);
    let last = lineEnd;
    while (end < this.#text.length) {
      const stop = endOfLine(this.#text, end);
      const line = this.#text.slice(end, stop);
      const isBlank = line.trim() === "";
      if (!isBlank && line.search(/[^ ]/) <= indent) break;
      // A blank line belongs to it if the cursor is in it, indented as deep as its text.
      const isHere = this.#offset >= end && this.#offset <= stop;
      if (!isBlank || (isHere && this.#offset - end > indent)) last = stop;
      end = nextLine(this.#text, stop);
    }
    if (this.#offset > lineEnd && this.#offset <= last) {
      const range = { start: at, end: last };
      return { at: "value", path: this.#path(), typed: this.#text.slice(lineEnd, this.#offset), range, from: start };
    }
    if (this.#offset <= lineEnd && this.#offset >= at) return "none";
    this.#at = last > lineEnd ? nextLine(this.#text, last) : nextLine(this.#text, lineEnd);
    return undefined;
  }

  #quoted(at: number, start: number, quote: string): YamlCursor | "none" | undefined {
    let end = at + 1;
    for (; end < this.#text.length; end++) {
      const char = this.#text[end];
      if (quote === '"' && char === "\\") end++;
      else if (char === quote && quote === "'" && this.#text[end + 1] === "'") end++;
      else if (char === quote) break;
    }
    const closed = end < this.#text.length;
    // One that is never closed ends with its line: the rest of the document is not part of it.
    const stop = closed ? end + 1 : endOfLine(this.#text, at);
    if (this.#offset > at && this.#offset < stop + (closed ? 0 : 1)) {
      const typed = this.#text.slice(at + 1, this.#offset);
      return { at: "value", path: this.#path(), typed, range: { start: at, end: stop }, from: start };
    }
    const lineStop = endOfLine(this.#text, stop);
    if (this.#offset <= lineStop) return "none";
    this.#at = nextLine(this.#text, lineStop);
    return undefined;
  }

  #plain(at: number, lineEnd: number, start: number, indent: number): YamlCursor | "none" | undefined {
    let end = plainEnd(this.#text, at, lineEnd);
    // Further lines belong to it as long as they stand deeper and are no fields.
    for (let next = nextLine(this.#text, lineEnd); end > at && next < this.#text.length; ) {
      const stop = endOfLine(this.#text, next);
      const line = this.#text.slice(next, stop);
      const content = line.search(/[^ ]/);
      if (content <= indent || KEY.test(line.trim()) || line.trim().startsWith("- ") || line.trim().startsWith("#"))
        break;
      end = plainEnd(this.#text, next + content, stop);
      next = nextLine(this.#text, stop);
    }
    if (this.#offset <= end) {
      const typed = this.#text.slice(at, Math.max(at, this.#offset));
      return { at: "value", path: this.#path(), typed, range: { start: at, end }, from: start };
    }
    const stop = endOfLine(this.#text, end);
    if (this.#offset <= stop)
      return this.#text.slice(end, this.#offset).includes("#") ? "none" : this.#behindPlain(at, start);
    this.#at = nextLine(this.#text, stop);
    return undefined;
  }

  /** Behind a value and blanks: still in it, as the next word will be. */
  #behindPlain(at: number, start: number): YamlCursor {
    const typed = this.#text.slice(at, this.#offset);
    return { at: "value", path: this.#path(), typed, range: { start: at, end: this.#offset }, from: start };
  }

  #flow(at: number, start: number): YamlCursor | "none" | undefined {
    const { end, cursor } = flowCursor(this.#text, at, this.#offset);
    if (cursor !== undefined) {
      const path = [...this.#path(), ...cursor.path];
      const { typed, range } = cursor;
      if (cursor.at === "value") return { at: "value", path, typed, range, from: start };
      return { at: "key", path, typed, range, hasColon: cursor.hasColon, indent: -1, orValue: false };
    }
    const stop = endOfLine(this.#text, end);
    if (this.#offset <= stop) return "none";
    this.#at = nextLine(this.#text, stop);
    return undefined;
  }
}

/** Without a comment and the blanks at the end. */
function plainEnd(text: string, at: number, lineEnd: number): number {
  const comment = text.slice(at, lineEnd).search(/ #/);
  let end = comment === -1 ? lineEnd : at + comment;
  while (end > at && " \t".includes(text[end - 1]!)) end--;
  return end;
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  const end = newline === -1 ? text.length : newline;
  return end > from && text[end - 1] === "\r" ? end - 1 : end;
}

function nextLine(text: string, end: number): number {
  const newline = text.indexOf("\n", end);
  return newline === -1 ? text.length + 1 : newline + 1;
}
