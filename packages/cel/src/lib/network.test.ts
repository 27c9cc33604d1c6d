import { expect, test } from "vitest";
import type { SizedArg } from "../cost/formula.ts";
import { STRING } from "../value/type.ts";
import { call, rowOf } from "./library.testing.ts";
import { networkLibrary as library, toCidr, toIp } from "./network.ts";

const ip = toIp;
const cidr = toCidr;
const noAddress = 'IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP';
const noRange = `CIDR "x" parse error during conversion from string: netip.ParsePrefix("x"): no '/'`;

// biome-ignore format: one case per line
const cases: [id: string, args: unknown[], want: unknown][] = [
  ["string_to_ip", ["::1"], ip("::1")],
  ["string_to_ip", ["x"], { error: noAddress }],
  ["string_to_ip", ["fe80::1%eth0"], { error: 'IP address "fe80::1%eth0" with zone value is not allowed' }],
  ["string_to_ip", ["::ffff:1.2.3.4"], { error: 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed' }],
  ["is_ip", ["1.2.3.4"], true],
  ["is_ip", ["1.2.3.4/8"], false],
  ["is_ip", ["::ffff:1.2.3.4"], false],
  ["is_ip", ["fe80::1%eth0"], false],
  ["ip_is_canonical", ["2001:db8::1"], true],
  ["ip_is_canonical", ["2001:DB8::1"], false],
  ["ip_is_canonical", ["x"], { error: noAddress }],
  ["ip_family", [ip("1.2.3.4")], 4],
  ["ip_family", [ip("::1")], 6],
  ["ip_is_unspecified", [ip("::")], true],
  ["ip_is_loopback", [ip("::1")], true],
  ["ip_is_link_local_multicast", [ip("224.0.0.1")], true],
  ["ip_is_link_local_unicast", [ip("fe80::1")], true],
  ["ip_is_global_unicast", [ip("192.168.0.1")], true],
  ["ip_to_string", [ip("2001:DB8:0::A")], "2001:db8::a"],
  ["string_to_cidr", ["x"], { error: noRange }],
  ["string_to_cidr", ["::ffff:1.2.3.4/120"], { error: 'IPv4-mapped IPv6 address "::ffff:1.2.3.4/120" is not allowed' }],
  ["is_cidr", ["10.0.0.1/8"], true],
  ["is_cidr", ["10.0.0.0/33"], false],
  ["cidr_contains_ip_ip", [cidr("10.0.0.0/8"), ip("10.0.0.1")], true],
  ["cidr_contains_ip_string", [cidr("10.0.0.0/8"), "11.0.0.1"], false],
  ["cidr_contains_ip_string", [cidr("10.0.0.0/8"), "x"], { error: noAddress }],
  ["cidr_contains_cidr", [cidr("10.0.0.0/8"), cidr("10.1.0.0/16")], true],
  ["cidr_contains_cidr", [cidr("10.1.0.0/16"), cidr("10.0.0.0/8")], false],
  ["cidr_contains_cidr_string", [cidr("10.0.0.0/8"), "10.5.5.5/8"], true],
  ["cidr_contains_cidr_string", [cidr("10.0.0.0/8"), "x"], { error: noRange }],
  ["cidr_ip", [cidr("192.168.1.5/24")], ip("192.168.1.5")],
  ["cidr_is_mask", [cidr("192.168.1.0/24")], true],
  ["cidr_is_mask", [cidr("192.168.1.5/24")], false],
  ["cidr_masked", [cidr("192.168.1.5/24")], cidr("192.168.1.0/24")],
  ["cidr_prefix_length", [cidr("192.168.1.5/24")], 24],
  ["cidr_to_string", [cidr("2001:DB8::1/32")], "2001:db8::1/32"],
];
test.each(cases)("%s %o", (id, args, want) => expect(call(library, id, ...args)).toEqual(want));

test("a constant text is parsed once, when it can be", () => {
  const specialize = (id: string, text: unknown): unknown => {
    const special = rowOf(library, id).specialize?.([text]);
    return typeof special === "function" ? special() : special;
  };
  expect(specialize("string_to_ip", "::1")).toEqual(ip("::1"));
  expect(specialize("string_to_cidr", "::1/8")).toEqual(cidr("::1/8"));
  expect(specialize("string_to_ip", "x")).toBeUndefined();
  expect(specialize("string_to_ip", undefined)).toBeUndefined();
});

test("equality", () => {
  const equals = (a: unknown, b: unknown): unknown =>
    (a as ReturnType<typeof ip> & { equals(other: unknown): unknown }).equals(b);
  expect(equals(ip("::1"), ip("0:0::1"))).toBe(true);
  expect(equals(ip("::1"), ip("::2"))).toBe(false);
  expect(equals(ip("::1"), "::1")).toBe(false);
  expect(equals(cidr("10.1.0.0/8"), cidr("10.0.0.0/8"))).toBe(false);
  expect(equals(cidr("10.1.0.0/8"), cidr("10.1.0.0/8"))).toBe(true);
});

const text = (size: bigint): SizedArg => ({ type: STRING, size: { min: 0n, max: size }, sizeKnown: true });
const address: SizedArg = { type: STRING, size: { min: 0n, max: 99n }, sizeKnown: false };

// biome-ignore format: one case per line
test.each([
  { id: "string_to_ip",              args: ["1.2.3.4.5.6"],             actual: 2, sized: [text(20n)],          cost: [0n, 2n],  size: [4n, 16n] },
  { id: "ip_is_canonical",           args: ["1.2.3.4.5.6"],             actual: 3, sized: [text(20n)],          cost: [0n, 4n],  size: undefined },
  { id: "ip_to_string",              args: [ip("::1")],                 actual: 1, sized: [address],            cost: [1n, 1n],  size: [3n, 45n] },
  { id: "cidr_ip",                   args: [cidr("::1/8")],             actual: 1, sized: [address],            cost: [1n, 1n],  size: [4n, 16n] },
  { id: "cidr_contains_ip_ip",       args: [cidr("::/128"), ip("::")],  actual: 4, sized: [address, address],   cost: [1n, 4n],  size: undefined },
  { id: "cidr_contains_ip_string",   args: [cidr("::/128"), "1.2.3.4"], actual: 5, sized: [address, text(20n)], cost: [1n, 6n],  size: undefined },
  { id: "cidr_contains_cidr",        args: [cidr("::/48"), cidr("::/9")], actual: 4, sized: [address, address], cost: [3n, 7n],  size: undefined },
  { id: "cidr_contains_cidr_string", args: [cidr("::/48"), "::/0"],     actual: 5, sized: [address, text(20n)], cost: [3n, 9n],  size: undefined },
])("cost of $id", ({ id, args, actual, sized, cost, size }) => {
  const formula = rowOf(library, id).cost;
  expect(formula.actual(args, null)).toBe(actual);
  const estimate = formula.estimate(sized);
  expect([estimate.cost.min, estimate.cost.max]).toEqual(cost);
  expect(estimate.size && [estimate.size.min, estimate.size.max]).toEqual(size);
});
