// Documents of any shape for suites of other tools: with where they stand, items of Lists one by one.

import { posix } from "node:path";
import { isRecord, own } from "@celadon/base";
import type { LoadIssue, SuiteSource } from "@celadon/testing";
import type { DocumentLoader, LoadedDocuments } from "@celadon/testing/import";
import type { Io } from "../program/io.ts";
import { decodeSource, FILE_BYTES } from "../sources/decode.ts";
import { findFiles, readFailure } from "../sources/find/find.ts";
import { STDIN } from "../sources/issue.ts";
import { isListKind, readSource, withListType } from "../sources/read-source.ts";
import { SourceText } from "../sources/source-text.ts";
import type { Reach } from "./reach.ts";

/** Reads documents from disk, and keeps them. */
export class DiskDocuments implements DocumentLoader {
  readonly files: Set<string> = new Set();
  readonly #reach: Reach;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  async load(path: string, from: string): Promise<LoadedDocuments> {
    const resolved = posix.isAbsolute(path) ? path : posix.join(posix.dirname(from.replaceAll("\\", "/")), path);
    const { files, issues } = await findFiles([resolved], "celadon test", this.#reach.io);
    const found: LoadedDocuments[] = [];
    for (const file of files) {
      this.files.add(file.path);
      found.push(await documentsOf(file.path, this.#reach.io));
    }
    return {
      documents: found.flatMap(({ documents }) => documents),
      issues: [
        ...issues.map((issue) => ({ ...this.#hinted(issue), file: from, message: `${issue.file}: ${issue.message}` })),
        ...found.flatMap(({ issues }) => issues.map((issue) => ({ ...issue, ...this.#hinted(issue) }))),
      ],
    };
  }

  #hinted({ file }: { readonly file?: string }): { readonly hint?: string } {
    const hint = file === undefined ? undefined : this.#reach.hintFor(file);
    return hint === undefined ? {} : { hint };
  }
}

export async function documentsOf(file: string, io: Io): Promise<LoadedDocuments> {
  let bytes: Uint8Array;
  try {
    bytes = file === STDIN ? await io.stdin(FILE_BYTES) : await io.files.read(file);
  } catch (error) {
    return { documents: [], issues: [{ file, message: readFailure(error) }] };
  }
  const source = decodeSource(file, bytes);
  if (!(source instanceof SourceText)) return { documents: [], issues: [{ file, message: source.message }] };
  const { values, issues } = readSource(source);
  const documents = values.flatMap(({ value, place }): SuiteSource[] => {
    if (value === null || value === undefined) return [];
    const items = isRecord(value) && isListKind(value) ? own(value, "items") : undefined;
    if (!Array.isArray(items)) return [{ value, origin: place }];
    return items.map((item, i) => ({
      value: withListType(item, value as Readonly<Record<string, unknown>>),
      origin: place.within(["items", i]),
    }));
  });
  return {
    documents,
    issues: issues.map(({ message, line, column }): LoadIssue => {
      const lineText = source.lineText(line);
      return { file, message, line, column, ...(lineText !== undefined && { lineText }) };
    }),
  };
}
