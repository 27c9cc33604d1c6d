// Address prefixes (`10.0.0.0/8`) as Go's net/netip reads and writes them. Host bits are kept, as given.

import { quoteText } from "../../value/text/quote-text.ts";
import { IpAddress, ParseFailure, parseIpAddress } from "./ip-address.ts";

/** A network: an address and how many of its leading bits count. */
export class CidrPrefix {
  readonly address: IpAddress;
  /** The number of leading bits that name the network. */
  readonly bits: number;

  constructor(address: IpAddress, bits: number) {
    this.address = address;
    this.bits = bits;
  }

  /** The same network without host bits. */
  masked(): CidrPrefix {
    const bytes = this.address.bytes.slice();
    for (let i = 0; i < bytes.length; i++) bytes[i] = (bytes[i] as number) & maskByte(this.bits - i * 8);
    return new CidrPrefix(new IpAddress(bytes), this.bits);
  }

  /** Families do not mix: an IPv4 address is in no IPv6 network. */
  contains(ip: IpAddress): boolean {
    return ip.zone === "" && sharesBits(this.address.bytes, ip.bytes, this.bits);
  }

  overlaps(other: CidrPrefix): boolean {
    return sharesBits(this.address.bytes, other.address.bytes, Math.min(this.bits, other.bits));
  }

  equals(other: CidrPrefix): boolean {
    return this.bits === other.bits && this.address.equals(other.address);
  }

  toString(): string {
    return `${this.address.toString()}/${this.bits}`;
  }
}

/** A prefix, or why `text` is not one. */
export function parseCidrPrefix(text: string): CidrPrefix | ParseFailure {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return refuse(text, () => "no '/'");
  const address = parseIpAddress(text.slice(0, slash));
  if (address instanceof ParseFailure) return refuse(text, () => address.message);
  if (address.zone !== "") return refuse(text, () => "IPv6 zones cannot be present in a prefix");

  const bitsText = text.slice(slash + 1);
  // More digits than a 64-bit integer holds are no number to Go; fewer are one that is out of range.
  if (!/^(?:0|[1-9][0-9]*)$/.test(bitsText) || exceedsInt64(bitsText)) {
    return refuse(text, () => `bad bits after slash: ${quoteText(bitsText)}`);
  }
  const bits = Number(bitsText);
  if (bits > address.bitLength) return refuse(text, () => "prefix length out of range");
  return new CidrPrefix(address, bits);
}

function refuse(text: string, reason: () => string): ParseFailure {
  return new ParseFailure(() => `netip.ParsePrefix(${quoteText(text)}): ${reason()}`);
}

const exceedsInt64 = (digits: string): boolean =>
  digits.length > 19 || (digits.length === 19 && BigInt(digits) > 0x7fff_ffff_ffff_ffffn);

/** The mask of a byte if `bits` bits, counted from its first one, are kept. */
const maskByte = (bits: number): number => (bits <= 0 ? 0 : bits >= 8 ? 0xff : (0xff << (8 - bits)) & 0xff);

function sharesBits(a: Uint8Array, b: Uint8Array, bits: number): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i * 8 < bits; i++) {
    if ((((a[i] as number) ^ (b[i] as number)) & maskByte(bits - i * 8)) !== 0) return false;
  }
  return true;
}
