// The greatest length of a text. A text that grows by repetition, `s.replace('', s)`, is a gigabyte before its cost is known: beyond the
// bound for one evaluation it is an error, and less counts as growth.

import { type CelError, celError } from "../../value/error.ts";
import { grow, MAX_GROWTH } from "../../value/size/work.ts";

/** In UTF-16 units. */
export const MAX_TEXT_LENGTH: number = MAX_GROWTH;

export function textTooLong(): CelError {
  return celError("invalid_argument", `text is longer than ${MAX_TEXT_LENGTH} characters`);
}

/** Texts between separators. */
export function joinTexts(texts: readonly string[], separator: string): string | CelError {
  let length = Math.max(texts.length - 1, 0) * separator.length;
  for (const text of texts) length += text.length;
  if (length > MAX_TEXT_LENGTH) return textTooLong();
  grow(length);
  return texts.join(separator);
}
