// Bytes as Go's encoding/json reads and writes them: standard base64 with padding, or a list of numbers.

import { decodeBase64, encodeBase64 } from "@celadon/base";

// Written as it was read: no line ends, and a last digit without bits beyond the last byte.
const CANONICAL = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$/;

/** The text as it is written again. */
export function readBase64(text: string): { readonly text: string } | { readonly error: string } {
  if (CANONICAL.test(text)) return { text };
  const bytes = decodeBase64(text);
  if (typeof bytes === "number") return { error: `illegal base64 data at input byte ${bytes}` };
  return { text: encodeBase64(bytes) };
}
