// Standard base64 with padding ↔ text, for YAML's !!binary and the data of secrets. No host function is used: the package
// runs anywhere.

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SHAPE = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The decoded bytes read as UTF-8, invalid ones as U+FFFD; undefined if the text is not base64. Line ends are skipped. */
export function decodeBase64Text(text: string): string | undefined {
  const digits = text.replace(/[\r\n]/g, "");
  if (!SHAPE.test(digits)) return undefined;
  let escaped = "";
  let bits = 0;
  let held = 0;
  for (const digit of digits) {
    if (digit === "=") break;
    held = (held << 6) | ALPHABET.indexOf(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    escaped += `%${((held >> bits) & 0xff).toString(16).padStart(2, "0")}`;
    held &= (1 << bits) - 1;
  }
  return decodeUtf8(escaped);
}

/** The UTF-8 of the text in base64. */
export function encodeBase64Text(text: string): string {
  const escaped = encodeURIComponent(text.replace(/\p{Cs}/gu, "\ufffd"));
  const bytes = [...escaped.matchAll(/%(..)|./g)].map(([char, digits]) =>
    digits === undefined ? char.charCodeAt(0) : Number.parseInt(digits, 16),
  );
  let encoded = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const held = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let digit = 0; digit < 4; digit++) {
      encoded += i + digit > bytes.length ? "=" : ALPHABET[(held >> (18 - 6 * digit)) & 63];
    }
  }
  return encoded;
}

function decodeUtf8(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch {
    // Keep what is well formed, byte by byte or character by character.
    return escaped.replace(
      /(?:%[0-7].)|(?:%[c-d].%[89ab].)|(?:%e.(?:%[89ab].){2})|(?:%f.(?:%[89ab].){3})|%../g,
      (part) => {
        try {
          return decodeURIComponent(part);
        } catch {
          return "\ufffd".repeat(part.length / 3);
        }
      },
    );
  }
}
