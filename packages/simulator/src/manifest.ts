// Objects with where they were written, so that whatever is said of one can point into the user's file.

import type { JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Position } from "@celadon/kube/read";

/** Where an object stands. A document of a file, or an item of a List in one. */
export interface Origin {
  readonly file: string;
  /** Of a field's value, or with "key" of its name. The object itself has the path []. */
  positionOf(path: JsonPath, part?: "value" | "key"): Position | undefined;
  /** Of one character of a text value, also inside block scalars. */
  positionIn(path: JsonPath, offset: number): Position | undefined;
  /** A line of the file, for frames; lines count from 1. */
  lineText(line: number): string | undefined;
}

export interface Manifest {
  readonly object: KubeObject;
  readonly origin?: Origin;
}
