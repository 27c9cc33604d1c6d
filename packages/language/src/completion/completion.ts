// The completions at a cursor, as data; the order is the order of the list.

import type { TextRange } from "../text/range.ts";

/** The kind of a completion, for its icon. */
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
  /** The text that replaces the range. With `snippet`, `$1` and `${1:name}` are places to fill in. */
  readonly insert: string;
  readonly snippet?: boolean;
}

/** The completions at the cursor, and the range that they replace. */
export interface Completions {
  readonly items: readonly Completion[];
  /** The range in the file that an item replaces. */
  readonly range: TextRange;
}

/** Without the places to fill in, for clients that know none. */
export function plainInsert({ insert, snippet }: Completion): string {
  if (snippet !== true) return insert;
  return insert
    .replace(/\$\{\d+:([^}]*)\}/g, "$1")
    .replace(/\$\d/g, "")
    .replace(/\\([$}\\])/g, "$1");
}
