// A problem that lint reports: the part of the resource, and its place if it comes from a file.

import { type JsonPath, valueAt } from "@celadon/base";
import { type Manifest, type Place, placeOf } from "@celadon/simulator/manifests";
import { LINT_CODES, type LintLevel } from "./codes.ts";
import type { LintCode } from "./lint-code.ts";

/** Something that is wrong with a resource, and where. */
export interface LintProblem {
  readonly code: LintCode;
  readonly level: LintLevel;
  readonly manifest: Manifest;
  readonly path: JsonPath;
  /** The field's name is wrong, not its value. */
  readonly key?: boolean;
  /** The offset of a character in the text at the path, and the length that is meant. */
  readonly offset?: number;
  readonly length?: number;
  readonly message: string;
  /** Problems of a resource with the same cause need one correction, and are reported as one. */
  readonly cause?: string;
  /** The name that was probably meant by the misspelt one at the place. */
  readonly suggestion?: string;
  /** Advice for people. */
  readonly help?: string;
  readonly related?: readonly RelatedPlace[];
}

/** Another place that a problem is about. */
export interface RelatedPlace extends Pick<LintProblem, "manifest" | "path" | "offset"> {
  readonly message: string;
}

type More = Partial<Pick<LintProblem, "level" | "key" | "offset" | "length" | "cause" | "related" | "suggestion">> & {
  readonly help?: string | undefined;
};

/** A problem with the level of its code, unless another is given. */
export function problem(
  code: LintCode,
  manifest: Manifest,
  path: JsonPath,
  message: string,
  { help, ...more }: More = {},
): LintProblem {
  const { level } = LINT_CODES.get(code)!;
  return { code, level, manifest, path, message, ...(help !== undefined && { help }), ...more };
}

/** From a place to before another. */
export interface PlaceRange extends Place {
  readonly endLine: number;
  readonly endColumn: number;
}

/** Undefined for a resource without a file. */
export function relatedPlace({ manifest, path, offset }: RelatedPlace): Place | undefined {
  const found = offset === undefined ? undefined : manifest.origin?.positionIn(path, offset);
  return found ?? placeOf(manifest, path);
}

/** Undefined for a resource without a file. */
export function problemPlace({ manifest, path, key, offset, length }: LintProblem): PlaceRange | undefined {
  const { origin } = manifest;
  if (origin === undefined) return undefined;
  if (offset !== undefined) {
    const found = origin.positionIn(path, offset);
    if (found !== undefined) return placed(found, Math.max(1, length ?? 1));
  }
  const place = placeOf(manifest, path, key === true ? "key" : "value");
  return place && placed(place, shownLength(origin.lineText(place.line), place.column, manifest, path, key === true));
}

function placed({ file, line, column }: Place, length: number): PlaceRange {
  return { file, line, column, endLine: line, endColumn: column + length };
}

/** The length of the name or the value in the line, as far as it stands there unchanged. */
function shownLength(line = "", column: number, { object }: Manifest, path: JsonPath, key: boolean): number {
  const rest = line.slice(column - 1);
  const value = valueAt(object, path);
  const last = path.at(-1) ?? "";
  const words = [...(key || value === undefined ? [] : [String(value)]), String(last)];
  for (const word of words) {
    if (word === "") continue;
    if (rest.startsWith(word)) return word.length;
    if (/^["']/.test(rest) && rest.startsWith(word, 1)) return word.length + 2;
  }
  // A missing field is shown at the name of its parent.
  return /^[\w-]+(?=:)/.exec(rest)?.[0].length ?? 1;
}
