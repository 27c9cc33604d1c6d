// Certificate signing requests as bytes. The signature is not valid: policies only read the contents, and nobody
// verifies it.

import { encodeBase64, encodeUtf8 } from "@celadon/base";

export type Bytes = Uint8Array<ArrayBuffer>;

/** One element: identifier octet and contents. */
export function der(identifier: number, ...contents: readonly (Uint8Array | string | number[])[]): Bytes {
  const body = contents.flatMap((part) => (typeof part === "string" ? [...encodeUtf8(part)] : [...part]));
  const size = body.length;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Uint8Array.from([identifier, ...length, ...body]);
}

export const SEQUENCE = 0x30;
export const SET = 0x31;
export const UTF8 = 0x0c;

export function oid(text: string): Bytes {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return der(6, [first * 40 + second, ...rest].flatMap(base128));
}

function base128(arc: number): number[] {
  const digits = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) | 0x80);
  return digits;
}

/** A Subject with one attribute per set. */
export function name(...attributes: readonly [type: string, value: string | Uint8Array][]): Bytes {
  const pairs = attributes.map(([type, value]) =>
    der(SEQUENCE, oid(type), typeof value === "string" ? der(UTF8, value) : value),
  );
  return der(SEQUENCE, ...pairs.map((pair) => der(SET, pair)));
}

export function extension(type: string, value: Uint8Array, critical = false): Bytes {
  return der(SEQUENCE, oid(type), ...(critical ? [der(1, [0xff])] : []), der(4, value));
}

const hex = (text: string): number[] => text.match(/../g)!.map((pair) => Number.parseInt(pair, 16));

/** The generators of the curves (SEC 2): valid points that are nobody's keys. */
const GENERATORS: ReadonlyMap<number, readonly [oid: string, point: string]> = new Map([
  [
    256,
    [
      "1.2.840.10045.3.1.7",
      "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296" +
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5",
    ],
  ],
  [
    384,
    [
      "1.3.132.0.34",
      "aa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7" +
        "3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5f",
    ],
  ],
  [
    521,
    [
      "1.3.132.0.35",
      "00c6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66" +
        "011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650",
    ],
  ],
]);

/** A key of the curve with so many bits; undefined for a curve that is not known. */
export function ecKey(bits: number): Bytes | undefined {
  const curve = GENERATORS.get(bits);
  if (curve === undefined) return undefined;
  return der(SEQUENCE, der(SEQUENCE, oid("1.2.840.10045.2.1"), oid(curve[0])), der(3, [0, 4, ...hex(curve[1])]));
}

export const P256: Bytes = ecKey(256)!;
export const ED25519: Bytes = der(SEQUENCE, der(SEQUENCE, oid("1.3.101.112")), der(3, [0, ...new Array(32).fill(7)]));

export function rsaKey(bits: number): Bytes {
  const modulus = [0, 0x80, ...new Array(bits / 8 - 2).fill(0), 1];
  const key = der(SEQUENCE, der(2, modulus), der(2, [1, 0, 1]));
  return der(SEQUENCE, der(SEQUENCE, oid("1.2.840.113549.1.1.1"), der(5)), der(3, [0], key));
}

export interface CsrParts {
  readonly subject?: Uint8Array;
  readonly key?: Uint8Array;
  readonly extensions?: readonly Uint8Array[];
  /** Further attributes, after the extension request. */
  readonly attributes?: readonly Uint8Array[];
}

export function csr({ subject = name(), key = P256, extensions = [], attributes = [] }: CsrParts): Bytes {
  const request = der(SEQUENCE, oid("1.2.840.113549.1.9.14"), der(SET, der(SEQUENCE, ...extensions)));
  const info = der(
    SEQUENCE,
    der(2, [0]),
    subject,
    key,
    der(0xa0, ...(extensions.length > 0 ? [request] : []), ...attributes),
  );
  return der(SEQUENCE, info, der(SEQUENCE, oid("1.2.840.10045.4.3.2")), der(3, [0, 1, 2, 3]));
}

export function pem(bytes: Uint8Array, label = "CERTIFICATE REQUEST"): string {
  const text = encodeBase64(bytes).replace(/.{64}/g, "$&\n");
  return `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`;
}
