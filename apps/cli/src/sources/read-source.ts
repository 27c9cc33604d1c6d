// Text of a file → values with where they stand. YAML is read as kubectl and the API server read it: `1.0` is 1, of a key given twice the
// last counts, with a warning. An unreadable part is an issue; the rest of the file is read all the same.

import { isRecord, type JsonPath, own } from "@celadon/base";
import { Double } from "@celadon/cel";
import {
  type FieldPlace,
  type ReadDocument,
  type ReadIssue,
  type ReadOptions,
  readDocuments,
  seekPlain,
} from "@celadon/kube/read";
import type { SourceText } from "./source-text.ts";
import { type ListParts, type Part, splitDocuments, splitList } from "./split.ts";
import { splitJsonList } from "./split-json.ts";
import { type TextPart, TextPlace } from "./text-place.ts";

/** A value of a file: a document, or an item of a large List. */
export interface SourceValue {
  readonly value: unknown;
  readonly place: TextPlace;
}

export interface ReadIssueAt extends ReadIssue {
  /** The text of the document that holds it. */
  readonly around: string;
}

export interface SourceValues {
  readonly values: readonly SourceValue[];
  readonly issues: readonly ReadIssueAt[];
  /** Warnings about parts of the text that do not count. */
  readonly warnings: readonly ReadIssue[];
}

/** Reads a part, any number of times. Undefined if it has another form than expected. */
export type ReadPart = (part: Part) => SourceValues | undefined;

/** Text that is read part by part, each for itself: a document, or the items of a large List. */
export interface Readable {
  readonly parts: readonly Part[];
  /** The same for all documents of a file, and for all items of a List. */
  readonly read: ReadPart;
  /** To be read instead if a part has another form than expected. */
  readonly whole?: Readable;
}

/** Larger documents are searched for a List, whose items are then read one by one. */
const LARGE = 1024 * 1024;
/** The greatest text that the complete YAML reader can hold in memory; no single object of a cluster comes near, and the items of Lists count alone. */
const YAML_BYTES = 16 * 1024 * 1024;
const JSON_BYTES = 1024 * 1024 * 1024;

const OPTIONS: ReadOptions = {
  foldYamlDoubles: true,
  duplicateKeys: "warn",
  double: (n) => new Double(n),
  limits: { nodes: 100_000_000, documents: 100_000_000 },
};

/** The documents of a file, in order. */
export function* readablesOf(source: SourceText): Generator<Readable> {
  const read: ReadPart = (document) => readPart(source, document);
  for (const part of splitDocuments(source.text)) {
    const large = part.end - part.start > LARGE;
    const list = large ? (splitJsonList(source.text, part) ?? splitList(source.text, part)) : undefined;
    const whole: Readable = { parts: [part], read };
    yield (list && readableList(source, list, whole)) ?? whole;
  }
}

/** Everything in a file at once. */
export function readSource(source: SourceText): SourceValues {
  const values: SourceValue[] = [];
  const issues: ReadIssueAt[] = [];
  const warnings: ReadIssue[] = [];
  for (const readable of readablesOf(source)) {
    for (const read of readAll(readable)) {
      for (const warning of read.warnings) warnings.push(warning);
      for (const value of read.values) values.push(value);
      for (const issue of read.issues) issues.push(issue);
    }
  }
  return { values, issues, warnings };
}

function readAll({ parts, read, whole }: Readable): readonly SourceValues[] {
  const found: SourceValues[] = [];
  for (const part of parts) {
    const values = read(part);
    if (values === undefined) return whole === undefined ? [] : readAll(whole);
    found.push(values);
  }
  return found;
}

function readPart(source: SourceText, part: Part): SourceValues {
  const slice = new Slice(source, part);
  const { documents, issues, warnings } = slice.read();
  return {
    warnings: warnings.map((warning) => ({ ...warning, ...source.at(part.start + warning.offset) })),
    values: documents.map(({ value, begin }, nth) => ({ value, place: new TextPlace(slice, nth, begin) })),
    issues: issues.map((issue) => {
      const around = source.text.slice(part.start, part.end);
      return { ...issue, ...source.at(part.start + atContent(around, issue.offset)), around };
    }),
  };
}

class Slice implements TextPart {
  readonly source: SourceText;
  readonly start: number;
  readonly #end: number;

  constructor(source: SourceText, { start, end }: Part) {
    this.source = source;
    this.start = start;
    this.#end = end;
  }

  get #text(): string {
    return this.source.text.slice(this.start, this.#end);
  }

  read(): Read {
    const text = this.#text;
    return readDocuments(text, { ...OPTIONS, ...formatOf(text) });
  }

  seek(path: JsonPath): FieldPlace | undefined {
    let last = SOUGHT.get(this.source);
    if (last?.slice !== this) SOUGHT.set(this.source, (last = { slice: this, found: new Map() }));
    const key = JSON.stringify(path);
    // Several problems may have one place.
    if (!last.found.has(key) && last.found.size < SEEKS) last.found.set(key, seekPlain(this.#text, path, OPTIONS));
    return last.found.get(key);
  }

  /** The places of the last slice of a file are kept: places are needed for one manifest after the other. */
  documents(): readonly ReadDocument[] {
    let last = LAST_READ.get(this.source);
    if (last?.slice !== this) LAST_READ.set(this.source, (last = { slice: this, documents: this.read().documents }));
    return last.documents;
  }
}

type Read = ReturnType<typeof readDocuments>;

const LAST_READ = new WeakMap<SourceText, { readonly slice: Slice; readonly documents: readonly ReadDocument[] }>();

/** Fields of one slice that are searched for; for more of them the document is read with all its places. */
const SEEKS = 8;
const SOUGHT = new WeakMap<
  SourceText,
  { readonly slice: Slice; readonly found: Map<string, FieldPlace | undefined> }
>();

/** A missing part at the end is shown behind the last thing written, not on the marker of the next document. */
const atContent = (text: string, offset: number): number => Math.min(offset, text.trimEnd().length);

/** A large text that is broken JSON is not tried as YAML as well. */
function formatOf(text: string): Pick<ReadOptions, "format" | "limits"> {
  if (text.length <= YAML_BYTES / 4) return {};
  const json = /^\s*[{[]/.test(text);
  return { format: json ? "json" : "yaml", limits: { ...OPTIONS.limits, bytes: json ? JSON_BYTES : YAML_BYTES } };
}

/** The items, with the list's own apiVersion and kind applied; undefined when it is no List after all. */
function readableList(source: SourceText, { head, tail, items }: ListParts, whole: Readable): Readable | undefined {
  const around = source.text.slice(head.start, head.end) + source.text.slice(tail.start, tail.end);
  const { documents } = readDocuments(around, OPTIONS);
  const list = documents[0]?.value;
  if (documents.length !== 1 || !isRecord(list) || !isListKind(list) || !holdsNone(list)) return undefined;
  const isYaml = source.text[items[0]!.start] !== "{";
  const read: ReadPart = (item) => {
    const { values, issues, warnings } = readPart(source, item);
    const entries: SourceValue[] = [];
    for (const { value, place } of values) {
      const entry = isYaml ? soleElement(value) : value;
      if (entry === undefined) return undefined;
      entries.push({ value: withListType(entry, list), place: isYaml ? place.within([0]) : place });
    }
    return { values: entries, issues, warnings };
  };
  return { parts: items, read, whole };
}

/** Without its items, a JSON list has an empty list of them, and a YAML list none. */
function holdsNone(list: Readonly<Record<string, unknown>>): boolean {
  const items = own(list, "items");
  return items === undefined || (Array.isArray(items) && items.length === 0);
}

const soleElement = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : undefined);

/** `List` and `PodList`. */
export function isListKind(value: Readonly<Record<string, unknown>>): boolean {
  const kind = own(value, "kind");
  return typeof kind === "string" && kind.endsWith("List") && typeof own(value, "apiVersion") === "string";
}

/** Items of a typed list may omit their kind. */
export function withListType(item: unknown, list: Readonly<Record<string, unknown>>): unknown {
  const kind = own(list, "kind");
  if (!isRecord(item) || typeof kind !== "string" || kind === "List") return item;
  if (Object.hasOwn(item, "kind") && Object.hasOwn(item, "apiVersion")) return item;
  return { apiVersion: own(list, "apiVersion"), kind: kind.slice(0, -"List".length), ...item };
}
