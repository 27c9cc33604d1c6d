import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fieldErrorText } from "./field-error.ts";
import { fieldPath } from "./field-path.ts";
import * as n from "./names.ts";
import { recorded } from "./recorded.testing.ts";
import { validateFullyQualifiedName } from "./validate-name.ts";

const checks: Record<string, n.TextCheck> = {
  dns1123Label: n.checkDns1123Label,
  dns1123Subdomain: n.checkDns1123Subdomain,
  dns1035Label: n.checkDns1035Label,
  qualifiedName: n.checkQualifiedName,
  labelValue: n.checkLabelValue,
  cIdentifier: n.checkCIdentifier,
  dns1123LabelPrefix: n.checkDns1123LabelPrefix,
  dns1123SubdomainPrefix: n.checkDns1123SubdomainPrefix,
  wildcard: n.checkWildcardDns1123Subdomain,
  configMapKey: n.checkConfigMapKey,
  percent: n.checkPercent,
  portName: n.checkPortName,
};

describe("every check, as recorded", () => {
  test.each(recorded<{ text: string }>("names", import.meta.url))("$text", (row) => {
    const got = Object.fromEntries(Object.entries(checks).map(([name, check]) => [name, check(row.text)]));
    expect({ text: row.text, ...got }).toEqual(row);
  });
});

test("words", () => {
  expect(n.checkDns1123Label("a.b")).toEqual(["must not contain dots"]);
  expect(n.checkDns1035LabelPrefix("1-")).toEqual([]); // `1-` is checked as `a`
  expect(n.checkPathSegmentName("..")).toEqual(["may not be '..'"]);
  expect(n.checkPathSegmentName("a/b%c")).toEqual(["may not contain '/'", "may not contain '%'"]);
  expect(n.checkPathSegmentPrefix("..")).toEqual([]);
  expect(n.checkPortNumber(0)).toEqual(["must be between 1 and 65535, inclusive"]);
  expect(n.checkPortNumber(65535)).toEqual([]);
  expect(n.patternProblem("bad", "[a]")).toBe("bad (regex used for validation is '[a]')");
});

test("fully qualified names", () => {
  const check = (name: string): string[] => validateFullyQualifiedName(fieldPath("name"), name).map(fieldErrorText);
  expect(check("policy.example.com")).toEqual([]);
  expect(check("")).toEqual(["name: Required value"]);
  expect(check("k8s.io")).toEqual([
    'name: Invalid value: "k8s.io": should be a domain with at least three segments separated by dots',
  ]);
  expect(check("A.b.c")[0]).toMatch(/^name: Invalid value: "A.b.c": a lowercase RFC 1123 subdomain must/);
});

test("long input does not take long", () => {
  for (const text of ["a".repeat(200_000), "-".repeat(200_000), "a-".repeat(100_000), "a.".repeat(100_000)]) {
    for (const check of Object.values(checks)) expect(check(text)).toBeInstanceOf(Array);
  }
});

test("names built from the rules pass", () => {
  const alphanumeric = fc.constantFrom(..."abcxyz019");
  const middle = fc.string({ unit: fc.constantFrom(..."abz09-"), maxLength: 20 });
  const label = fc.tuple(alphanumeric, middle, alphanumeric).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
      const name = labels.join(".");
      expect(n.checkDns1123Subdomain(name)).toEqual([]);
      expect(n.checkDns1123Label(labels[0]!)).toEqual([]);
      expect(n.checkQualifiedName(`${name}/${labels[0]}`)).toEqual([]);
      expect(n.checkDns1123SubdomainPrefix(`${name}-`).length).toBeLessThanOrEqual(1);
    }),
  );
});
