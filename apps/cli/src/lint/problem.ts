// One thing lint has to say, and where in the user's file it is.

import { type Manifest, valueAt } from "@celadon/simulator";
import { placeOf } from "../outcome/place.ts";
import type { Place } from "../output/answer.ts";
import { LINT_CODES, type LintCode, type LintLevel } from "./codes.ts";

export type Path = readonly (string | number)[];

export interface LintProblem {
  readonly code: LintCode;
  readonly level: LintLevel;
  readonly manifest: Manifest;
  readonly path: Path;
  /** The field's name is wrong, not its value. */
  readonly key?: boolean;
  /** Of a character of the text at the path, and how much of it is meant. */
  readonly offset?: number;
  readonly length?: number;
  readonly message: string;
  /** What to do about it. */
  readonly help?: string;
  readonly related?: readonly { readonly message: string; readonly manifest: Manifest; readonly path: Path }[];
}

type More = Partial<Pick<LintProblem, "level" | "key" | "offset" | "length" | "related">> & {
  readonly help?: string | undefined;
};

export function problem(
  code: LintCode,
  manifest: Manifest,
  path: Path,
  message: string,
  { help, ...more }: More = {},
): LintProblem {
  const { level } = LINT_CODES.get(code)!;
  return { code, level, manifest, path, message, ...(help !== undefined && { help }), ...more };
}

/** Undefined for what comes from no file. `endColumn` is the first that is not meant. */
export function problemPlace({ manifest, path, key, offset, length }: LintProblem): Place | undefined {
  const { origin } = manifest;
  if (origin === undefined) return undefined;
  if (offset !== undefined) {
    const found = origin.positionIn(path, offset);
    if (found !== undefined) return placed(found, Math.max(1, length ?? 1));
  }
  const place = placeOf(manifest, path, key === true ? "key" : "value");
  return place && placed(place, shownLength(origin.lineText(place.line), place.column, manifest, path, key === true));
}

function placed({ file, line, column }: Place, length: number): Place {
  return { file, line, column, endLine: line, endColumn: column + length };
}

/** How much of the line is the name or the value, as far as it stands there as it is. */
function shownLength(line = "", column: number, { object }: Manifest, path: Path, key: boolean): number {
  const rest = line.slice(column - 1);
  const value = valueAt(object, path);
  const last = path.at(-1) ?? "";
  const words = [...(key || value === undefined ? [] : [String(value)]), String(last)];
  for (const word of words) {
    if (word === "") continue;
    if (rest.startsWith(word)) return word.length;
    if (/^["']/.test(rest) && rest.startsWith(word, 1)) return word.length + 2;
  }
  // A missing field is shown by the name of what it is missing from.
  return /^[\w-]+(?=:)/.exec(rest)?.[0].length ?? 1;
}
