// A document that was read: its value, and the places of its fields, found on request.

import type { JsonPath } from "@celadon/base";
import type { LineIndex, TextPosition } from "./position.ts";
import { type ScalarPlaces, traceScalar } from "./scalar-places.ts";
import type { Locate, ScalarRange } from "./scalar-style.ts";

/** One document of a text: its value, and where everything in it is written. */
export interface ReadDocument {
  /** Plain data: objects, arrays, strings, booleans, null, numbers, bigints, and what `double` made. */
  readonly value: unknown;
  /** The number of the document in the stream, from 0; documents without content count. */
  readonly index: number;
  /** Offset where the value begins, if it was found on the way. */
  readonly begin?: number;
  /** The position of a field: its value, or with "key" its name. Looked up in the text on demand. */
  positionOf(path: JsonPath, part?: "value" | "key"): TextPosition | undefined;
  /**
   * The position of a UTF-16 unit of the text at the path: in block scalars, quotes, folded lines and escapes too. The text's length gives
   * the place behind it. Undefined where no text is, beyond it, and for `!!binary`.
   */
  positionIn(path: JsonPath, offset: number): TextPosition | undefined;
  /** The scalar at the path as it is written: an alias where its anchor is. Undefined for objects and lists. */
  rangeOf(path: JsonPath): ScalarRange | undefined;
  /** A line of the text the document stands in, from 1, without its line end. */
  lineText(line: number): string | undefined;
}

/** `begin` is the place that is needed most: if it is known, none has to be found. */
export function documentOf(
  value: unknown,
  index: number,
  lines: LineIndex,
  locator: () => Locate,
  begin?: number,
): ReadDocument {
  // The text that was looked up last: an expression with an error is usually looked up more than once.
  let traced: { readonly start: number; readonly places: ScalarPlaces | undefined } | undefined;
  return {
    value,
    index,
    ...(begin !== undefined && { begin }),
    positionOf: (path, part = "value") => {
      if (begin !== undefined && path.length === 0) return part === "key" ? undefined : lines.at(begin);
      const place = locator()(path);
      const offset = part === "key" ? place?.key : place?.value;
      return offset === undefined ? undefined : lines.at(offset);
    },
    positionIn: (path, offset) => {
      const text = valueAt(value, path);
      const range = typeof text === "string" ? locator()(path)?.scalar : undefined;
      if (range === undefined) return undefined;
      if (traced?.start !== range.start) {
        traced = { start: range.start, places: traceScalar(lines.text, range, text as string) };
      }
      const at = traced.places?.sourceOf(offset, lines.text);
      return at === undefined ? undefined : lines.at(at);
    },
    rangeOf: (path) => locator()(path)?.scalar,
    lineText: (line) => lines.lineText(line),
  };
}

function valueAt(value: unknown, path: JsonPath): unknown {
  return path.reduce(
    (item, step) =>
      typeof item === "object" && item !== null && Object.hasOwn(item, step)
        ? (item as Record<string | number, unknown>)[step]
        : undefined,
    value,
  );
}

/** Calls `make` on first use and keeps the result. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
