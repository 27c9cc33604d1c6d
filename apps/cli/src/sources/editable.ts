// Files that a command changes in place: their text, which nothing but the change may alter.

import type { Io } from "../program/io.ts";
import { decodeSource, FILE_BYTES } from "./decode.ts";
import { readFailure } from "./find/find.ts";
import { type SourceIssue, STDIN } from "./issue.ts";
import { SourceText } from "./source-text.ts";

/** A text, and the mark before it. */
export interface MarkedSource {
  /** The byte order mark, which stays where it is. */
  readonly mark: string;
  readonly source: SourceText;
}

export async function readSource(path: string, io: Io): Promise<MarkedSource | SourceIssue> {
  try {
    const bytes = path === STDIN ? await io.stdin(FILE_BYTES) : await io.files.read(path);
    const source = decodeSource(path, bytes);
    if (!(source instanceof SourceText)) return source;
    if (bytes[0] === 0xef) return { mark: bytes[1] === 0xbb && bytes[2] === 0xbf ? "\ufeff" : "", source };
    // Only UTF-16 begins with a byte that UTF-8 never has.
    if (bytes[0] === 0xff || bytes[0] === 0xfe) return { code: "encoding", file: path, ...UTF_16 };
    return { mark: "", source };
  } catch (error) {
    return { code: "unreadable", file: path, message: readFailure(error) };
  }
}

const UTF_16 = { message: "is UTF-16; fmt supports UTF-8 only", hint: "convert it first: iconv -t utf-8" };
