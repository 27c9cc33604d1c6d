import fc from "fast-check";
import { expect, test } from "vitest";
import { compareVersions, normalizeVersion, parseVersion, type Version, VersionFailure } from "./version.ts";

/** The grammar as semver.org publishes it. */
const GRAMMAR =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\+([0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*))?$/;

const identifier = fc.string({ unit: fc.constantFrom(..."01209abzAZ-"), maxLength: 4 });
const nearly = fc
  .tuple(
    fc.array(fc.constantFrom("0", "1", "2", "10", "01", "", "x", "99999999999999999999"), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.option(fc.array(identifier, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    fc.option(fc.array(identifier, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  )
  .map(
    ([numbers, pre, build]) =>
      `${numbers.join(".")}${pre ? `-${pre.join(".")}` : ""}${build ? `+${build.join(".")}` : ""}`,
  );

const fits = (text: string): boolean =>
  [
    ...(GRAMMAR.exec(text)?.slice(1, 4) ?? []),
    ...(GRAMMAR.exec(text)?.[4] ?? "").split(".").filter((part) => /^\d+$/.test(part)),
  ].every((digits) => BigInt(digits) < 2n ** 64n);

test("a version is what the grammar allows, with numbers of 64 bits", () => {
  fc.assert(
    fc.property(nearly, (text) => {
      expect(parseVersion(text) instanceof VersionFailure).toBe(!(GRAMMAR.test(text) && fits(text)));
    }),
    { numRuns: 2000 },
  );
});

const version: fc.Arbitrary<Version> = nearly
  .map(parseVersion)
  .filter((parsed): parsed is Version => !(parsed instanceof VersionFailure));

/** Precedence by the letter of the specification, on text. */
function naive(a: Version, b: Version): number {
  for (const key of ["major", "minor", "patch"] as const) if (a[key] !== b[key]) return a[key] < b[key] ? -1 : 1;
  if (a.pre.length === 0 || b.pre.length === 0)
    return Math.sign(Number(a.pre.length === 0) - Number(b.pre.length === 0));
  for (const [i, left] of a.pre.entries()) {
    const right = b.pre[i];
    if (right === undefined) return 1;
    if (left === right) continue;
    if (typeof left === typeof right) return left < right ? -1 : 1;
    return typeof left === "bigint" ? -1 : 1;
  }
  return a.pre.length < b.pre.length ? -1 : 0;
}

test("versions are ordered by precedence", () => {
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(compareVersions(a, b)).toBe(naive(a, b));
      expect(compareVersions(a, b)).toBe(-compareVersions(b, a) + 0);
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
        expect(compareVersions(a, c)).toBeLessThanOrEqual(0);
    }),
  );
});

// biome-ignore format: one case per line
test.each([
  ["v1.2", "1.2.0"], ["1", "1.0.0"], ["01.002.3", "1.2.3"], ["1.0.0-01", "1.0.0-01"], ["v", ".0.0"], ["00.0.0", "0.0.0"], ["V1", "0V1.0.0"],
  ["1.2.003-rc.1", "1.2.3-rc.1"], ["1.2.00-rc", "1.2.0-rc"],
])("%s normalises to %s", (text, normal) => expect(normalizeVersion(text)).toBe(normal));

test("a short version has no pre-release", () => {
  const failure = normalizeVersion("1.2-rc") as VersionFailure;
  expect(failure.message).toBe("short version cannot contain PreRelease/Build meta data");
});

test("a version that is valid is left alone by normalising", () => {
  fc.assert(
    fc.property(
      nearly.filter((text) => GRAMMAR.test(text) && fits(text)),
      (text) => {
        expect(normalizeVersion(text)).toBe(text);
      },
    ),
  );
});
