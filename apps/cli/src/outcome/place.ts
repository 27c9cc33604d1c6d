// Where in the user's files something is: the field itself, or the nearest part of the object that is written down.

import type { Manifest } from "@celadon/simulator";
import type { Place } from "../output/answer.ts";
import { oneLine } from "../output/visible.ts";

/** The place of a field; of its name where `part` says so. Undefined for objects that come from no file. */
export function placeOf(
  { origin }: Manifest,
  path: readonly (string | number)[],
  part: "value" | "key" = "value",
): Place | undefined {
  if (origin === undefined) return undefined;
  for (let length = path.length; length >= 0; length--) {
    const steps = path.slice(0, length);
    // What is missing is shown by what it is missing from.
    const found = origin.positionOf(steps, length < path.length && length > 0 ? "key" : part);
    if (found !== undefined) return { file: found.file, line: found.line, column: found.column };
  }
  return { file: origin.file, line: 1, column: 1 };
}

/** Where an object begins. */
export function startOf(manifest: Manifest): Place | undefined {
  return placeOf(manifest, []);
}

export function placeText({ file, line, column }: Place): string {
  return `${oneLine(file)}:${line}:${column}`;
}
