// YAML text → documents. Each document of a stream is read by the fast reader or, where that gives up, by the full one;
// places are found by whichever read it.

import { type Document, parseAllDocuments } from "yaml";
import { documentOf, type ReadDocument } from "./document.ts";
import { checkDocuments, issueOf, ReadFailure, type ReadIssue } from "./issue.ts";
import type { ReadSettings } from "./options.ts";
import { PlainYamlReader } from "./plain-yaml.ts";
import { PlaceRecorder } from "./plain-yaml-places.ts";
import type { LineIndex } from "./position.ts";
import type { Locate } from "./scalar-style.ts";
import { checkYamlDepth } from "./yaml-depth.ts";
import { locateYaml } from "./yaml-locate.ts";
import { type DocumentRange, isMarked, splitYaml } from "./yaml-stream.ts";
import { YamlConverter } from "./yaml-value.ts";

interface Read {
  readonly documents: readonly ReadDocument[];
  readonly issues: readonly ReadIssue[];
}

export function readYaml(text: string, settings: ReadSettings, lines: LineIndex): Read {
  const ranges = splitYaml(text);
  return (
    (ranges && new StreamReader(text, settings, lines).read(ranges)) ??
    new StreamReader(text, settings, lines).readWhole()
  );
}

class StreamReader {
  private readonly text: string;
  private readonly settings: ReadSettings;
  private readonly lines: LineIndex;
  private readonly plain: PlainYamlReader;
  private readonly documents: ReadDocument[] = [];
  private readonly issues: ReadIssue[] = [];
  /** Where the content begins of the document the fast reader read last. */
  private plainStart: number | undefined;
  /** Of the document whose places were asked for last. Trees are many times the size of the text: one is kept. */
  private located: { readonly index: number; readonly locate: Locate } | undefined;

  constructor(text: string, settings: ReadSettings, lines: LineIndex) {
    this.text = text;
    this.settings = settings;
    this.lines = lines;
    this.plain = new PlainYamlReader(text, settings);
  }

  /** Undefined if the full parser sees other documents than the ranges: then the text has to be read as a whole. */
  read(ranges: readonly DocumentRange[]): Read | undefined {
    let index = 0;
    for (const range of ranges) {
      const isDocument = isMarked(this.text, range);
      const value = index < this.settings.limits.documents ? this.readPlain(range) : undefined;
      if (value === undefined) {
        const parsed = this.parse(range);
        if (parsed?.length === 0 && !isDocument) continue;
        if (parsed !== undefined && parsed.length !== 1) return undefined;
        if (parsed !== undefined && !this.convert(parsed[0]!, index, range, () => this.parse(range)![0]!))
          return this.result();
      } else if (value !== null) {
        this.add(value, index, () => this.locatePlain(range), this.plainStart);
      } else if (!isDocument) continue;
      index++;
    }
    return this.result();
  }

  readWhole(): Read {
    const range = { start: 0, end: this.text.length };
    for (const [index, document] of (this.parse(range) ?? []).entries()) {
      if (!this.convert(document, index, range, () => this.parse(range)![index]!)) break;
    }
    return this.result();
  }

  // Line ends of two characters mean the same as those of one.
  private readPlain({ start, end }: DocumentRange): unknown {
    const value = this.plain.read(start, end);
    this.plainStart = value === undefined ? undefined : this.plain.contentStart;
    if (value !== undefined) return value;
    const text = this.text.slice(start, end);
    if (!text.includes("\r\n")) return undefined;
    const plain = text.replaceAll("\r\n", "\n");
    return new PlainYamlReader(plain, this.settings).read(0, plain.length);
  }

  private locatePlain({ start, end }: DocumentRange): Locate {
    const places = new PlaceRecorder(this.text);
    if (this.plain.read(start, end, places) !== undefined) return (path) => places.locate(path);
    return locateYaml(this.parse({ start, end })![0]!, start);
  }

  /** Undefined, and an issue, if it is nested too deeply. */
  private parse({ start, end }: DocumentRange): Document.Parsed[] | undefined {
    try {
      const text = this.text.slice(start, end);
      checkYamlDepth(text, this.settings.limits.depth);
      return parseYaml(text);
    } catch (failure) {
      this.issues.push(issueOf(failure, this.lines, start));
      return undefined;
    }
  }

  /** False if nothing more is to be read. */
  private convert(
    document: Document.Parsed,
    index: number,
    { start }: DocumentRange,
    parseAgain: () => Document.Parsed,
  ): boolean {
    try {
      checkDocuments(index, this.settings.limits, document.range[0]);
      const error = document.errors[0];
      if (error !== undefined) throw new ReadFailure("syntax", error.message, error.pos[0]);
      const value = new YamlConverter(document, this.settings).convert();
      if (value !== null) this.add(value, index, () => locateYaml(parseAgain(), start));
      return true;
    } catch (failure) {
      const issue = issueOf(failure, this.lines, start);
      this.issues.push(issue);
      return issue.code !== "too_many_documents";
    }
  }

  private add(value: unknown, index: number, makeLocate: () => Locate, start?: number): void {
    const locator = (): Locate => {
      if (this.located?.index !== index) this.located = { index, locate: makeLocate() };
      return this.located.locate;
    };
    this.documents.push(documentOf(value, index, this.lines, locator, start));
  }

  private result(): Read {
    return { documents: this.documents, issues: this.issues };
  }
}

// Every scalar stays text here: what it means is decided in yaml-scalar.ts. Keys are checked in yaml-value.ts, which
// also bounds aliases; the parser's own check of keys takes quadratic time.
function parseYaml(text: string): Document.Parsed[] {
  const parsed = parseAllDocuments(text, {
    schema: "failsafe",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  return Array.isArray(parsed) ? (parsed as Document.Parsed[]) : [];
}
