// Answers of Go's net/netip.

import fc from "fast-check";
import { expect, test } from "vitest";
import { CidrPrefix, parseCidrPrefix } from "./cidr-prefix.ts";
import { IpAddress, ParseFailure, parseIpAddress } from "./ip-address.ts";

function parse(text: string): CidrPrefix {
  const parsed = parseCidrPrefix(text);
  if (parsed instanceof ParseFailure) throw new Error(parsed.message);
  return parsed;
}
function ip(text: string): IpAddress {
  const parsed = parseIpAddress(text);
  if (parsed instanceof ParseFailure) throw new Error(parsed.message);
  return parsed;
}

// biome-ignore format: one case per line
test.each([
  { text: "10.1.2.3/8",       canonical: "10.1.2.3/8",       masked: "10.0.0.0/8" },
  { text: "172.16.5.9/12",    canonical: "172.16.5.9/12",    masked: "172.16.0.0/12" },
  { text: "192.168.1.1/32",   canonical: "192.168.1.1/32",   masked: "192.168.1.1/32" },
  { text: "1.2.3.4/0",        canonical: "1.2.3.4/0",        masked: "0.0.0.0/0" },
  { text: "2001:DB8::1/33",   canonical: "2001:db8::1/33",   masked: "2001:db8::/33" },
  { text: "fe80::abcd/10",    canonical: "fe80::abcd/10",    masked: "fe80::/10" },
  { text: "::1/128",          canonical: "::1/128",          masked: "::1/128" },
])("$text", ({ text, canonical, masked }) => {
  expect(parse(text).toString()).toBe(canonical);
  expect(parse(text).masked().toString()).toBe(masked);
});

// biome-ignore format: one case per line
test.each([
  ["10.0.0.0",            "no '/'"],
  ["10.0.0.0/",           'bad bits after slash: ""'],
  ["10.0.0.0/08",         'bad bits after slash: "08"'],
  ["10.0.0.0/-1",         'bad bits after slash: "-1"'],
  ["10.0.0.0/+8",         'bad bits after slash: "+8"'],
  ["10.0.0.0/8 ",         'bad bits after slash: "8 "'],
  ["10.0.0.0/\u0668",     'bad bits after slash: "\u0668"'],
  ["10.0.0.0/33",         "prefix length out of range"],
  ["::/129",              "prefix length out of range"],
  ["::/9223372036854775807", "prefix length out of range"],
  ["::/9223372036854775808", 'bad bits after slash: "9223372036854775808"'],
  ["fe80::1%eth0/64",     "IPv6 zones cannot be present in a prefix"],
  ["/8",                  'ParseAddr(""): unable to parse IP'],
  ["10.0.0.0/8/8",        'ParseAddr("10.0.0.0/8"): unexpected character (at "/8")'],
])("%j is refused", (text, reason) => {
  const parsed = parseCidrPrefix(text);
  expect(parsed instanceof ParseFailure ? parsed.message : parsed).toBe(`netip.ParsePrefix(${JSON.stringify(text)}): ${reason}`);
});

// biome-ignore format: one case per line
test.each([
  { range: "10.1.2.3/8",     address: "10.9.9.9",         contains: true },
  { range: "10.0.0.0/8",     address: "11.0.0.0",         contains: false },
  { range: "0.0.0.0/0",      address: "1.2.3.4",          contains: true },
  { range: "192.168.1.1/31", address: "192.168.1.2",      contains: false },
  { range: "2001:db8::/33",  address: "2001:db8:7fff::1", contains: true },
  { range: "2001:db8::/33",  address: "2001:db8:8000::1", contains: false },
  { range: "::/0",           address: "1.2.3.4",          contains: false },
  { range: "::/0",           address: "::1%eth0",         contains: false },
])("$range contains $address: $contains", ({ range, address, contains }) => {
  expect(parse(range).contains(ip(address))).toBe(contains);
});

test("prefixes against arithmetic on whole numbers", () => {
  const toNumber = (bytes: Uint8Array): bigint => bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  const inputs = fc
    .constantFrom(4, 16)
    .chain((size) =>
      fc.tuple(
        fc.uint8Array({ minLength: size, maxLength: size }),
        fc.uint8Array({ minLength: size, maxLength: size }),
        fc.nat(size * 8),
        fc.nat(size * 8),
        fc.nat(size * 8),
      ),
    );
  fc.assert(
    fc.property(inputs, ([a, noise, bits, otherBits, shared]) => {
      // The second address agrees with the first in about `shared` bits.
      const b = a.map((byte, i) => (i * 8 < shared ? byte : (noise[i] as number)));
      const host = (kept: number): bigint => BigInt(a.length * 8 - kept);
      const network = (bytes: Uint8Array, kept: number): bigint => toNumber(bytes) >> host(kept);
      const [prefix, other] = [new CidrPrefix(new IpAddress(a), bits), new CidrPrefix(new IpAddress(b), otherBits)];
      const least = Math.min(bits, otherBits);
      expect(prefix.contains(other.address)).toBe(network(a, bits) === network(b, bits));
      expect(prefix.overlaps(other)).toBe(network(a, least) === network(b, least));
      expect(toNumber(prefix.masked().address.bytes)).toBe(network(a, bits) << host(bits));
      expect(parse(prefix.toString()).equals(prefix)).toBe(true);
    }),
  );
});
