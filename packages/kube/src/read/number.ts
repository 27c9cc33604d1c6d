// Numbers as Kubernetes decodes them: an integer form that fits 64 bits is an integer (a number while it is safe, a
// bigint beyond), everything else is a double. A double that is a safe integer goes through the caller's factory.

/** Characters of the longest int64. */
const LONGEST = "-9223372036854775808".length;

/** The value of digits with an optional minus sign; infinite where no double is so large. */
export function integerValue(text: string): number | bigint {
  const n = Number(text);
  if (Number.isSafeInteger(n)) return n + 0; // -0 is the integer 0
  if (text.length > LONGEST) return n; // converting a million digits takes long
  const exact = BigInt(text);
  return BigInt.asIntN(64, exact) === exact ? exact : n;
}

export function doubleValue(n: number, double: (n: number) => unknown): unknown {
  return Number.isSafeInteger(n) ? double(n) : n;
}

const SHOWN = 40;

/** A number for an error message, which need not repeat a million digits. */
export function shownNumber(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}... (${text.length} characters)`;
}
