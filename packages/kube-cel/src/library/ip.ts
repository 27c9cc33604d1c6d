// kubernetes.net.ip: IP addresses. Upstream: apiserver pkg/cel/library/ip.go, pkg/cel/ip.go.

import {
  BOOL,
  type CelError,
  celError,
  fn,
  INT,
  isError,
  type Library,
  method,
  Opaque,
  opaque,
  STRING,
  type Type,
  type Value,
} from "@celadon/cel";
import { fixed } from "@celadon/cel/cost";
import { specialized } from "@celadon/cel/lib";
import {
  type IpAddress,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  ParseFailure,
  parseIpAddress,
} from "@celadon/cel/net";
import { notFromHost, quoteText } from "@celadon/cel/values";
import { constantText } from "./constant-text.ts";
import { scan } from "./costs.ts";
import { equalityUnsupported } from "./unlike.ts";

/** The type of addresses. */
export const IP: Type<Ip> = opaque("net.IP");

/** A `net.IP`: no zone, and no IPv4 address dressed as IPv6. */
export class Ip extends Opaque {
  override readonly type: Type = IP;
  override readonly goType = "cel.IP";
  override readonly equalityCost = 1;
  readonly address: IpAddress;
  constructor(address: IpAddress) {
    super();
    this.address = address;
  }
  override equals(other: Value): boolean | CelError {
    return other instanceof Ip ? this.address.equals(other.address) : equalityUnsupported(other);
  }
  override get costSize(): number {
    return this.address.bytes.length;
  }
  override get keyText(): string {
    return `ip ${this.toString()}`;
  }
  override get hostName(): string {
    return "IP";
  }
  override get hostText(): string {
    return this.toString();
  }
  override throughHost(): CelError {
    return notFromHost("netip.Addr", this.toString());
  }
  override toString(): string {
    return this.address.toString();
  }
}

/** `ip` and its methods. */
// biome-ignore format: one overload per line
export const ipLibrary: Library = {
  name: "kubernetes.net.ip", costBy: "function", types: [IP],
  overloads: [
    //     name                    overload id                   arguments result  cost        implementation
    specialized(
      fn(  "ip",                   "string_to_ip",               [STRING], IP,     scan(0),    toIp), constantText(toIp)),
    method("family",               "ip_family",                  [IP],     INT,    fixed(1),   ({ address }) => address.family),
    fn(    "ip.isCanonical",       "ip_is_canonical",            [STRING], BOOL,   scan(0, 2), isCanonical),
    method("isUnspecified",        "ip_is_unspecified",          [IP],     BOOL,   fixed(1),   ({ address }) => isUnspecified(address)),
    method("isLoopback",           "ip_is_loopback",             [IP],     BOOL,   fixed(1),   ({ address }) => isLoopback(address)),
    method("isLinkLocalMulticast", "ip_is_link_local_multicast", [IP],     BOOL,   fixed(1),   ({ address }) => isLinkLocalMulticast(address)),
    method("isLinkLocalUnicast",   "ip_is_link_local_unicast",   [IP],     BOOL,   fixed(1),   ({ address }) => isLinkLocalUnicast(address)),
    method("isGlobalUnicast",      "ip_is_global_unicast",       [IP],     BOOL,   fixed(1),   ({ address }) => isGlobalUnicast(address)),
    fn(    "isIP",                 "is_ip",                      [STRING], BOOL,   scan(0),    isIp),
    fn(    "string",               "ip_to_string",               [IP],     STRING, fixed(1),   (ip) => ip.toString()),
  ],
};

export function toIp(text: string): Ip | CelError {
  const parsed = parseIpAddress(text);
  if (parsed instanceof ParseFailure) {
    return invalid(`IP Address ${quoteText(text)} parse error during conversion from string: ${parsed.message}`);
  }
  if (parsed.zone !== "") return invalid(`IP address ${quoteText(text)} with zone value is not allowed`);
  return parsed.isMapped ? invalid(`IPv4-mapped IPv6 address ${quoteText(text)} is not allowed`) : new Ip(parsed);
}

const invalid = (message: string): CelError => celError("invalid_argument", message);

function isIp(text: string): boolean {
  const parsed = parseIpAddress(text);
  return !(parsed instanceof ParseFailure) && parsed.zone === "" && !parsed.isMapped;
}

function isCanonical(text: string): boolean | CelError {
  const ip = toIp(text);
  return isError(ip) ? ip : ip.toString() === text;
}
