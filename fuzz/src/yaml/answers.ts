// A reader's answer about a text: its documents as one line each, with the Go types of their values, or a refusal.

import { compareStrings, Double } from "@celadon/base";
import { readDocuments } from "@celadon/kube/read";

/** `body`: the body of a request. `file`: a file that kubectl reads. */
export type Mode = "body" | "file";

export interface YamlCase {
  readonly kind: string;
  readonly mode: Mode;
  readonly text: string;
}

export interface YamlAnswer {
  /** The documents before the first refused one. */
  readonly documents: readonly string[];
  readonly error?: string;
  /** The reference could answer otherwise next time: keys of one map become the same text. */
  readonly undefined?: boolean;
}

/** Reads the text as the API server or kubectl does. */
export function readAs({ mode, text }: YamlCase): YamlAnswer {
  const { documents, issues } = readDocuments(text, {
    double: (n) => new Double(n),
    foldYamlDoubles: true,
    duplicateKeys: "last",
    ...(mode === "body" && ({ asBody: true, format: "yaml" } as const)),
  });
  const [issue] = issues;
  if (issue === undefined) {
    const shown = documents.map(({ value }) => show(value));
    return { documents: mode === "body" && shown.length === 0 ? [show(null)] : shown };
  }
  const before = documents.filter(({ positionOf }) => positionOf([])!.offset < issue.offset);
  return { documents: before.map(({ value }) => show(value)), error: issue.message };
}

/** A value in one line: `i` int64, `f` the bits of a float64, `s` text behind its length. */
export function show(value: unknown): string {
  if (value === null) return "n";
  if (typeof value === "boolean") return value ? "T" : "F";
  if (typeof value === "string") return `s${[...value].length}:${value}`;
  if (typeof value === "bigint") return `i${value}`;
  if (value instanceof Double) return `f${bitsOf(value.value)}`;
  if (typeof value === "number") return Number.isSafeInteger(value) ? `i${value}` : `f${bitsOf(value)}`;
  if (Array.isArray(value)) return `[${value.map((item) => `${show(item)},`).join("")}]`;
  const members = Object.entries(value as object).sort(([a], [b]) => compareStrings(a, b));
  return `{${members.map(([key, item]) => `${show(key)}=${show(item)},`).join("")}}`;
}

function bitsOf(n: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, n);
  return view.getBigUint64(0).toString(16);
}
