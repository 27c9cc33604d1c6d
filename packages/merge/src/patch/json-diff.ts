// The JSON Patch that makes one document of another. Members are followed down to what differs; a list of another length is replaced
// whole, because positions in it no longer mean the same.

import { deepEqual, isRecord } from "@celadon/base";
import type { PatchOperation } from "./json-patch.ts";

/** Applied to `before`, the operations give `after`. Empty where both are the same. */
export function jsonDiff(before: unknown, after: unknown): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  compare(before, after, "", operations);
  return operations;
}

function compare(before: unknown, after: unknown, path: string, operations: PatchOperation[]): void {
  if (before === after) return;
  if (isRecord(before) && isRecord(after)) compareMembers(before, after, path, operations);
  else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    before.forEach((item, i) => {
      compare(item, after[i], `${path}/${i}`, operations);
    });
  else if (!deepEqual(before, after)) operations.push({ op: "replace", path, value: after });
}

function compareMembers(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: string,
  operations: PatchOperation[],
): void {
  for (const key of Object.keys(before))
    if (!Object.hasOwn(after, key)) operations.push({ op: "remove", path: `${path}/${escaped(key)}` });
  for (const [key, value] of Object.entries(after)) {
    const below = `${path}/${escaped(key)}`;
    if (Object.hasOwn(before, key)) compare(before[key], value, below, operations);
    else operations.push({ op: "add", path: below, value });
  }
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");
