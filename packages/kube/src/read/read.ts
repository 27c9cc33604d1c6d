// Text → documents of plain data, with every issue placed. JSON and YAML, one document or a stream of them; text that
// cannot be read gives issues, never an exception.

import { utf8Length } from "@celadon/base";
import { trimSpace } from "../trim-space.ts";
import { documentOf, lazily, type ReadDocument } from "./document.ts";
import { checkDocuments, issueOf, ReadFailure, type ReadIssue } from "./issue.ts";
import { locateJson } from "./json/json-locate.ts";
import { JsonParser } from "./json/json-parser.ts";
import { type ReadOptions, type ReadSettings, settingsOf } from "./options.ts";
import { LineIndex } from "./position.ts";
import { readYaml } from "./yaml/read-yaml.ts";

/** The documents of a text, and its problems. */
export interface ReadResult {
  readonly documents: readonly ReadDocument[];
  /** In the order of the text. A document with an issue is not among the documents. */
  readonly issues: readonly ReadIssue[];
  /** The warnings about documents that were read: parts of them that do not count. */
  readonly warnings: readonly ReadIssue[];
  /** A line of the text, from 1, without its line end. */
  lineText(line: number): string | undefined;
}

/** Reads YAML or JSON, one document or many, as the API server reads it. Issues are returned, not thrown. */
export function readDocuments(text: string, options: ReadOptions = {}): ReadResult {
  const settings = settingsOf(options);
  const lines = new LineIndex(text, settings.file);
  const { documents, issues, warnings } = readText(text, options.format ?? "auto", settings, lines);
  return { documents, issues, warnings, lineText: (line) => lines.lineText(line) };
}

type Read = Pick<ReadResult, "documents" | "issues" | "warnings">;

function readText(text: string, format: string, settings: ReadSettings, lines: LineIndex): Read {
  const { bytes } = settings.limits;
  if (text.length > bytes || (text.length * 3 > bytes && utf8Length(text) > bytes)) {
    return {
      documents: [],
      issues: [issueOf(new ReadFailure("too_large", `larger than ${bytes} bytes`, 0), lines)],
      warnings: [],
    };
  }
  if (format === "yaml") return readYaml(text, settings, lines);
  if (format === "json") return readJson(text, settings, lines);
  if (!/^\ufeff?\s*[{[]/.test(text)) return readYaml(text, settings, lines);
  return readEither(text, settings, lines);
}

/**
 * Text that starts like JSON is JSON until it cannot be: where one object or none was read, kubectl goes on as if it were YAML. After
 * more of them it is a stream of JSON for good.
 */
function readEither(text: string, settings: ReadSettings, lines: LineIndex): Read {
  if (text[behindSpace(text)] !== "{") {
    const yaml = readYaml(text, settings, lines);
    return yaml.documents.length > 0 || yaml.issues.length === 0 ? yaml : betterIssue(yaml, text, settings, lines);
  }
  const json = readJson(text, settings, lines);
  const [wrong] = json.issues;
  if (wrong?.code !== "syntax" || json.documents.length > 1) return json;
  if (json.documents.length === 0) {
    const from = yamlStart(text, 0);
    const yaml = from === undefined ? json : readYaml(text, settings, lines, from);
    // If it is neither, the JSON issue says more.
    return yaml.issues.length === 0 || yaml.documents.length > 0 ? yaml : json;
  }
  const from = yamlStart(text, json.end);
  if (from === undefined) return json;
  const rest = readYaml(text, settings, lines, from, 1);
  if (rest.documents.length === 0 && rest.issues.length > 0) return json;
  return {
    documents: [...json.documents, ...rest.documents],
    issues: rest.issues,
    warnings: [...json.warnings, ...rest.warnings],
  };
}

/** Reads a text that must contain exactly one document: its value and places, or issues. */
export function readDocument(text: string, options: ReadOptions = {}): ReadDocument | readonly ReadIssue[] {
  const { documents, issues } = readDocuments(text, options);
  if (issues.length > 0) return issues;
  if (documents.length === 1) return documents[0]!;
  const message = documents.length === 0 ? "no document found" : "more than one document found";
  return [{ code: "syntax", message, file: options.file ?? "", line: 1, column: 1, offset: 0 }];
}

/** A list that is neither JSON nor YAML: the JSON issue says more, if it is one of syntax too. */
function betterIssue(yaml: Read, text: string, settings: ReadSettings, lines: LineIndex): Read {
  const json = readJson(text, settings, lines);
  const isBetter = yaml.issues[0]?.code === "syntax" && json.issues[0]?.code === "syntax";
  return isBetter ? { documents: [], issues: json.issues, warnings: [] } : yaml;
}

/** `end` is where the last value ends. */
type JsonRead = Read & { readonly end: number };

// Values that follow each other, as kubectl reads JSON. The first issue ends it: the start of a later document is uncertain.
function readJson(text: string, settings: ReadSettings, lines: LineIndex): JsonRead {
  const documents: ReadDocument[] = [];
  const warnings: ReadIssue[] = [];
  let [at, end] = [skipBlanks(text, text.charCodeAt(0) === 0xfeff ? 1 : 0), 0];
  try {
    while (at < text.length) {
      checkDocuments(documents.length, settings.limits, at);
      const start = at;
      const parser = new JsonParser(text, start, settings);
      const read = parser.parse();
      const locate = lazily(() => locateJson(text, start));
      documents.push(documentOf(read.value, documents.length, lines, locate, start));
      for (const { key, at: keyAt } of parser.repeated) {
        const message = `duplicate field ${JSON.stringify(key)}; the last one counts`;
        warnings.push({ code: "duplicate_key", message, ...lines.at(keyAt) });
      }
      ({ end } = read);
      at = skipBlanks(text, end);
      // Objects and lists may touch the next value; `01` is not two numbers.
      if (at === end && at < text.length && !"}]".includes(text[end - 1]!)) {
        throw new ReadFailure("syntax", "unexpected text after a value", at);
      }
    }
    if (documents.length === 0) throw new ReadFailure("syntax", "unexpected end of text looking for a value", at);
    return { documents, issues: [], warnings, end };
  } catch (failure) {
    return { documents, issues: [issueOf(failure, lines)], warnings, end };
  }
}

/** The beginning of YAML behind a JSON value: in the next line, or at a character that is no space. kubectl looks four bytes ahead. */
function yamlStart(text: string, from: number): number | undefined {
  let at = from;
  while (at < text.length && text[at] !== "\n" && trimSpace(text[at]!) === "") at++;
  if (utf8Length(text.slice(at, at + 4)) < 4) return undefined;
  return text[at] === "\n" ? at + 1 : at;
}

function behindSpace(text: string): number {
  let at = 0;
  while (at < text.length && trimSpace(text[at]!) === "") at++;
  return at;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at++;
  return at;
}
