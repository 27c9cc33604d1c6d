// Formats of strings, accepted and refused.

import { expect, test } from "vitest";
import { knownFormat, stringFormat } from "./string-formats.ts";

// biome-ignore format: one format per row
const ROWS: readonly (readonly [format: string, accepted: readonly string[], refused: readonly string[]])[] = [
  ["bsonobjectid", ["507f1f77bcf86cd799439011"], ["507f1f77bcf86cd79943901", "x"]],
  ["uri", ["http://a", "/a/b", "mailto:someone@example.com", "http://foobar.com/?foo=bar#baz=qux"], ["a", "", "./rel"]],
  ["email", ["a@b", "a@b.c", "A B <a@b.c>", '"x y"@b.c', "ü@b.c"], ["a", "@b", "a@", "a@b c", "a..b@c", ""]],
  ["hostname", ["a", "a.b.com", "1a.example.com", "xn--a.com", "a-b.example.com"], ["", "-a.com", "a_b.com", "a.b.c-", `${"a".repeat(64)}.com`]],
  ["ipv4", ["1.2.3.4", "01.02.03.04", "::ffff:1.2.3.4"], ["1.2.3", "::1", "256.1.1.1", ""]],
  ["ipv6", ["::1", "2001:db8::1", "::ffff:1.2.3.4"], ["1.2.3.4", "::1%eth0", "x", ""]],
  ["cidr", ["10.0.0.0/8", "10.0.0.1/8", "010.0.0.0/8", "::/0"], ["10.0.0.0", "10.0.0.0/33", "::/129", "x/8", ""]],
  ["mac", ["00:00:5e:00:53:01", "02-00-5e-10-00-00-00-01", "0000.5e00.5301"], ["00:00:5e:00:53", "00:00:5e:00:53:0g", "0000.5e00", ""]],
  ["uuid", ["123e4567-e89b-12d3-a456-426614174000", "123E4567E89B12D3A456426614174000"], ["123e4567", ""]],
  ["uuid4", ["123e4567-e89b-42d3-a456-426614174000"], ["123e4567-e89b-12d3-a456-426614174000"]],
  ["isbn", ["3836221195", "978-4-87311-368-5", "3 401 01319 X"], ["3423214121", "978 3 8362 2119 0", ""]],
  ["isbn10", ["1-61729-085-8"], ["978-3836221191"]],
  ["isbn13", ["9784873113685"], ["3836221195"]],
  ["creditcard", ["4220855426222389", "4220-8554-2622-2389", "374953669708156"], ["4220855426213389", "6521674451993089", ""]],
  ["ssn", ["111-11-1111", "111 11 1111"], ["111111111", "00-00-0000", ""]],
  ["hexcolor", ["#fff", "CCccCC"], ["#ff", "fff0", ""]],
  ["rgbcolor", ["rgb(0,31,255)", "rgb(0,  31, 255)"], ["rgb(01,31,255)", "rgb(1,349,275)", ""]],
  ["byte", ["Zm9v", "+/+/"], ["Zm9", "-_-_", ""]],
  ["password", ["", "x"], []],
  ["date", ["2024-02-29"], ["2023-02-29", "2024-2-9", ""]],
  ["date-time", ["2024-01-01T00:00:00Z", "2024-01-01t23:59:59.5+01:00"], ["2024-01-01T00:00:00", "2024-01-01T00:00:60Z", ""]],
  ["duration", ["1h", "1.5s", "2 weeks", "3 days 4 hours"], ["x", "1 foo", ""]],
  ["k8s-short-name", ["a", "a-1"], ["A", "a.b", "-a", "a".repeat(64), ""]],
  ["k8s-long-name", ["a", "a.b-c.d", `${"a".repeat(100)}.b`], ["a..b", "A", "a".repeat(254), ""]],
];

test.each(ROWS)("%s", (format, accepted, refused) => {
  const accepts = stringFormat(format)!;
  expect(accepted.filter((text) => !accepts(text))).toEqual([]);
  expect(refused.filter((text) => accepts(text))).toEqual([]);
});

test("formats count for the types that have them", () => {
  expect(knownFormat("string", "date")).toBe(true);
  expect(knownFormat("integer", "int32")).toBe(true);
  expect(knownFormat("integer", "date")).toBe(false);
  expect(knownFormat("object", "date")).toBe(false);
  expect(knownFormat("string", "foo")).toBe(false);
});

test("long texts are refused in no time", () => {
  const hostile = [
    `${"0".repeat(200_000)}x.`,
    "1".repeat(200_000),
    `"${"a ".repeat(10_000)}`,
    "a.".repeat(10_000),
    `rgb(${" ".repeat(200_000)}`,
    "-".repeat(200_000),
  ];
  for (const [format] of ROWS) for (const text of hostile) expect(stringFormat(format)!(text)).toBeTypeOf("boolean");
});
