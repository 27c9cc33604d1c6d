// kubernetes.net.cidr: address ranges. Upstream: apiserver pkg/cel/library/cidr.go, pkg/cel/cidr.go.

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
  type Overload,
  opaque,
  STRING,
  type Type,
  type Value,
} from "@celadon/cel";
import {
  add,
  type CostFormula,
  costs,
  fixed,
  lateSizeOf,
  ONE,
  ownSize,
  range,
  scale,
  TRAVERSAL,
} from "@celadon/cel/cost";
import { before, specialized } from "@celadon/cel/lib";
import { type CidrPrefix, ParseFailure, parseCidrPrefix } from "@celadon/cel/net";
import { noSuchOverload, notFromHost, quoteText } from "@celadon/cel/values";
import { constantText } from "./constant-text.ts";
import { scan } from "./costs.ts";
import { IP, Ip, toIp } from "./ip.ts";
import { equalityUnsupported } from "./unlike.ts";

/** The type of networks. */
export const CIDR: Type<Cidr> = opaque("net.CIDR");

/** A `net.CIDR`. Host bits count: 10.1.0.0/8 and 10.0.0.0/8 are two values. */
export class Cidr extends Opaque {
  override readonly type: Type = CIDR;
  override readonly goType = "cel.CIDR";
  override readonly equalityCost = 1;
  readonly prefix: CidrPrefix;
  constructor(prefix: CidrPrefix) {
    super();
    this.prefix = prefix;
  }
  override equals(other: Value): boolean | CelError {
    return other instanceof Cidr ? this.prefix.equals(other.prefix) : equalityUnsupported(other);
  }
  override get costSize(): number {
    return Math.ceil(this.prefix.bits / 8);
  }
  override get keyText(): string {
    return `cidr ${this.toString()}`;
  }
  override get hostName(): string {
    return "CIDR";
  }
  override get hostText(): string {
    return this.toString();
  }
  override throughHost(): CelError {
    return notFromHost("netip.Prefix", this.toString());
  }
  override toString(): string {
    return this.prefix.toString();
  }
}

const ADDRESS_SIZE = range(4, 16);
const COMPARED = scale(add(ADDRESS_SIZE, ADDRESS_SIZE), TRAVERSAL);
const MASKED = add(scale(ADDRESS_SIZE, TRAVERSAL), ONE);

/** Comparing walks over the range's bytes twice; for a range in a range, once more to mask it. Text is parsed first. */
function containing(isRange: boolean, isText: boolean): CostFormula {
  const compared = isRange ? add(COMPARED, MASKED) : COMPARED;
  return costs({
    text: `⌈${2 * TRAVERSAL} · {0}⌉${isRange ? ` + ⌈${TRAVERSAL} · {0}⌉ + 1` : ""}${isText ? ` + ⌈${TRAVERSAL} · {1}⌉` : ""}`,
    estimate: (args) => ({ cost: isText ? add(compared, scale(lateSizeOf(args, 1), TRAVERSAL)) : compared }),
    fromArguments: true,
    actual: ([cidr, other]) => {
      const size = ownSize(cidr);
      let cost = Math.ceil(2 * size * TRAVERSAL);
      if (isRange) cost += Math.ceil(size * TRAVERSAL) + 1;
      return isText ? cost + Math.ceil(ownSize(other) * TRAVERSAL) : cost;
    },
  });
}

/** The same row, which costs less when the text to parse may be missing. */
const perhaps = (row: Overload, nameCost: CostFormula): Overload => ({ ...row, nameCost });

/** `cidr` and its methods. */
// biome-ignore format: one overload per line
export const cidrLibrary: Library = {
  name: "kubernetes.net.cidr", costBy: "function", types: [CIDR],
  overloads: [
    //     name            overload id                  arguments       result  cost                     implementation
    specialized(
      fn(  "cidr",         "string_to_cidr",            [STRING],       CIDR,   scan(0),                 toCidr), constantText(toCidr)),
    perhaps(
    method("containsIP",   "cidr_contains_ip_string",   [CIDR, STRING], BOOL,   containing(false, true), containsIpText), containing(false, false)),
    method("containsIP",   "cidr_contains_ip_ip",       [CIDR, IP],     BOOL,   containing(false, false), containsIp),
    perhaps(
    method("containsCIDR", "cidr_contains_cidr_string", [CIDR, STRING], BOOL,   containing(true, true),  containsCidrText), containing(true, false)),
    method("containsCIDR", "cidr_contains_cidr",        [CIDR, CIDR],   BOOL,   containing(true, false), containsCidr),
    method("ip",           "cidr_ip",                   [CIDR],         IP,     fixed(1),                ({ prefix }) => new Ip(prefix.address)),
    method("prefixLength", "cidr_prefix_length",        [CIDR],         INT,    fixed(1),                ({ prefix }) => prefix.bits),
    method("masked",       "cidr_masked",               [CIDR],         CIDR,   fixed(1),                ({ prefix }) => new Cidr(prefix.masked())),
    fn(    "isCIDR",       "is_cidr",                   [STRING],       BOOL,   scan(0),                 isCidr),
    fn(    "string",       "cidr_to_string",            [CIDR],         STRING, fixed(1),                (cidr) => cidr.toString()),
  ],
  // Kubernetes 1.32, which brought the present test, is built with cel-go 0.22.
  older: [
    before(22, perhaps(
    method("containsCIDR", "cidr_contains_cidr_string", [CIDR, STRING], BOOL,   containing(true, true),  (cidr, text) => containsCidrText(cidr, text, startsWithCidr)), containing(true, false))),
    before(22,
    method("containsCIDR", "cidr_contains_cidr",        [CIDR, CIDR],   BOOL,   containing(true, false), startsWithCidr)),
  ],
};

const PARSE_ERROR = "network address parse error during conversion from string: ";

/** Upstream adds its words twice. */
export function toCidr(text: string): Cidr | CelError {
  const parsed = parseCidrPrefix(text);
  if (parsed instanceof ParseFailure) return celError("invalid_argument", PARSE_ERROR + PARSE_ERROR + parsed.message);
  if (parsed.address.isMapped) {
    return celError("invalid_argument", `${PARSE_ERROR}IPv4-mapped IPv6 address ${quoteText(text)} is not allowed`);
  }
  return new Cidr(parsed);
}

function isCidr(text: string): boolean {
  const parsed = parseCidrPrefix(text);
  return !(parsed instanceof ParseFailure) && !parsed.address.isMapped;
}

function containsIp({ prefix }: Cidr, { address }: Ip): boolean {
  return prefix.contains(address);
}

/** The reason why the text is not an address is not reported. */
function containsIpText(cidr: Cidr, text: string): boolean | CelError {
  const ip = toIp(text);
  return isError(ip) ? noSuchOverload() : containsIp(cidr, ip);
}

function containsCidr({ prefix: outer }: Cidr, { prefix: inner }: Cidr): boolean {
  return outer.overlaps(inner) && outer.bits <= inner.bits;
}

/** Before 1.32 a range contained only ranges with the same first address. */
function startsWithCidr({ prefix: outer }: Cidr, { prefix: inner }: Cidr): boolean {
  return outer.masked().address.equals(inner.address) && outer.bits <= inner.bits;
}

function containsCidrText(cidr: Cidr, text: string, contains: typeof containsCidr = containsCidr): boolean | CelError {
  const inner = toCidr(text);
  return isError(inner) ? inner : contains(cidr, inner);
}
