// The place of a field in a text, and the style of its scalar.

/** The style of a YAML scalar. */
export type ScalarStyle = "plain" | "single" | "double" | "literal" | "folded";

/** A scalar as it stands in the text, its quotes or its `|` included. A block scalar ends with its last line. */
export interface ScalarRange {
  readonly start: number;
  readonly end: number;
  readonly style: ScalarStyle;
}

/** Offsets of a field's value and, for a member, of its key; the range of a scalar that is written there. */
export interface FieldPlace {
  readonly key: number | undefined;
  readonly value: number;
  readonly scalar: ScalarRange | undefined;
}

/** Finds fields of one document. */
export type Locate = (path: readonly (string | number)[]) => FieldPlace | undefined;

const STYLES: Readonly<Record<string, ScalarStyle>> = { "'": "single", '"': "double", "|": "literal", ">": "folded" };

/** The style of the scalar that starts at the offset. */
export function styleAt(text: string, start: number): ScalarStyle {
  return STYLES[text[start] ?? ""] ?? "plain";
}
