// The baseline: findings that were there when it was written. An entry names a finding without its line, which moves with every edit.

import { posix } from "node:path";
import { isRecord, own } from "@celadon/base";
import { badInput } from "../inputs/inputs.ts";
import { readOne, readText } from "../inputs/value-file.ts";
import type { ReportRow } from "../output/answer.ts";
import { toJson } from "../output/format/json.ts";
import { writeFile } from "../output/write.ts";
import type { Args } from "../program/command.ts";
import type { Io } from "../program/io.ts";

/** A finding, and the number of its occurrences. */
export interface BaselineEntry {
  readonly rule: string;
  /** Relative to the baseline's directory. */
  readonly file: string;
  readonly object?: string;
  readonly field?: string;
  readonly count: number;
}

const KIND = "Baseline";

export async function readBaseline(
  file: string,
  io: Io,
  args: Args<"color" | "quiet">,
): Promise<readonly BaselineEntry[]> {
  const value = readOne(await readText(file, io, args), io, args);
  const entries = isRecord(value) && own(value, "kind") === KIND ? own(value, "findings") : undefined;
  const isRight = Array.isArray(entries) && entries.every(isEntry);
  if (isRight) return entries as readonly BaselineEntry[];
  throw badInput(
    [{ code: "configuration", file, message: "is no baseline", hint: "--write-baseline writes one" }],
    io,
    args,
  );
}

function isEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  const { rule, file, count, object, field } = entry;
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  return (
    typeof rule === "string" &&
    typeof file === "string" &&
    Number.isSafeInteger(count) &&
    isText(object) &&
    isText(field)
  );
}

/** The entry for a finding, counted once. */
export function entryOf({ rule, place, subject, field }: ReportRow, baseline: string): BaselineEntry {
  const object =
    subject && [subject.kind, ...(subject.namespace === undefined ? [] : [subject.namespace]), subject.name].join("/");
  return {
    rule,
    file: place === undefined ? "" : posix.relative(posix.dirname(baseline), place.file),
    ...(object !== undefined && { object }),
    ...(field !== undefined && { field }),
    count: 1,
  };
}

export const keyOf = ({ rule, file, object, field }: BaselineEntry): string =>
  JSON.stringify([rule, file, object, field]);

/** Equal entries together, in the order of their first. */
export function counted(entries: Iterable<BaselineEntry>): readonly BaselineEntry[] {
  const byKey = new Map<string, BaselineEntry>();
  for (const entry of entries) {
    const known = byKey.get(keyOf(entry));
    byKey.set(keyOf(entry), known === undefined ? entry : { ...known, count: known.count + entry.count });
  }
  return [...byKey.values()];
}

export async function writeBaseline(file: string, findings: readonly BaselineEntry[], io: Io): Promise<void> {
  await writeFile(file, `${toJson({ apiVersion: "celadon.dev/v1", kind: KIND, findings })}\n`, io);
}
