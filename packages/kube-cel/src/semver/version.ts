// Semantic versions as github.com/blang/semver/v4 reads and compares them, with its error texts.

import { utf8Length } from "@celadon/base";
import { quoteText, walk, work } from "@celadon/cel/values";

/** A text that is no version. Why is written when it is read. */
export class VersionFailure {
  readonly #message: () => string;
  constructor(message: () => string) {
    this.#message = message;
  }
  get message(): string {
    return this.#message();
  }
}

export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Identifiers of the pre-release, numeric ones as numbers. */
  readonly pre: readonly (bigint | string)[];
  readonly build: readonly string[];
}

/** The steps of a watched evaluation: reading one takes that much longer than comparing an element. */
const STEPS_PER_IDENTIFIER = 20;
const MAX_UINT64 = 2n ** 64n - 1n;
const DIGITS = /^[0-9]*$/;
const IDENTIFIER = /^[0-9A-Za-z-]+$/;

export function parseVersion(text: string): Version | VersionFailure {
  if (text === "") return new VersionFailure(() => "Version string empty");
  walk(text.length);
  const parts = splitThree(text);
  if (parts.length !== 3) return new VersionFailure(() => "No Major.Minor.Patch elements found");
  const [majorText, minorText, last] = parts as [string, string, string];
  const major = parseNumber("major", majorText);
  if (major instanceof VersionFailure) return major;
  const minor = parseNumber("minor", minorText);
  if (minor instanceof VersionFailure) return minor;

  const [beforeBuild, build] = cutOff(last, "+");
  const [patchText, pre] = cutOff(beforeBuild, "-");
  const patch = parseNumber("patch", patchText);
  if (patch instanceof VersionFailure) return patch;
  const identifiers: (bigint | string)[] = [];
  for (const part of pre) {
    work(STEPS_PER_IDENTIFIER);
    const identifier = parseIdentifier(part);
    if (identifier instanceof VersionFailure) return identifier;
    identifiers.push(identifier);
  }
  for (const part of build) {
    work(STEPS_PER_IDENTIFIER);
    if (part === "") return new VersionFailure(() => "Build meta data is empty");
    if (!IDENTIFIER.test(part))
      return new VersionFailure(() => `Invalid character(s) found in build meta data ${quoteText(part)}`);
  }
  return { major, minor, patch, pre: identifiers, build };
}

export function formatVersion({ major, minor, patch, pre, build }: Version): string {
  const dashed = pre.length > 0 ? `-${pre.join(".")}` : "";
  return `${major}.${minor}.${patch}${dashed}${build.length > 0 ? `+${build.join(".")}` : ""}`;
}

/** Without a leading `v` and leading zeros, and with the numbers that a short version leaves out. */
export function normalizeVersion(text: string): string | VersionFailure {
  const parts = splitThree(text.startsWith("v") ? text.slice(1) : text).map((part) => {
    if (utf8Length(part) < 2) return part;
    const trimmed = part.replace(/^0+/, "");
    return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
  });
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? "")) {
    return new VersionFailure(() => "short version cannot contain PreRelease/Build meta data");
  }
  while (parts.length < 3) parts.push("0");
  return parts.join(".");
}

/** At the first two dots. */
function splitThree(text: string): string[] {
  const first = text.indexOf(".");
  if (first < 0) return [text];
  const second = text.indexOf(".", first + 1);
  if (second < 0) return [text.slice(0, first), text.slice(first + 1)];
  return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
}

/** Splits a text at a mark, and the part after it at its dots. */
function cutOff(text: string, mark: string): [before: string, parts: string[]] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, []] : [text.slice(0, at), text.slice(at + 1).split(".")];
}

function parseNumber(name: "major" | "minor" | "patch", text: string): bigint | VersionFailure {
  if (!DIGITS.test(text))
    return new VersionFailure(() => `Invalid character(s) found in ${name} number ${quoteText(text)}`);
  if (hasLeadingZero(text)) {
    const shown = name.charAt(0).toUpperCase() + name.slice(1);
    return new VersionFailure(() => `${shown} number must not contain leading zeroes ${quoteText(text)}`);
  }
  return parseUint(text);
}

function parseIdentifier(text: string): bigint | string | VersionFailure {
  if (text === "") return new VersionFailure(() => "Prerelease is empty");
  if (DIGITS.test(text)) {
    if (!hasLeadingZero(text)) return parseUint(text);
    return new VersionFailure(() => `Numeric PreRelease version must not contain leading zeroes ${quoteText(text)}`);
  }
  return IDENTIFIER.test(text)
    ? text
    : new VersionFailure(() => `Invalid character(s) found in prerelease ${quoteText(text)}`);
}

const hasLeadingZero = (text: string): boolean => text.length > 1 && text.startsWith("0");

/** strconv.ParseUint of digits. */
function parseUint(text: string): bigint | VersionFailure {
  if (text === "") return new VersionFailure(() => `strconv.ParseUint: parsing "": invalid syntax`);
  // More than twenty digits are out of range in any case, and need not become a number to see it.
  const n = text.length > 20 ? undefined : BigInt(text);
  if (n !== undefined && n <= MAX_UINT64) return n;
  return new VersionFailure(() => `strconv.ParseUint: parsing ${quoteText(text)}: value out of range`);
}

/** Precedence: numbers, then a version before its pre-releases, then those identifier by identifier. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  const numbers = order(a.major, b.major) || order(a.minor, b.minor) || order(a.patch, b.patch);
  if (numbers !== 0) return numbers;
  if (a.pre.length === 0 || b.pre.length === 0) return order(b.pre.length, a.pre.length);
  work(Math.min(a.pre.length, b.pre.length));
  for (let i = 0; i < a.pre.length && i < b.pre.length; i++) {
    const difference = compareIdentifiers(a.pre[i] as bigint | string, b.pre[i] as bigint | string);
    if (difference !== 0) return difference;
  }
  return order(a.pre.length, b.pre.length);
}

/** Numbers come before words. */
function compareIdentifiers(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === "bigint") return typeof b === "bigint" ? order(a, b) : -1;
  return typeof b === "bigint" ? 1 : order(a, b);
}

function order<T extends bigint | number | string>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
