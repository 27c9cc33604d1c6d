// A file, or standard input, that holds one text or one value.

import { Double } from "@celadon/cel";
import { readDocuments } from "@celadon/kube/read";
import type { Args } from "../program/command.ts";
import type { Io } from "../program/io.ts";
import { decodeSource, FILE_BYTES } from "../sources/decode.ts";
import { readFailure } from "../sources/find/find.ts";
import { STDIN, syntaxIssue, warningNote } from "../sources/issue.ts";
import { SourceText } from "../sources/source-text.ts";
import { badInput, printNotes } from "./inputs.ts";

/** The text of a file or of standard input. Throws UsageError after printing the problem on stderr. */
export async function readTextFile(file: string, io: Io, args?: Args<"color">): Promise<string> {
  return (await readText(file, io, args)).text;
}

export async function readText(file: string, io: Io, args: Args<"color"> | undefined): Promise<SourceText> {
  let bytes: Uint8Array;
  try {
    bytes = file === STDIN ? await io.stdin(FILE_BYTES) : await io.files.read(file);
  } catch (error) {
    if (io.signal.aborted) throw error;
    throw badInput([{ code: "unreadable", file, message: readFailure(error) }], io, args);
  }
  const source = decodeSource(file, bytes);
  if (source instanceof SourceText) return source;
  throw badInput([source], io, args);
}

export function readOne(source: SourceText, io: Io, args: Args<"color" | "quiet">): unknown {
  const { text, file } = source;
  const { documents, issues, warnings } = readDocuments(text, {
    file,
    duplicateKeys: "warn",
    foldYamlDoubles: true,
    double: (n) => new Double(n),
  });
  if (issues.length > 0) {
    const found = issues.map((issue) => syntaxIssue(issue, source.lineText(issue.line)));
    throw badInput(found, io, args);
  }
  printNotes(warnings.map(warningNote), args, io);
  if (documents.length === 1) return documents[0]!.value;
  const message = documents.length === 0 ? "is empty" : `expected one document, found ${documents.length}`;
  throw badInput([{ code: "empty", file, message }], io, args);
}
