// Addresses and ranges against other readers of the same grammar: Node's own, and arithmetic on numbers.

import { isIP as nodeFamily } from "node:net";
import { isError, STRING } from "@celadon/cel";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kubeEnv } from "../environment.ts";
import { Cidr, toCidr } from "./cidr.ts";
import { Ip, toIp } from "./ip.ts";

const env = kubeEnv({ variables: { a: STRING, b: STRING } });
const isIp = env.program("isIP(a)");
const isCidr = env.program("isCIDR(a)");
const containsIp = env.program("cidr(a).containsIP(b)");
const containsCidr = env.program("cidr(a).containsCIDR(b)");

const v4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => bytes.join("."));
const group = fc.oneof(fc.constantFrom(0, 1, 0xfe80, 0xffff), fc.nat(0xffff)).map((n) => n.toString(16));
const v6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(":")),
  fc
    .tuple(fc.array(group, { maxLength: 3 }), fc.array(group, { maxLength: 3 }))
    .map(([a, b]) => `${a.join(":")}::${b.join(":")}`),
);
const nearly = fc.string({ unit: fc.constantFrom(..."0123456789abf:."), maxLength: 14 });

test("isIP is what Node's reader says, without zones and mapped addresses", () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6, nearly), (text) => {
      const ip = toIp(text);
      const mapped = isError(ip) && ip.message.startsWith("IPv4-mapped");
      expect(isIp.evaluate({ a: text, b: "" }).value).toBe(nodeFamily(text) !== 0 && !mapped);
      if (ip instanceof Ip) {
        expect(ip.address.family).toBe(nodeFamily(text));
        expect(toIp(ip.toString())).toEqual(ip);
      }
    }),
    { numRuns: 1000 },
  );
});

/** The address as a number. */
const numberOf = (ip: Ip): bigint => ip.address.bytes.reduce((n, byte) => (n << 8n) | BigInt(byte), 0n);

test("a range contains what shares its leading bits", () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.oneof(v4, v6), fc.nat(32), fc.nat(32), (a, b, bits, more) => {
      const [outer, inner] = [toIp(a), toIp(b)];
      if (!(outer instanceof Ip) || !(inner instanceof Ip)) return;
      const shift = BigInt(outer.address.bitLength - bits);
      const same =
        outer.address.family === inner.address.family && numberOf(outer) >> shift === numberOf(inner) >> shift;
      expect(containsIp.evaluate({ a: `${a}/${bits}`, b }).value).toBe(same);
      expect(containsCidr.evaluate({ a: `${a}/${bits}`, b: `${b}/${more}` }).value).toBe(same && bits <= more);
    }),
  );
});

test("a range is its address and its bits, and masking keeps its members", () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.nat(140), (address, bits) => {
      const text = `${address}/${bits}`;
      const cidr = toCidr(text);
      const ip = toIp(address);
      expect(isCidr.evaluate({ a: text, b: "" }).value).toBe(ip instanceof Ip && bits <= ip.address.bitLength);
      if (!(cidr instanceof Cidr)) return;
      expect(toCidr(cidr.toString())).toEqual(cidr);
      const masked = new Cidr(cidr.prefix.masked());
      expect(masked.prefix.contains(cidr.prefix.address)).toBe(true);
      expect(masked.prefix.masked().equals(masked.prefix)).toBe(true);
    }),
  );
});
