// How long a text may become. Runtimes throw beyond a length of their own (V8 at half a billion units); a text that grows by
// repetition, `s.replace('', s)`, gets there from a few megabytes, and then answers an error instead.

import { type CelError, celError } from "../value/error.ts";

/** In UTF-16 units. */
export const MAX_TEXT_LENGTH = 0x1000_0000;

export function textTooLong(): CelError {
  return celError("invalid_argument", `text is longer than ${MAX_TEXT_LENGTH} characters`);
}

/** Texts between separators. */
export function joinTexts(texts: readonly string[], separator: string): string | CelError {
  let length = Math.max(texts.length - 1, 0) * separator.length;
  for (const text of texts) length += text.length;
  return length > MAX_TEXT_LENGTH ? textTooLong() : texts.join(separator);
}
