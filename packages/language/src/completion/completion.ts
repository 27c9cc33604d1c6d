// What is offered at a cursor, as data; the order is the order of the list.

import type { Range } from "../text/range.ts";

/** What a completion is, for its icon. */
export type CompletionKind =
  | "field"
  | "variable"
  | "function"
  | "macro"
  | "namespace"
  | "keyword"
  | "value"
  | "snippet";

/** Something that can be written at the cursor. */
export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** A type or signature, on the same line. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  /** What is written in place of the range. With `snippet`, `$1` and `${1:name}` are places to fill in. */
  readonly insert: string;
  readonly snippet?: boolean;
}

/** What can be written at the cursor, and what it replaces. */
export interface Completions {
  readonly items: readonly Completion[];
  /** What an item replaces, in the file. */
  readonly range: Range;
}

/** Without the places to fill in, for clients that know none. */
export function plainInsert({ insert, snippet }: Completion): string {
  if (snippet !== true) return insert;
  return insert
    .replace(/\$\{\d+:([^}]*)\}/g, "$1")
    .replace(/\$\d/g, "")
    .replace(/\\([$}\\])/g, "$1");
}
