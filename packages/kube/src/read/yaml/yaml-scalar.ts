// Plain scalars as sigs.k8s.io/yaml reads them: YAML 1.1 with Go's number forms. `yes`, `on` and `y` are true, `010` is 8, `1_000` is 1000,
// `1e3` is a double, dates stay text, and so does any scalar that is no number after all.

import { formatFloatV } from "@celadon/base";
export type YamlScalar =
  | { readonly kind: "null" }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "str"; readonly value: string };

const WORDS: ReadonlyMap<string, YamlScalar> = new Map<string, YamlScalar>([
  ...words({ kind: "null" }, "", "~", "null", "Null", "NULL"),
  ...words({ kind: "bool", value: true }, "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"),
  ...words({ kind: "bool", value: false }, "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"),
  ...words({ kind: "float", value: Number.NaN }, ".nan", ".NaN", ".NAN"),
  ...words({ kind: "float", value: Number.POSITIVE_INFINITY }, ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"),
  ...words({ kind: "float", value: Number.NEGATIVE_INFINITY }, "-.inf", "-.Inf", "-.INF"),
]);

function words(scalar: YamlScalar, ...texts: readonly string[]): [string, YamlScalar][] {
  return texts.map((text) => [text, scalar]);
}

const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
// The texts that start with a dot and that strconv.ParseFloat accepts.
const DOT_FLOAT = /^\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?$/;
// Base 0 of strconv.ParseInt, signs included.
const INTEGER = /^([+-]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]([0-7]+)|0([0-7]+)|(0|[1-9][0-9]*))$/;
/** The longest form without leading zeros is binary, with a sign; converting a million digits takes long. */
const LONGEST_INTEGER = 67;
const LEADING_ZEROS = /^[+-]?0[xXbBoO]?0/;
/** Base 2 of strconv.ParseInt, which takes a sign behind the prefix as well. */
const SIGNED_BINARY = /^0b([+-][01]+)$/;

const LONGEST_WORD = Math.max(...[...WORDS.keys()].map((word) => word.length));

/** Whether a plain scalar is text for sure, seen from its length and first character: most are, and this is quick. */
export function isPlainText(text: string): boolean {
  return text.length > LONGEST_WORD && text.charCodeAt(0) > 0x39; // behind signs, dots and digits
}

/** The value of a plain scalar without a tag. */
export function resolvePlain(text: string): YamlScalar {
  const word = text.length > LONGEST_WORD ? undefined : WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charCodeAt(0);
  if (first === 0x2e) return resolveDotted(text);
  if ((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d) return resolveNumber(text);
  return { kind: "str", value: text };
}

function resolveDotted(text: string): YamlScalar {
  const n = DOT_FLOAT.test(text) ? Number(text.replaceAll("_", "")) : Number.NaN;
  return Number.isFinite(n) ? { kind: "float", value: n } : { kind: "str", value: text };
}

function resolveNumber(text: string): YamlScalar {
  const plain = text.includes("_") ? text.replaceAll("_", "") : text;
  const integer = resolveInteger(plain);
  if (integer !== undefined) return { kind: "int", value: integer };
  if (FLOAT.test(plain)) {
    const n = Number(plain);
    if (Number.isFinite(n)) return { kind: "float", value: n };
  }
  return { kind: "str", value: text };
}

/** A whole number that fits an int64, or without a sign a uint64. */
function resolveInteger(text: string): bigint | undefined {
  if (text.length > LONGEST_INTEGER && !LEADING_ZEROS.test(text)) return undefined;
  const match = INTEGER.exec(text);
  if (match === null) return signedBinary(text);
  const [, sign, hexadecimal, binary, octal, oldOctal, decimal] = match;
  const digits =
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : oldOctal !== undefined
            ? `0o${oldOctal}`
            : decimal!;
  const size = BigInt(digits);
  const value = sign === "-" ? -size : size;
  if (BigInt.asIntN(64, value) === value) return value;
  return sign === "" && BigInt.asUintN(64, value) === value ? value : undefined;
}

function signedBinary(text: string): bigint | undefined {
  const digits = SIGNED_BINARY.exec(text)?.[1];
  if (digits === undefined) return undefined;
  const size = BigInt(`0b${digits.slice(1)}`);
  const value = digits.startsWith("-") ? -size : size;
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

/** The text of a double used as a key: with the digits of a float32, as %g prints them. */
export function floatKeyText(n: number): string {
  if (Number.isNaN(n)) return ".nan";
  const single = Math.fround(n);
  if (!Number.isFinite(single)) return n > 0 ? ".inf" : "-.inf";
  if (single === 0) return formatFloatV(single); // toPrecision would lose the sign
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  return formatFloatV(Number(single.toPrecision(digits)));
}
