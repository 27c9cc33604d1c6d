// Places of objects in the user's files.

import { type Manifest, placeOf } from "@celadon/simulator/manifests";
import type { ShownPlace } from "../output/answer.ts";

/** The beginning of an object. */
export function startOf(manifest: Manifest): ShownPlace | undefined {
  return placeOf(manifest, []);
}
