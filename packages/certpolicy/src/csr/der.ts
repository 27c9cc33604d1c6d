// DER, held to the strictness of Go's encoding/asn1: a request is accepted only if its bytes have one meaning. And where the reference does
// not look into an element, nothing in it matters: `readParts` cuts without descending. Nothing here throws: an error is an Invalid with
// the words of the reference.

import { Invalid } from "@celadon/kube/errors";

export const UNIVERSAL = 0;
export const CONTEXT = 2;

/** One element: its tag, its bytes with and without the header. */
export interface Part {
  readonly tagClass: number;
  readonly tag: number;
  readonly constructed: boolean;
  readonly content: Uint8Array;
  readonly raw: Uint8Array;
}

export const TAG = {
  boolean: 1,
  integer: 2,
  bitString: 3,
  octetString: 4,
  null: 5,
  oid: 6,
  utf8String: 12,
  sequence: 16,
  set: 17,
  numericString: 18,
  printableString: 19,
  t61String: 20,
  ia5String: 22,
  utcTime: 23,
  generalizedTime: 24,
  bmpString: 30,
} as const;

/**
 * The elements that fill `content`, one after the other, without their contents. With a count only the first ones are read: the rest of a
 * structure has no meaning in the reference, and need not be well-formed.
 */
export function readParts(content: Uint8Array, count: number = Number.POSITIVE_INFINITY): readonly Part[] | Invalid {
  const parts: Part[] = [];
  for (let at = 0; at < content.length && parts.length < count; ) {
    const rest = content.subarray(at);
    const header = readHeader(rest);
    if (header instanceof Invalid) return header;
    if (header.end > rest.length) return new Invalid("asn1: syntax error: data truncated");
    const { tagClass, tag, constructed, start, end } = header;
    parts.push({ tagClass, tag, constructed, content: rest.subarray(start, end), raw: rest.subarray(0, end) });
    at += end;
  }
  return parts;
}

/** The bytes of the first element by the length in its header; the rest is left out. */
export function firstElement(bytes: Uint8Array): Uint8Array {
  const header = readHeader(bytes);
  return header instanceof Invalid ? bytes : bytes.subarray(0, header.end);
}

export interface Header {
  readonly tagClass: number;
  readonly tag: number;
  readonly constructed: boolean;
  /** The beginning and end of the content. */
  readonly start: number;
  readonly end: number;
}

export function readHeader(bytes: Uint8Array): Header | Invalid {
  const first = bytes[0];
  if (first === undefined) return new Invalid("asn1: syntax error: sequence truncated");
  let at = 1;
  let tag = first & 0x1f;
  if (tag === 0x1f) {
    const long = readBase128(bytes, at);
    if (long instanceof Invalid) return long;
    if (long.value < 0x1f) return new Invalid("asn1: syntax error: non-minimal tag");
    tag = long.value;
    at = long.next;
  }
  const size = readLength(bytes, at);
  if (size instanceof Invalid) return size;
  return {
    tagClass: first >> 6,
    tag,
    constructed: (first & 0x20) !== 0,
    start: size.next,
    end: size.next + size.value,
  };
}

interface Read {
  readonly value: number;
  readonly next: number;
}

const TRUNCATED = new Invalid("asn1: syntax error: truncated tag or length");

function readLength(bytes: Uint8Array, start: number): Read | Invalid {
  const first = bytes[start];
  if (first === undefined) return TRUNCATED;
  if (first < 0x80) return { value: first, next: start + 1 };
  const count = first & 0x7f;
  if (count === 0) return new Invalid("asn1: syntax error: indefinite length found (not DER)");
  let value = 0;
  for (let i = 1; i <= count; i++) {
    const byte = bytes[start + i];
    if (byte === undefined) return TRUNCATED;
    if (value >= 1 << 23) return new Invalid("asn1: structure error: length too large");
    value = value * 256 + byte;
    if (value === 0) return new Invalid("asn1: structure error: superfluous leading zeros in length");
  }
  if (value < 0x80) return new Invalid("asn1: structure error: non-minimal length");
  return { value, next: start + 1 + count };
}

function readBase128(bytes: Uint8Array, start: number): Read | Invalid {
  let value = 0;
  for (let i = start; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (i - start === 5) break;
    if (i === start && byte === 0x80) return new Invalid("asn1: syntax error: integer is not minimally encoded");
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    return value > 0x7fffffff
      ? new Invalid("asn1: structure error: base 128 integer too large")
      : { value, next: i + 1 };
  }
  return bytes.length - start >= 5
    ? new Invalid("asn1: structure error: base 128 integer too large")
    : new Invalid("asn1: syntax error: truncated base 128 integer");
}

/** The dotted text of an OBJECT IDENTIFIER's content. */
export function readOid(content: Uint8Array): string | Invalid {
  if (content.length === 0) return new Invalid("asn1: syntax error: zero length OBJECT IDENTIFIER");
  const arcs: number[] = [];
  for (let at = 0; at < content.length; ) {
    const arc = readBase128(content, at);
    if (arc instanceof Invalid) return arc;
    if (at > 0) arcs.push(arc.value);
    else if (arc.value < 80) arcs.push(Math.floor(arc.value / 40), arc.value % 40);
    else arcs.push(2, arc.value - 80);
    at = arc.next;
  }
  return arcs.join(".");
}

/** The bytes of a BIT STRING; bits that do not fill them are aligned to the right. */
export function readBitString(content: Uint8Array): Uint8Array | Invalid {
  const padding = content[0];
  if (padding === undefined) return new Invalid("asn1: syntax error: zero length BIT STRING");
  const last = content.at(-1)!;
  if (
    padding > 7 ||
    (content.length === 1 && padding > 0) ||
    (content.length > 1 && (last & ((1 << padding) - 1)) !== 0)
  ) {
    return new Invalid("asn1: syntax error: invalid padding bits in BIT STRING");
  }
  const bits = content.subarray(1);
  if (padding === 0) return bits;
  return bits.map((byte, i) => ((i === 0 ? 0 : bits[i - 1]! << (8 - padding)) | (byte >> padding)) & 0xff);
}

/** A two's complement INTEGER of any size. */
export function readInteger(content: Uint8Array): bigint | Invalid {
  const [first, second] = content;
  if (first === undefined) return new Invalid("asn1: structure error: empty integer");
  if (second !== undefined && ((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80))) {
    return new Invalid("asn1: structure error: integer not minimally-encoded");
  }
  let hex = "";
  for (const byte of content) hex += byte.toString(16).padStart(2, "0");
  return BigInt.asIntN(content.length * 8, BigInt(`0x${hex}`));
}

export function isUniversal<P extends Part>(part: P | undefined, tag: number, constructed = false): part is P {
  return part?.tagClass === UNIVERSAL && part.tag === tag && part.constructed === constructed;
}

/** `SEQUENCE`, `primitive [0]`, as the messages call an element. */
export function describe(element: Part | undefined): string {
  if (element === undefined) return "nothing";
  const names: Readonly<Record<number, string>> = {
    1: "BOOLEAN",
    2: "INTEGER",
    3: "BIT STRING",
    4: "OCTET STRING",
    5: "NULL",
    6: "OBJECT IDENTIFIER",
    12: "UTF8String",
    16: "SEQUENCE",
    17: "SET",
    19: "PrintableString",
  };
  const { tagClass, tag, constructed } = element;
  const form = constructed ? "constructed" : "primitive";
  if (tagClass === CONTEXT) return `${form} [${tag}]`;
  if (tagClass !== UNIVERSAL) return `class ${tagClass} tag ${tag}`;
  const known = names[tag] ?? `type ${tag}`;
  return constructed === (tag === TAG.sequence || tag === TAG.set) ? known : `${form} ${known}`;
}

/** A part of the request has another type than required. */
export function mismatch(where: string, wanted: string, element: Part | undefined): Invalid {
  if (element === undefined) return new Invalid(`asn1: syntax error: sequence truncated: no ${where}`);
  return new Invalid(`asn1: structure error: tags don't match: ${where} is ${describe(element)}, not ${wanted}`);
}
