// Text → documents of plain data, with every issue placed. JSON and YAML, one document or a stream of them; text that
// cannot be read gives issues, never an exception.

import { utf8Length } from "@celadon/base";
import { documentOf, once, type ReadDocument } from "./document.ts";
import { checkDocuments, issueOf, ReadFailure, type ReadIssue } from "./issue.ts";
import { locateJson } from "./json-locate.ts";
import { JsonParser } from "./json-parser.ts";
import { type ReadOptions, type ReadSettings, settingsOf } from "./options.ts";
import { LineIndex } from "./position.ts";
import { readYaml } from "./read-yaml.ts";

/** The documents of a text, and its problems. */
export interface ReadResult {
  readonly documents: readonly ReadDocument[];
  /** In the order of the text. A document with an issue is not among the documents. */
  readonly issues: readonly ReadIssue[];
  /** A line of the text, from 1, without its line end. */
  lineText(line: number): string | undefined;
}

/** Reads YAML or JSON, one document or many, as the API server reads it. Nothing is thrown. */
export function readDocuments(text: string, options: ReadOptions = {}): ReadResult {
  const settings = settingsOf(options);
  const lines = new LineIndex(text, settings.file);
  const { documents, issues } = readText(text, options.format ?? "auto", settings, lines);
  return { documents, issues, lineText: (line) => lines.lineText(line) };
}

type Read = Pick<ReadResult, "documents" | "issues">;

function readText(text: string, format: string, settings: ReadSettings, lines: LineIndex): Read {
  const { bytes } = settings.limits;
  if (text.length > bytes || (text.length * 3 > bytes && utf8Length(text) > bytes)) {
    return { documents: [], issues: [issueOf(new ReadFailure("too_large", `larger than ${bytes} bytes`, 0), lines)] };
  }
  if (format === "yaml") return readYaml(text, settings, lines);
  if (format === "json") return readJson(text, settings, lines);
  if (!/^\ufeff?\s*[{[]/.test(text)) return readYaml(text, settings, lines);
  const json = readJson(text, settings, lines);
  if (!json.issues.some((issue) => issue.code === "syntax")) return json;
  // Flow-style YAML starts like JSON. If it is neither, the JSON issue says more.
  const yaml = readYaml(text, settings, lines);
  return yaml.issues.length === 0 ? yaml : json;
}

/** Reads a text that must contain exactly one document: its value and places, or issues. */
export function readDocument(text: string, options: ReadOptions = {}): ReadDocument | readonly ReadIssue[] {
  const { documents, issues } = readDocuments(text, options);
  if (issues.length > 0) return issues;
  if (documents.length === 1) return documents[0]!;
  const message = documents.length === 0 ? "no document found" : "more than one document found";
  return [{ code: "syntax", message, file: options.file ?? "", line: 1, column: 1, offset: 0 }];
}

// Values that follow each other, as kubectl reads JSON. The first issue ends it: what follows has no certain start.
function readJson(text: string, settings: ReadSettings, lines: LineIndex): Read {
  const documents: ReadDocument[] = [];
  let at = skipBlanks(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  try {
    while (at < text.length) {
      checkDocuments(documents.length, settings.limits, at);
      const start = at;
      const { value, end } = new JsonParser(text, start, settings).parse();
      documents.push(
        documentOf(
          value,
          documents.length,
          lines,
          once(() => locateJson(text, start)),
          start,
        ),
      );
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

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (at < text.length && " \t\r\n".includes(text[at]!)) at++;
  return at;
}
