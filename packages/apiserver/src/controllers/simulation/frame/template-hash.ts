// A short hash of a template, for names and labels. Kubernetes hashes the text of Go's structs; the letters are the same, the values are not.

/** Vowels and digits that look like letters could spell something. */
const LETTERS = "bcdfghjklmnpqrstvwxz2456789";

export function templateHash(template: unknown, collisions = 0): string {
  let hash = 0x811c9dc5;
  for (const char of `${canonical(template)}${collisions || ""}`) {
    hash = Math.imul(hash ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return [...String(hash)].map((digit) => LETTERS[Number(digit)]).join("");
}

/** The same text for the same value, in whatever order its members are. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return String(value);
  const entries = Object.entries(value).filter((entry) => entry[1] !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${key}:${canonical(member)}`)
    .join(",")}}`;
}
