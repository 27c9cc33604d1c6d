// A subject as text (RFC 4514), as `literalSubject` of a Certificate has it: `CN=web,OU=shop,O=Acme`. The text begins with the last
// attribute of the name.

import { decodeUtf8Lossy } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";

/** Types that have a short name; others are written as object identifiers. */
const TYPES: Readonly<Record<string, string>> = {
  C: "2.5.4.6",
  CN: "2.5.4.3",
  DC: "0.9.2342.19200300.100.1.25",
  L: "2.5.4.7",
  O: "2.5.4.10",
  OU: "2.5.4.11",
  POSTALCODE: "2.5.4.17",
  SERIALNUMBER: "2.5.4.5",
  ST: "2.5.4.8",
  STREET: "2.5.4.9",
  UID: "0.9.2342.19200300.100.1.1",
};

/** The sets of attributes in the order of the certificate. */
export function parseLiteralSubject(
  text: string,
): readonly (readonly (readonly [type: string, value: string])[])[] | Invalid {
  const sets: (readonly [string, string])[][] = [[]];
  for (const { part, end } of splitUnescaped(text)) {
    const equals = part.indexOf("=");
    if (equals < 0) return new Invalid(`literalSubject: "${part.trim()}" has no "="`);
    const name = part.slice(0, equals).trim();
    const type = /^\d+(?:\.\d+)+$/.test(name) ? name : TYPES[name.toUpperCase()];
    if (type === undefined) return new Invalid(`literalSubject: unknown attribute type "${name}"`);
    sets.at(-1)!.push([type, unescaped(part.slice(equals + 1).trim())]);
    if (end === ",") sets.push([]);
  }
  return sets.reverse();
}

function splitUnescaped(text: string): readonly { readonly part: string; readonly end: string }[] {
  const parts: { part: string; end: string }[] = [];
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === "\\") i++;
    else if (i >= text.length || text[i] === "," || text[i] === "+") {
      parts.push({ part: text.slice(start, i), end: text[i] ?? "" });
      start = i + 1;
    }
  }
  return parts;
}

/** `\2C` is a byte of UTF-8, `\,` the character itself. */
function unescaped(value: string): string {
  const plain = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value;
  return plain
    .replaceAll(/(?:\\[0-9a-f]{2})+/gi, (run) => {
      const bytes = run
        .slice(1)
        .split("\\")
        .map((pair) => Number.parseInt(pair, 16));
      return decodeUtf8Lossy(Uint8Array.from(bytes));
    })
    .replaceAll(/\\(.)/g, "$1");
}
