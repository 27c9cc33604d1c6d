// The place of one field in a text that was read before, at a fraction of the cost of reading it again.

import type { JsonPath } from "@celadon/base";
import { type ReadOptions, settingsOf } from "../options.ts";
import type { FieldPlace } from "../scalar-style.ts";
import { PlainYamlReader } from "./plain-yaml.ts";
import { PlaceRecorder } from "./plain-yaml-places.ts";

/**
 * Offsets of a field in a text of one document, which `readDocuments` read without issues. Undefined if the document has no such field,
 * and for all that is not plain YAML: `readDocuments` then knows its places.
 */
export function seekPlain(text: string, path: JsonPath, options: ReadOptions = {}): FieldPlace | undefined {
  const places = new PlaceRecorder(text, path);
  const isPlain = new PlainYamlReader(text, settingsOf(options)).read(0, text.length, places) !== undefined;
  return isPlain ? places.locate(path) : undefined;
}
