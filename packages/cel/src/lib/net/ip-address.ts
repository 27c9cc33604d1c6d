// IP addresses as Go's net/netip reads and writes them, with its error texts: Kubernetes shows those texts to users. This code does not
// know CEL values; libraries wrap it and add their own rules (zones, mapped addresses).

import { quoteText } from "../../value/text/quote-text.ts";

/** A text that is no address or network. Its message is made when it is read. */
export class ParseFailure {
  readonly #message: (quote: (text: string) => string) => string;
  constructor(message: (quote: (text: string) => string) => string) {
    this.#message = message;
  }
  get message(): string {
    return this.#message(quoteText);
  }
  /** For texts that are not Unicode: `quote` says how they are shown. */
  messageWith(quote: (text: string) => string): string {
    return this.#message(quote);
  }
}

/** An IPv4 or IPv6 address, with its zone. */
export class IpAddress {
  /** Four bytes or sixteen, most significant first. */
  readonly bytes: Uint8Array;
  /** The part after `%`, empty for none. */
  readonly zone: string;

  constructor(bytes: Uint8Array, zone = "") {
    this.bytes = bytes;
    this.zone = zone;
  }

  get family(): 4 | 6 {
    return this.bytes.length === 4 ? 4 : 6;
  }
  get bitLength(): number {
    return this.bytes.length * 8;
  }
  /** `::ffff:a.b.c.d`: an IPv4 address in IPv6 clothing. */
  get isMapped(): boolean {
    return this.bytes.length === 16 && startsWithBytes(this.bytes, MAPPED_PREFIX);
  }
  /** The canonical text of RFC 5952. */
  toString(): string {
    if (this.bytes.length === 4) return formatV4(this.bytes);
    const text = this.isMapped ? `::ffff:${formatV4(this.bytes.subarray(12))}` : formatV6(this.bytes);
    return this.zone === "" ? text : `${text}%${this.zone}`;
  }
  equals(other: IpAddress): boolean {
    return (
      this.bytes.length === other.bytes.length && startsWithBytes(this.bytes, other.bytes) && this.zone === other.zone
    );
  }
}

const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

function startsWithBytes(bytes: Uint8Array, prefix: ArrayLike<number>): boolean {
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
}

/** An address, or why `text` is not one. */
export function parseIpAddress(text: string): IpAddress | ParseFailure {
  // The first separator decides the kind of address.
  switch (/[.:%]/.exec(text)?.[0]) {
    case ".": {
      const bytes = new Uint8Array(4);
      return parseV4Into(bytes, 0, text, text) ?? new IpAddress(bytes);
    }
    case ":":
      return parseV6(text);
    case "%":
      return refuse(text, "missing IPv6 address");
    default:
      return refuse(text, "unable to parse IP");
  }
}

function refuse(text: string, reason: string, at = ""): ParseFailure {
  return new ParseFailure((quote) => {
    const place = at === "" ? "" : ` (at ${quote(at)})`;
    return `ParseAddr(${quote(text)}): ${reason}${place}`;
  });
}

/** Reads dotted decimals from `part` of `text` into four of `bytes`. */
function parseV4Into(bytes: Uint8Array, offset: number, part: string, text: string): ParseFailure | undefined {
  let value = 0;
  let digits = 0;
  let field = 0;
  for (let i = 0; i < part.length; i++) {
    const c = part.charCodeAt(i);
    if (isDigit(c)) {
      if (digits === 1 && value === 0) return refuse(text, "IPv4 field has octet with leading zero");
      value = value * 10 + (c - 0x30);
      digits++;
      if (value > 255) return refuse(text, "IPv4 field has value >255");
    } else if (c === DOT) {
      if (digits === 0 || i === part.length - 1) {
        return refuse(text, "IPv4 field must have at least one digit", part.slice(i));
      }
      if (field === 3) return refuse(text, "IPv4 address too long");
      bytes[offset + field++] = value;
      value = 0;
      digits = 0;
    } else {
      return refuse(text, "unexpected character", part.slice(i));
    }
  }
  if (field < 3) return refuse(text, "IPv4 address too short");
  bytes[offset + 3] = value;
  return undefined;
}

function parseV6(text: string): IpAddress | ParseFailure {
  const percent = text.indexOf("%");
  const zone = percent < 0 ? "" : text.slice(percent + 1);
  if (percent >= 0 && zone === "") return refuse(text, "zone must be a non-empty string");
  let rest = percent < 0 ? text : text.slice(0, percent);

  const bytes = new Uint8Array(16);
  let filled = 0;
  let ellipsis = -1;
  if (rest.startsWith("::")) {
    ellipsis = 0;
    rest = rest.slice(2);
    if (rest === "") return new IpAddress(bytes, zone);
  }

  while (filled < 16) {
    let length = 0;
    let group = 0;
    for (; length < rest.length; length++) {
      const digit = hexDigit(rest.charCodeAt(length));
      if (digit < 0) break;
      if (length === 4) return refuse(text, "each group must have 4 or less digits", rest);
      group = group * 16 + digit;
    }
    if (length === 0) return refuse(text, "each colon-separated field must have at least one digit", rest);

    if (rest.charCodeAt(length) === DOT) {
      if (ellipsis < 0 && filled !== 12) {
        return refuse(text, "embedded IPv4 address must replace the final 2 fields of the address", rest);
      }
      if (filled > 12) {
        return refuse(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest);
      }
      const failure = parseV4Into(bytes, filled, rest, text);
      if (failure !== undefined) return failure;
      filled += 4;
      rest = "";
      break;
    }

    bytes[filled++] = group >> 8;
    bytes[filled++] = group & 0xff;
    rest = rest.slice(length);
    if (rest === "") break;
    if (rest.charCodeAt(0) !== COLON) return refuse(text, "unexpected character, want colon", rest);
    if (rest.length === 1) return refuse(text, "colon must be followed by more characters", rest);
    rest = rest.slice(1);
    if (rest.charCodeAt(0) === COLON) {
      if (ellipsis >= 0) return refuse(text, "multiple :: in address", rest);
      ellipsis = filled;
      rest = rest.slice(1);
      if (rest === "") break;
    }
  }
  if (rest !== "") return refuse(text, "trailing garbage after address", rest);

  if (filled < 16) {
    if (ellipsis < 0) return refuse(text, "address string too short");
    const gap = 16 - filled;
    bytes.copyWithin(ellipsis + gap, ellipsis, filled);
    bytes.fill(0, ellipsis, ellipsis + gap);
  } else if (ellipsis >= 0) {
    return refuse(text, "the :: must expand to at least one field of zeros");
  }
  return new IpAddress(bytes, zone);
}

const DOT = 0x2e;
const COLON = 0x3a;

const isDigit = (c: number): boolean => c >= 0x30 && c <= 0x39;

function hexDigit(c: number): number {
  if (isDigit(c)) return c - 0x30;
  const letter = c | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const formatV4 = (bytes: Uint8Array): string => bytes.join(".");

/** Lower-case groups without leading zeros; the first longest run of two or more zero groups becomes `::`. */
function formatV6(bytes: Uint8Array): string {
  const groups: number[] = [];
  for (let i = 0; i < 16; i += 2) groups.push(((bytes[i] as number) << 8) | (bytes[i + 1] as number));

  let start = -1;
  let longest = 1;
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > longest) {
      start = i;
      longest = end - i;
    }
    if (end > i) i = end;
  }
  const hex = (from: number, to: number): string =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(":");
  return start < 0 ? hex(0, 8) : `${hex(0, start)}::${hex(start + longest, 8)}`;
}
