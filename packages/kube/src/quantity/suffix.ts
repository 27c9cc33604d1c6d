// The suffixes of quantities: `Ki` … `Ei`, `n` … `E`, and decimal exponents.

/** The form in which a quantity is written. */
export type QuantityFormat = "DecimalExponent" | "BinarySI" | "DecimalSI";

export interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const DECIMAL: readonly (readonly [string, number])[] = [
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
];
const BINARY: readonly (readonly [string, number])[] = [
  ["Ki", 10],
  ["Mi", 20],
  ["Gi", 30],
  ["Ti", 40],
  ["Pi", 50],
  ["Ei", 60],
];

const BY_TEXT: ReadonlyMap<string, Suffix> = new Map<string, Suffix>([
  ...DECIMAL.map(([text, exponent]) => [text, { base: 10, exponent, format: "DecimalSI" }] as const),
  ...BINARY.map(([text, exponent]) => [text, { base: 2, exponent, format: "BinarySI" }] as const),
]);
const DECIMAL_TEXT: ReadonlyMap<number, string> = new Map(DECIMAL.map(([text, exponent]) => [exponent, text]));
const BINARY_TEXT: ReadonlyMap<number, string> = new Map(BINARY.map(([text, exponent]) => [exponent, text]));

const EXPONENT = /^[eE]([+-]?[0-9]+)$/;

export function readSuffix(text: string): Suffix | undefined {
  const known = BY_TEXT.get(text);
  if (known !== undefined) return known;
  const match = EXPONENT.exec(text);
  if (match === null) return undefined;
  const digits = match[1]!.replace(/^[+-]?0*/, "");
  if (digits.length > 19) return undefined;
  const exponent = BigInt(`${match[1]!.startsWith("-") ? "-" : ""}${digits || "0"}`);
  if (BigInt.asIntN(64, exponent) !== exponent) return undefined;
  // Upstream keeps the low 32 bits: `1e4294967296` is 1.
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: "DecimalExponent" };
}

/** The suffix of a power of ten. One that has none is left out, as upstream does: 1000E prints as 1. */
export function decimalSuffix(exponent: number, format: QuantityFormat): string {
  if (format === "DecimalExponent") return exponent === 0 ? "" : `e${exponent}`;
  return DECIMAL_TEXT.get(exponent) ?? "";
}

export function binarySuffix(exponent: number): string {
  return BINARY_TEXT.get(exponent) ?? "";
}
