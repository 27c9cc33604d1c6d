// Objects with the places where they are written, so that every message about an object can point into the user's file.

import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { TextPosition } from "@celadon/kube/read";

/** The place at which an object is written: a document of a file, or an item of a List in it. */
export interface Origin {
  readonly file: string;
  /** The position of a field's value, or with "key" of its name. The object itself has the path []. */
  positionOf(path: JsonPath, part?: "value" | "key"): TextPosition | undefined;
  /** The position of one character of a text value, also inside block scalars. */
  positionIn(path: JsonPath, offset: number): TextPosition | undefined;
  /** A line of the file, for frames; lines count from 1. */
  lineText(line: number): string | undefined;
}

/** An object, and where it was written. */
export interface Manifest {
  readonly object: KubeObject;
  readonly origin?: Origin;
}

/** A plain object is a manifest that was written nowhere. */
export function asManifest(given: Manifest | KubeObject): Manifest {
  return isManifest(given) ? given : { object: given };
}

// An object of Kubernetes has a kind; a manifest itself has none.
const isManifest = (given: Manifest | KubeObject): given is Manifest =>
  "object" in given && !("kind" in given) && !("apiVersion" in given);

/** A place in a file; lines and columns count from 1. */
export type Place = Omit<TextPosition, "offset">;

/**
 * The place of a field, or of its name with `part: "key"`. If the field is not written, the place of the nearest parent. Undefined for
 * objects that come from no file.
 */
export function placeOf({ origin }: Manifest, path: JsonPath, part: "value" | "key" = "value"): Place | undefined {
  if (origin === undefined) return undefined;
  for (let length = path.length; length >= 0; length--) {
    const steps = path.slice(0, length);
    // A missing field is shown at its nearest parent.
    const found = origin.positionOf(steps, length < path.length && length > 0 ? "key" : part);
    if (found !== undefined) return { file: found.file, line: found.line, column: found.column };
  }
  return { file: origin.file, line: 1, column: 1 };
}
