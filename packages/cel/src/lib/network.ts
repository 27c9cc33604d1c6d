// ext.Network: IP addresses and CIDR ranges as opaque types. Upstream: cel-go ext/network.go, which came after Kubernetes'
// own library and differs from it: a value of another type is unequal rather than an error, and a text that is no address
// gets its own error from containsIP.

import type { CostFormula, Range } from "../cost/formula.ts";
import { costs, fixed, scan, sizeOf, TRAVERSAL, withSize } from "../cost/formulas.ts";
import { add, scale } from "../cost/range.ts";
import { type CelError, celError, isError } from "../value/error.ts";
import { notFromHost } from "../value/reopen.ts";
import { ownSize } from "../value/size/size.ts";
import { quoteText } from "../value/text/quote-text.ts";
import { BOOL, INT, opaque, STRING, type Type } from "../value/type.ts";
import { Opaque, type Value } from "../value/value.ts";
import { fn, type Library, method, specialized } from "./library.ts";
import {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
} from "./net/address-classes.ts";
import { type CidrPrefix, parseCidrPrefix } from "./net/cidr-prefix.ts";
import { type IpAddress, ParseFailure, parseIpAddress } from "./net/ip-address.ts";
import { networkLiterals } from "./network-validator.ts";

export const IP: Type<Ip> = opaque("net.IP");
export const CIDR: Type<Cidr> = opaque("net.CIDR");

/** A `net.IP`. */
export class Ip extends Opaque {
  override readonly type: Type = IP;
  readonly address: IpAddress;
  constructor(address: IpAddress) {
    super();
    this.address = address;
  }
  override equals(other: Value): boolean {
    return other instanceof Ip && this.address.equals(other.address);
  }
  override get costSize(): number {
    return this.address.bytes.length;
  }
  override throughHost(): CelError {
    return notFromHost("netip.Addr", this.toString());
  }
  override toString(): string {
    return this.address.toString();
  }
}

/** A `net.CIDR`. Host bits count: 10.1.0.0/8 and 10.0.0.0/8 are two values. */
export class Cidr extends Opaque {
  override readonly type: Type = CIDR;
  readonly prefix: CidrPrefix;
  constructor(prefix: CidrPrefix) {
    super();
    this.prefix = prefix;
  }
  override equals(other: Value): boolean {
    return other instanceof Cidr && this.prefix.equals(other.prefix);
  }
  override get costSize(): number {
    return Math.ceil(this.prefix.bits / 8);
  }
  override throughHost(): CelError {
    return notFromHost("netip.Prefix", this.toString());
  }
  override toString(): string {
    return this.prefix.toString();
  }
}

/** Bytes of an address: the static estimate knows only these bounds. */
const ADDRESS_SIZE: Range = { min: 4n, max: 16n };
const TEXT_SIZE: Range = { min: 3n, max: 45n };

const parsing = withSize(scan(0), () => ADDRESS_SIZE);
const address = withSize(costs(fixed(1)), () => ADDRESS_SIZE);
const text = withSize(costs(fixed(1)), () => TEXT_SIZE);

/** Comparing an address with a range walks over both; a range inside another walks once more. Text is parsed first. */
function containment(walksOnce: boolean, parsed: boolean): CostFormula {
  return costs({
    text: `⌈0.2 · {0}⌉${walksOnce ? "" : " + ⌈0.1 · {0}⌉ + 1"}${parsed ? " + ⌈0.1 · {1}⌉" : ""}`,
    estimate: (args) => {
      let cost = scale(add(ADDRESS_SIZE, ADDRESS_SIZE), TRAVERSAL);
      if (!walksOnce) cost = add(add(cost, scale(ADDRESS_SIZE, TRAVERSAL)), { min: 1n, max: 1n });
      return { cost: parsed ? add(cost, scale(sizeOf(args, 1), TRAVERSAL)) : cost };
    },
    fromArguments: true,
    actual: (args) => {
      const size = ownSize(args[0]);
      let cost = Math.ceil(2 * size * TRAVERSAL);
      if (!walksOnce) cost += Math.ceil(size * TRAVERSAL) + 1;
      return parsed ? cost + Math.ceil(ownSize(args[1]) * TRAVERSAL) : cost;
    },
  });
}
const containsAddress = containment(true, false);
const containsAddressText = containment(true, true);
const containsRange = containment(false, false);
const containsRangeText = containment(false, true);

/** `ip`, `cidr` and their methods. */
// biome-ignore format: one overload per line
export const networkLibrary: Library = {
  name: "cel.lib.ext.network", version: 1, types: [IP, CIDR], validators: networkLiterals(toIp, toCidr),
  overloads: [
    //     name                    overload id                   arguments       result  cost                 implementation
    specialized(
      fn(  "ip",                   "string_to_ip",               [STRING],       IP,     parsing,             toIp), constantText(toIp)),
    fn(    "isIP",                 "is_ip",                      [STRING],       BOOL,   scan(0),             isIp),
    fn(    "ip.isCanonical",       "ip_is_canonical",            [STRING],       BOOL,   scan(0, 2),          isCanonical),
    method("family",               "ip_family",                  [IP],           INT,    fixed(1),            (ip) => ip.address.family),
    method("isUnspecified",        "ip_is_unspecified",          [IP],           BOOL,   fixed(1),            (ip) => isUnspecified(ip.address)),
    method("isLoopback",           "ip_is_loopback",             [IP],           BOOL,   fixed(1),            (ip) => isLoopback(ip.address)),
    method("isLinkLocalMulticast", "ip_is_link_local_multicast", [IP],           BOOL,   fixed(1),            (ip) => isLinkLocalMulticast(ip.address)),
    method("isLinkLocalUnicast",   "ip_is_link_local_unicast",   [IP],           BOOL,   fixed(1),            (ip) => isLinkLocalUnicast(ip.address)),
    method("isGlobalUnicast",      "ip_is_global_unicast",       [IP],           BOOL,   fixed(1),            (ip) => isGlobalUnicast(ip.address)),
    fn(    "string",               "ip_to_string",               [IP],           STRING, text,                (ip) => ip.toString()),
    specialized(
      fn(  "cidr",                 "string_to_cidr",             [STRING],       CIDR,   parsing,             toCidr), constantText(toCidr)),
    fn(    "isCIDR",               "is_cidr",                    [STRING],       BOOL,   scan(0),             isCidr),
    method("containsIP",           "cidr_contains_ip_ip",        [CIDR, IP],     BOOL,   containsAddress,     containsIp),
    method("containsIP",           "cidr_contains_ip_string",    [CIDR, STRING], BOOL,   containsAddressText, (cidr, s) => withParsed(toIp(s), (ip) => containsIp(cidr, ip))),
    method("containsCIDR",         "cidr_contains_cidr",         [CIDR, CIDR],   BOOL,   containsRange,       containsCidr),
    method("containsCIDR",         "cidr_contains_cidr_string",  [CIDR, STRING], BOOL,   containsRangeText,   (cidr, s) => withParsed(toCidr(s), (inner) => containsCidr(cidr, inner))),
    method("ip",                   "cidr_ip",                    [CIDR],         IP,     address,             (cidr) => new Ip(cidr.prefix.address)),
    method("isMask",               "cidr_is_mask",               [CIDR],         BOOL,   fixed(1),            (cidr) => cidr.prefix.equals(cidr.prefix.masked())),
    method("masked",               "cidr_masked",                [CIDR],         CIDR,   address,             (cidr) => new Cidr(cidr.prefix.masked())),
    method("prefixLength",         "cidr_prefix_length",         [CIDR],         INT,    fixed(1),            (cidr) => cidr.prefix.bits),
    fn(    "string",               "cidr_to_string",             [CIDR],         STRING, text,                (cidr) => cidr.toString()),
  ],
};

/** A constant text is parsed once, if it can be. */
function constantText<T>(convert: (s: string) => T | CelError): (constants: readonly Value[]) => (() => T) | undefined {
  return ([text]) => {
    const value = typeof text === "string" ? convert(text) : undefined;
    return value === undefined || isError(value) ? undefined : () => value;
  };
}

/** Strict: no zones, and no IPv4 addresses dressed as IPv6. */
export function toIp(s: string): Ip | CelError {
  const parsed = parseIpAddress(s);
  if (parsed instanceof ParseFailure) {
    return invalid(`IP Address ${quoteText(s)} parse error during conversion from string: ${parsed.message}`);
  }
  if (parsed.zone !== "") return invalid(`IP address ${quoteText(s)} with zone value is not allowed`);
  return parsed.isMapped ? mapped(s) : new Ip(parsed);
}

export function toCidr(s: string): Cidr | CelError {
  const parsed = parseCidrPrefix(s);
  if (parsed instanceof ParseFailure) {
    return invalid(`CIDR ${quoteText(s)} parse error during conversion from string: ${parsed.message}`);
  }
  return parsed.address.isMapped ? mapped(s) : new Cidr(parsed);
}

function isIp(s: string): boolean {
  const parsed = parseIpAddress(s);
  return !(parsed instanceof ParseFailure) && parsed.zone === "" && !parsed.isMapped;
}

function isCidr(s: string): boolean {
  const parsed = parseCidrPrefix(s);
  return !(parsed instanceof ParseFailure) && !parsed.address.isMapped;
}

const invalid = (message: string): CelError => celError("invalid_argument", message);
const mapped = (s: string): CelError => invalid(`IPv4-mapped IPv6 address ${quoteText(s)} is not allowed`);

function isCanonical(s: string): boolean | CelError {
  const ip = toIp(s);
  return isError(ip) ? ip : ip.toString() === s;
}

function containsIp(cidr: Cidr, ip: Ip): boolean {
  return cidr.prefix.contains(ip.address);
}

function containsCidr(outer: Cidr, inner: Cidr): boolean {
  return outer.prefix.bits <= inner.prefix.bits && outer.prefix.overlaps(inner.prefix);
}

function withParsed<T>(parsed: T | CelError, use: (value: T) => boolean): boolean | CelError {
  return isError(parsed) ? parsed : use(parsed);
}
