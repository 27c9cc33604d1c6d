// YAML text → documents. Each document of a stream is read by the fast reader or, where that gives up, by the complete one; places
// are found by whichever read it.

import { documentOf, type ReadDocument } from "../document.ts";
import { findForbidden } from "../find-forbidden.ts";
import { checkDocuments, issueOf, ReadFailure, type ReadIssue } from "../issue.ts";
import type { ReadSettings } from "../options.ts";
import { readJsonLine } from "../plain/json-line.ts";
import { PlainYamlReader } from "../plain/plain-yaml.ts";
import { PlaceRecorder } from "../plain/plain-yaml-places.ts";
import type { LineIndex } from "../position.ts";
import type { Locate } from "../scalar-style.ts";
import { locateYaml } from "./yaml-locate.ts";
import { parseYaml, type YamlDocument } from "./yaml-parser.ts";
import { type DocumentRange, splitYaml } from "./yaml-stream.ts";
import { type RepeatedKey, YamlConverter } from "./yaml-value.ts";

export interface YamlRead {
  readonly documents: readonly ReadDocument[];
  readonly issues: readonly ReadIssue[];
  readonly warnings: readonly ReadIssue[];
}

/** Reads the text from the offset on; the first document there has the index `first`. */
export function readYaml(text: string, settings: ReadSettings, lines: LineIndex, from = 0, first = 0): YamlRead {
  const whole: DocumentRange = { start: from, from, end: text.length, isMarked: text.startsWith("---", from) };
  return new StreamReader(text, settings, lines).read(settings.asBody ? [whole] : splitYaml(text, from), first);
}

class StreamReader {
  private readonly text: string;
  private readonly settings: ReadSettings;
  private readonly lines: LineIndex;
  private readonly plain: PlainYamlReader;
  private readonly documents: ReadDocument[] = [];
  private readonly issues: ReadIssue[] = [];
  private readonly warnings: ReadIssue[] = [];
  /** The document of the last look-up. Trees are many times the size of the text: one is kept. */
  private located: { readonly index: number; readonly locate: Locate } | undefined;

  constructor(text: string, settings: ReadSettings, lines: LineIndex) {
    this.text = text;
    this.settings = settings;
    this.lines = lines;
    this.plain = new PlainYamlReader(text, settings);
  }

  read(ranges: readonly DocumentRange[], first: number): YamlRead {
    let index = first;
    for (const range of ranges) {
      try {
        if (this.document(range, index)) index++;
      } catch (failure) {
        const issue = issueOf(failure, this.lines, range.from);
        this.issues.push(issue);
        if (issue.code === "too_many_documents") break;
        index++;
      }
    }
    const { documents, issues, warnings } = this;
    return { documents, issues, warnings };
  }

  /** False for what counts as no document. Throws ReadFailure. */
  private document(range: DocumentRange, index: number): boolean {
    const { start, from, end, isMarked, wrongMarker } = range;
    if (wrongMarker !== undefined) {
      const message = "only a comment may follow --- in its line; kubectl refuses anything else";
      throw new ReadFailure("syntax", message, wrongMarker - from);
    }
    const plain = this.readPlain(range);
    if (plain === null && !isMarked) return false;
    if (plain !== undefined) {
      checkDocuments(index, this.settings.limits, start - from);
      if (plain !== null) this.add(plain, index, () => this.locatePlain(range), this.plain.contentStart);
      return true;
    }
    const { root, rest, warnings } = this.parse(range);
    if (root === undefined && !isMarked) return false;
    checkDocuments(index, this.settings.limits, start - from);
    if (root === undefined) return true;
    const converter = new YamlConverter(this.settings);
    const value = converter.convert(root);
    this.warnOfKeys(converter.repeated, from);
    for (const { code, message, at } of [...warnings, ...converter.warnings]) this.warn(code, message, from + at);
    if (rest !== undefined) this.warn("syntax", "ignored: the document ends before this text", from + rest);
    if (value !== null) {
      const locate = (): Locate => locateYaml(this.parse(range).root!, from, end);
      this.add(value, index, locate, Math.min(from + root.start, end));
    }
    return true;
  }

  /** Warns of repeated keys in the body of a request. */
  private warnOfKeys(repeated: readonly RepeatedKey[], from: number): void {
    for (const { shown, at, valueAt, isMerged } of repeated) {
      if (this.settings.asBody) this.warn("duplicate_key", `key ${shown} already set in map`, from + valueAt);
      else if (!isMerged) this.warn("duplicate_key", `key ${shown} already set in map; the last one counts`, from + at);
    }
  }

  private warn(code: ReadIssue["code"], message: string, offset: number): void {
    this.warnings.push({ code, message, ...this.lines.at(offset) });
  }

  /** Null for a document without content, undefined for one that the fast reader does not read. */
  private readPlain({ from, end }: DocumentRange): unknown {
    const line = this.settings.asBody ? readJsonLine(this.text, this.settings) : undefined;
    return line ?? this.plain.read(from, end);
  }

  private locatePlain(range: DocumentRange): Locate {
    const places = new PlaceRecorder(this.text);
    if (this.plain.read(range.from, range.end, places) !== undefined) return (path) => places.locate(path);
    return locateYaml(this.parse(range).root!, range.from, range.end);
  }

  private parse({ from, end }: DocumentRange): YamlDocument {
    const text = this.chunk(from, end);
    const forbidden = findForbidden(text);
    if (forbidden !== -1) {
      const code = text.charCodeAt(forbidden).toString(16).padStart(4, "0");
      const message = `the character U+${code.toUpperCase()} cannot stand in YAML; in double quotes, write \\u${code}`;
      throw new ReadFailure("syntax", message, forbidden);
    }
    return parseYaml(text, this.settings.limits);
  }

  /** Files are read line by line: their last line ends, and of CR CR LF the first is dropped with the line end. */
  private chunk(from: number, end: number): string {
    const text = this.text.slice(from, end);
    if (this.settings.asBody) return text === "" ? "\n" : text;
    const ended = text.endsWith("\n") ? text : `${text}\n`;
    return ended.includes("\r\r\n") ? ended.replaceAll("\r\r\n", "\r\n") : ended;
  }

  private add(value: unknown, index: number, makeLocate: () => Locate, start: number): void {
    const locator = (): Locate => {
      if (this.located?.index !== index) this.located = { index, locate: makeLocate() };
      return this.located.locate;
    };
    this.documents.push(documentOf(value, index, this.lines, locator, start));
  }
}
