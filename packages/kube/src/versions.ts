// Kubernetes minors as data: `1.29`, compared number by number.

/** A minor version of Kubernetes: `1.30`. */
export type Minor = `${number}.${number}`;

/** The release that behaviour is compared with. */
export const CURRENT: Minor = "1.37";
/** The oldest that is emulated. */
export const FIRST: Minor = "1.28";
/** The minors whose built-in kinds are known. */
export const BUILTIN_MINORS: { readonly first: Minor; readonly last: Minor } = { first: "1.30", last: "1.37" };

/** The order of two minors. */
export function compareMinors(a: Minor, b: Minor): number {
  const [majorA = 0, minorA = 0] = a.split(".").map(Number);
  const [majorB = 0, minorB = 0] = b.split(".").map(Number);
  return majorA - majorB || minorA - minorB;
}

/** Minors in which something holds: from `since` on, and before `removed`. An absent end is open. */
export interface MinorRange {
  readonly since?: Minor;
  /** The first minor without it. */
  readonly removed?: Minor;
}

/** Whether a range includes a minor. */
export function holdsAt({ since, removed }: MinorRange, minor: Minor): boolean {
  return (since === undefined || !isBefore(minor, since)) && (removed === undefined || isBefore(minor, removed));
}

/** The minor that a server can be rolled back to. */
export function minorBefore(minor: Minor): Minor {
  const [major, number] = minor.split(".").map(Number) as [number, number];
  return `${major}.${Math.max(0, number - 1)}`;
}

/** Whether the first minor is older than the second. */
export const isBefore = (a: Minor, b: Minor): boolean => compareMinors(a, b) < 0;

/** Throws a TypeError for a text that is no version: a host's mistake, which would otherwise look like some release. */
export function requireMinor(text: unknown): Minor {
  if (typeof text === "string" && toMinor(text) === text) return text as Minor;
  throw new TypeError(`"${String(text)}" is no minor of Kubernetes: write 1.37`);
}

/** Every minor from one to another, both included. */
export function minorsBetween(first: Minor, last: Minor): Minor[] {
  const [major = 1, from = 0] = first.split(".").map(Number);
  const to = Number(last.split(".")[1]);
  return Array.from({ length: to - from + 1 }, (_, i): Minor => `${major}.${from + i}`);
}

/** `v1.29.3`, `1.29` and `1.29+` name the same minor; undefined when a text names none. */
export function toMinor(text: string): Minor | undefined {
  const match = /^v?([0-9]+)\.([0-9]+)(?![0-9])/.exec(text);
  return match === null ? undefined : `${Number(match[1])}.${Number(match[2])}`;
}
