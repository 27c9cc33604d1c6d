// Bytes that are written in base64. In a map they may be null, which stands for none.

import { decodeBase64, decodeUtf8Lossy } from "@celadon/base";

/** The number of bytes that the text encodes. */
export function byteLength(base64: string | null): number {
  if (base64 === null) return 0;
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
  return (base64.length / 4) * 3 - padding;
}

/** The bytes as a text; none where they cannot be read. */
export function byteText(base64: string): string {
  return decodeUtf8Lossy(bytesOf(base64));
}

/** The bytes; none where they cannot be read. */
export function bytesOf(base64: string | null): Uint8Array {
  const bytes = decodeBase64(base64 ?? "");
  return typeof bytes === "number" ? new Uint8Array() : bytes;
}
