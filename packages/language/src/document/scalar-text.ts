// The text of a scalar and, both ways, the places of its units in the document: through block indentation, folds, quotes and escapes.

import type { JsonPath } from "@celadon/base";
import type { ReadDocument, ScalarStyle } from "@celadon/kube/read";
import type { TextRange } from "../text/range.ts";

export interface ScalarText {
  readonly text: string;
  readonly style: ScalarStyle;
  /** The range as written, its quotes or its `|` included. */
  readonly range: TextRange;
  toSource(offset: number): number;
  /** The unit that stands at an offset of the document, or the nearest before it. */
  toValue(source: number): number;
}

/** The text at a path of a document that parses. Undefined where no text stands. */
export function scalarText(document: ReadDocument, path: JsonPath, text: string, shift = 0): ScalarText | undefined {
  const range = document.rangeOf(path);
  if (range === undefined) return undefined;
  const first = document.positionIn(path, 0)?.offset ?? range.start;
  const toSource = (offset: number): number => shift + (document.positionIn(path, offset)?.offset ?? first);
  return {
    text,
    style: range.style,
    range: { start: shift + range.start, end: shift + range.end },
    toSource,
    toValue: (source) => {
      let low = 0;
      let high = text.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (toSource(middle) <= source) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
