// Places in the user's files, as text.

import { type Manifest, placeOf } from "@celadon/simulator/manifests";
import type { ShownPlace } from "../output/answer.ts";
import { oneLine } from "../output/visible.ts";

/** The beginning of an object. */
export function startOf(manifest: Manifest): ShownPlace | undefined {
  return placeOf(manifest, []);
}

export function placeText({ file, line, column }: ShownPlace): string {
  return `${oneLine(file)}:${line}:${column}`;
}
