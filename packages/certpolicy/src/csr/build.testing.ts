// Requests made by hand, byte for byte, so that tests can write what no tool would. The signature is not one: nobody checks it.

export type Bytes = Uint8Array<ArrayBuffer>;

/** One element: identifier octet and contents. */
export function der(identifier: number, ...contents: readonly (Uint8Array | string | number[])[]): Bytes {
  const body = contents.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : [...part]));
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

export const dns = (text: string): Bytes => der(0x82, text);
export const email = (text: string): Bytes => der(0x81, text);
export const uri = (text: string): Bytes => der(0x86, text);
export const ip = (...bytes: number[]): Bytes => der(0x87, bytes);
export const otherName = (type: string, value: Uint8Array): Bytes => der(0xa0, oid(type), der(0xa0, value));

export function extension(type: string, value: Uint8Array, critical = false): Bytes {
  return der(SEQUENCE, oid(type), ...(critical ? [der(1, [0xff])] : []), der(4, value));
}

export const san = (...names: readonly Uint8Array[]): Bytes => extension("2.5.29.17", der(SEQUENCE, ...names));

const hex = (text: string): number[] => text.match(/../g)!.map((pair) => Number.parseInt(pair, 16));

/** The generator of P-256: a valid point without anybody's key. */
const POINT = [
  4,
  ...hex("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
  ...hex("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
];

export const P256: Bytes = der(
  SEQUENCE,
  der(SEQUENCE, oid("1.2.840.10045.2.1"), oid("1.2.840.10045.3.1.7")),
  der(3, [0, ...POINT]),
);
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
  const text = btoa(String.fromCharCode(...bytes)).replace(/.{64}/g, "$&\n");
  return `-----BEGIN ${label}-----\n${text}\n-----END ${label}-----\n`;
}

/** `spec.request` of a CertificateRequest. */
export const specRequest = (parts: CsrParts): string => btoa(pem(csr(parts)));
