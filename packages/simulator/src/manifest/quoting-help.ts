// Values that YAML reads as something other than the text they were meant to be: `n`, `on`, a name of digits.

import { type JsonPath, valueAt } from "@celadon/base";
import { type Manifest, placeOf } from "./manifest.ts";

/** The quoted form of a boolean or number where a text is needed; undefined for anything else. */
export function quotingHelp(manifest: Manifest, path: JsonPath): string | undefined {
  const value = valueAt(manifest.object, path);
  const place = placeOf(manifest, path);
  if (place === undefined || (typeof value !== "boolean" && typeof value !== "number")) return undefined;
  const line = manifest.origin?.lineText(place.line)?.slice(place.column - 1) ?? "";
  const written = /^[\w.+-]+/.exec(line)?.[0] ?? "";
  return written === "" ? undefined : `YAML reads ${written} without quotes as a ${typeof value}: write "${written}"`;
}
