// Text → documents of plain data, with every issue placed. JSON and YAML, one document or a stream of them; text that
// cannot be read gives issues, never an exception.

import { type Document, parseAllDocuments } from "yaml";
import { utf8Length } from "../utf8-length.ts";
import { ReadFailure, type ReadIssue } from "./issue.ts";
import { locateJson } from "./json-locate.ts";
import { JsonParser } from "./json-parser.ts";
import { type ReadOptions, type ReadSettings, settingsOf } from "./options.ts";
import { readPlainYaml } from "./plain-yaml.ts";
import { type JsonPath, LineIndex, type Position } from "./position.ts";
import { locateYaml } from "./yaml-locate.ts";
import { YamlConverter } from "./yaml-value.ts";

export interface ReadDocument {
  /** Plain data: objects, arrays, strings, booleans, null, numbers, bigints, and what `double` made. */
  readonly value: unknown;
  /** Which of the stream's documents this is, from 0; documents without content count. */
  readonly index: number;
  /** Where a field stands: its value, or with "key" its name. Looked up in the text when asked. */
  positionOf(path: JsonPath, part?: "value" | "key"): Position | undefined;
}

export interface ReadResult {
  readonly documents: readonly ReadDocument[];
  /** In the order of the text. A document with an issue is not among the documents. */
  readonly issues: readonly ReadIssue[];
}

export function readDocuments(text: string, options: ReadOptions = {}): ReadResult {
  const settings = settingsOf(options);
  const lines = new LineIndex(text, settings.file);
  const { bytes } = settings.limits;
  if (text.length > bytes || (text.length * 3 > bytes && utf8Length(text) > bytes)) {
    return { documents: [], issues: [issueOf(new ReadFailure("too_large", `larger than ${bytes} bytes`, 0), lines)] };
  }
  const format = options.format ?? "auto";
  if (format === "yaml") return readYaml(text, settings, lines);
  if (format === "json") return readJson(text, settings, lines);
  if (!/^\ufeff?\s*[{[]/.test(text)) return readYaml(text, settings, lines);
  const json = readJson(text, settings, lines);
  if (!json.issues.some((issue) => issue.code === "syntax")) return json;
  // Flow-style YAML starts like JSON. If it is neither, the JSON issue says more.
  const yaml = readYaml(text, settings, lines);
  return yaml.issues.length === 0 ? yaml : json;
}

/** One document that must be there: its value and places, or the issues. */
export function readDocument(text: string, options: ReadOptions = {}): ReadDocument | readonly ReadIssue[] {
  const { documents, issues } = readDocuments(text, options);
  if (issues.length > 0) return issues;
  if (documents.length === 1) return documents[0]!;
  const message = documents.length === 0 ? "no document found" : "more than one document found";
  return [{ code: "syntax", message, file: options.file ?? "", line: 1, column: 1, offset: 0 }];
}

// Values that follow each other, as kubectl reads JSON. The first issue ends it: what follows has no certain start.
function readJson(text: string, settings: ReadSettings, lines: LineIndex): ReadResult {
  const documents: ReadDocument[] = [];
  let at = skipBlanks(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  try {
    while (at < text.length) {
      checkDocuments(documents.length, settings, at);
      const start = at;
      const { value, end } = new JsonParser(text, start, settings).parse();
      documents.push({
        value,
        index: documents.length,
        positionOf: (path, part = "value") => {
          const place = locateJson(text, start, path);
          const offset = part === "key" ? place?.key : place?.value;
          return offset === undefined ? undefined : lines.at(offset);
        },
      });
      at = skipBlanks(text, end);
      // Objects and lists may touch what follows; `01` is not two numbers.
      if (at === end && at < text.length && !"}]".includes(text[end - 1]!)) {
        throw new ReadFailure("syntax", "unexpected text after a value", at);
      }
    }
    if (documents.length === 0) throw new ReadFailure("syntax", "unexpected end of text looking for a value", at);
    return { documents, issues: [] };
  } catch (failure) {
    return { documents, issues: [issueOf(failure, lines)] };
  }
}

function readYaml(text: string, settings: ReadSettings, lines: LineIndex): ReadResult {
  // Parsed again when a place is asked for: the tree is many times the size of the text and the data.
  let tree: Document.Parsed[] | undefined;
  const documentOf = (value: unknown, index: number): ReadDocument => ({
    value,
    index,
    positionOf: (path, part = "value") => {
      tree ??= parseYaml(text);
      const place = locateYaml(tree[index]!, path);
      const offset = part === "key" ? place?.key : place?.value;
      return offset === undefined ? undefined : lines.at(offset);
    },
  });
  const plain = readPlainYaml(text, settings);
  if (plain !== undefined) {
    return { documents: plain.map(documentOf).filter(({ value }) => value !== null), issues: [] };
  }
  return readAnyYaml(text, settings, lines, documentOf);
}

function readAnyYaml(
  text: string,
  settings: ReadSettings,
  lines: LineIndex,
  documentOf: (value: unknown, index: number) => ReadDocument,
): ReadResult {
  const documents: ReadDocument[] = [];
  const issues: ReadIssue[] = [];
  let parsed: Document.Parsed[];
  try {
    parsed = parseYaml(text);
  } catch (failure) {
    return { documents, issues: [issueOf(failure, lines)] };
  }
  for (const [index, document] of parsed.entries()) {
    try {
      checkDocuments(index, settings, document.range[0]);
      const error = document.errors[0];
      if (error !== undefined) throw new ReadFailure("syntax", error.message, error.pos[0]);
      const value = new YamlConverter(document, settings).convert();
      if (value !== null) documents.push(documentOf(value, index));
    } catch (failure) {
      const issue = issueOf(failure, lines);
      issues.push(issue);
      if (issue.code === "too_many_documents") break;
    }
  }
  return { documents, issues };
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

function checkDocuments(index: number, settings: ReadSettings, offset: number): void {
  const { documents } = settings.limits;
  if (index >= documents) throw new ReadFailure("too_many_documents", `more than ${documents} documents`, offset);
}

function issueOf(failure: unknown, lines: LineIndex): ReadIssue {
  if (failure instanceof ReadFailure) {
    return { code: failure.code, message: failure.message, ...lines.at(failure.offset) };
  }
  // The YAML parser recurses; the engine's stack is the last bound on depth.
  if (failure instanceof RangeError) return { code: "too_deep", message: "nested too deeply", ...lines.at(0) };
  throw failure;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at++;
  return at;
}
