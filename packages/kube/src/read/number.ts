// Numbers as Kubernetes decodes them: an integer form that fits 64 bits is an integer (a number while it is safe, a
// bigint beyond), everything else is a double. A double that is a safe integer goes through the caller's factory.

/** The value of digits with an optional minus sign. */
export function integerValue(text: string): number | bigint {
  const n = Number(text);
  if (Number.isSafeInteger(n)) return n + 0; // -0 is the integer 0
  const exact = BigInt(text);
  return BigInt.asIntN(64, exact) === exact ? exact : n;
}

export function doubleValue(n: number, double: (n: number) => unknown): unknown {
  return Number.isSafeInteger(n) ? double(n) : n;
}
