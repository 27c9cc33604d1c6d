// A warning of the API server as data: the text that it sends, and the field that the text is about.

import { type FieldPath, fieldPath } from "./field-path.ts";

/** A warning about a write that is accepted nevertheless. */
export interface Warning {
  /** The text as the API server sends it. */
  readonly text: string;
  /** The field it is about; absent if it is about the whole object. */
  readonly path?: FieldPath;
}

/** A warning whose text starts with its field, as most do. A path given as text is names with dots between them. */
export function fieldWarning(at: FieldPath | string, message: string): Warning {
  const path = typeof at === "string" ? fieldPath(...at.split(".")) : at;
  return { text: `${path}: ${message}`, path };
}

/** Each text once, the first time it was given. */
export function distinctWarnings(warnings: readonly Warning[]): readonly Warning[] {
  if (warnings.length < 2) return warnings;
  const first = new Map<string, Warning>();
  for (const warning of warnings) if (!first.has(warning.text)) first.set(warning.text, warning);
  return [...first.values()];
}
