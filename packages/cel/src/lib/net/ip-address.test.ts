// Answers of Go's net/netip.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMulticast,
  isUnspecified,
} from "./address-classes.ts";
import { IpAddress, ParseFailure, parseIpAddress } from "./ip-address.ts";

function parse(text: string): IpAddress {
  const parsed = parseIpAddress(text);
  if (parsed instanceof ParseFailure) throw new Error(parsed.message);
  return parsed;
}

// biome-ignore format: one case per line
test.each([
  ["127.0.0.1",                               "127.0.0.1"],
  ["::",                                      "::"],
  ["::1",                                     "::1"],
  ["1::",                                     "1::"],
  ["2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8::1"],
  ["1:0:0:2:0:0:0:3",                         "1:0:0:2::3"],
  ["1:0:0:2:3:0:0:4",                         "1::2:3:0:0:4"],
  ["1:2:3:4:5:6:7:0",                         "1:2:3:4:5:6:7:0"],
  ["0:0:3:4:5:6:7:8",                         "::3:4:5:6:7:8"],
  ["64:ff9b::1.2.3.4",                        "64:ff9b::102:304"],
  ["::FFFF:1.2.3.4",                          "::ffff:1.2.3.4"],
  ["fe80::1%eth0",                            "fe80::1%eth0"],
  ["::%1",                                    "::%1"],
])("%s is %s", (text, canonical) => expect(parse(text).toString()).toBe(canonical));

// biome-ignore format: one case per line
test.each([
  ["",                   `ParseAddr(""): unable to parse IP`],
  ["localhost",          `ParseAddr("localhost"): unable to parse IP`],
  ["1.2.3",              `ParseAddr("1.2.3"): IPv4 address too short`],
  ["1.2.3.4.5",          `ParseAddr("1.2.3.4.5"): IPv4 address too long`],
  ["256.1.1.1",          `ParseAddr("256.1.1.1"): IPv4 field has value >255`],
  ["1.2.3.04",           `ParseAddr("1.2.3.04"): IPv4 field has octet with leading zero`],
  ["1..2.3",             `ParseAddr("1..2.3"): IPv4 field must have at least one digit (at ".2.3")`],
  ["1.2.3.",             `ParseAddr("1.2.3."): IPv4 field must have at least one digit (at ".")`],
  ["1.2.3.4 ",           `ParseAddr("1.2.3.4 "): unexpected character (at " ")`],
  ["\u0661.2.3.4",       `ParseAddr("\u0661.2.3.4"): unexpected character (at "\u0661.2.3.4")`],
  ["1.2.3.4\n",          `ParseAddr("1.2.3.4\\n"): unexpected character (at "\\n")`],
  [":",                  `ParseAddr(":"): each colon-separated field must have at least one digit (at ":")`],
  ["1:",                 `ParseAddr("1:"): colon must be followed by more characters (at ":")`],
  ["1::2::3",            `ParseAddr("1::2::3"): multiple :: in address (at ":3")`],
  ["12345::",            `ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")`],
  ["1:2g::",             `ParseAddr("1:2g::"): unexpected character, want colon (at "g::")`],
  ["1:2:3:4:5:6:7",      `ParseAddr("1:2:3:4:5:6:7"): address string too short`],
  ["1:2:3:4:5:6:7::8",   `ParseAddr("1:2:3:4:5:6:7::8"): the :: must expand to at least one field of zeros`],
  ["1:2:3:4:5:6:7:8:9",  `ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")`],
  ["1:2.3.4.5",          `ParseAddr("1:2.3.4.5"): embedded IPv4 address must replace the final 2 fields of the address (at "2.3.4.5")`],
  ["::1:2:3:4:5:6:7.1.1.1", `ParseAddr("::1:2:3:4:5:6:7.1.1.1"): the :: must expand to at least one field of zeros`],
  ["::1:2:3:4:5:6:7:8.1.1.1", `ParseAddr("::1:2:3:4:5:6:7:8.1.1.1"): too many hex fields to fit an embedded IPv4 at the end of the address (at "8.1.1.1")`],
  ["::1.2.3",            `ParseAddr("::1.2.3"): IPv4 address too short`],
  ["fe80::1%",           `ParseAddr("fe80::1%"): zone must be a non-empty string`],
  ["%eth0",              `ParseAddr("%eth0"): missing IPv6 address`],
])("%j is refused", (text, message) => {
  const parsed = parseIpAddress(text);
  expect(parsed instanceof ParseFailure ? parsed.message : parsed).toBe(message);
});

const CLASSES = { isUnspecified, isLoopback, isMulticast, isLinkLocalMulticast, isLinkLocalUnicast, isGlobalUnicast };

// biome-ignore format: one case per line
test.each([
  ["0.0.0.0",            "isUnspecified"],
  ["::",                 "isUnspecified"],
  ["127.9.9.9",          "isLoopback"],
  ["::1",                "isLoopback"],
  ["::ffff:127.0.0.1",   "isLoopback"],
  ["::ffff:0.0.0.0",     ""],
  ["255.255.255.255",    ""],
  ["10.1.2.3",           "isGlobalUnicast"],
  ["2001:db8::1",        "isGlobalUnicast"],
  ["fec0::1",            "isGlobalUnicast"],
  ["169.254.1.1",        "isLinkLocalUnicast"],
  ["febf::1",            "isLinkLocalUnicast"],
  ["224.0.0.1",          "isMulticast isLinkLocalMulticast"],
  ["224.0.1.1",          "isMulticast"],
  ["239.255.255.255",    "isMulticast"],
  ["ff02::1",            "isMulticast isLinkLocalMulticast"],
  ["ff12::1",            "isMulticast isLinkLocalMulticast"],
  ["ff05::2",            "isMulticast"],
])("%s: %s", (text, classes) => {
  const address = parse(text);
  expect(Object.entries(CLASSES).filter(([, is]) => is(address)).map(([name]) => name).join(" ")).toBe(classes);
});

describe("properties", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ minLength: 4, maxLength: 4 }),
    // Many zeros, so that runs of them appear.
    fc
      .array(fc.oneof(fc.constant(0), fc.nat(255)), { minLength: 16, maxLength: 16 })
      .map((all) => Uint8Array.from(all)),
  );

  test("canonical text reads back as the same address", () => {
    fc.assert(
      fc.property(bytes, (all) => {
        const address = new IpAddress(all);
        const read = parse(address.toString());
        expect(read.equals(address)).toBe(true);
        expect(read.toString()).toBe(address.toString());
      }),
    );
  });

  test("any text is read or refused with a reason that names it", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."0129af:./%x") }), (text) => {
        const parsed = parseIpAddress(text);
        if (parsed instanceof ParseFailure) expect(parsed.message).toContain(`ParseAddr("${text}"): `);
        else expect(parse(parsed.toString()).equals(parsed)).toBe(true);
      }),
    );
  });
});
