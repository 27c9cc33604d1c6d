// Settings of V8 while it runs. V8 itself prints an error about a flag that it does not know, so every flag has the versions that know it;
// in other versions nothing is set, which costs speed or memory but no result. Why these values: docs/decisions/0021-optimise-later.md.

import { setFlagsFromString } from "node:v8";

interface Setting {
  readonly flag: string;
  /** The first and the last major version of V8 that the flag was tried with: Node 20 has 11, 22 has 12, 24 has 13, 26 has 14. */
  readonly known: readonly [first: number, last: number];
}

// biome-ignore format: one flag per line
const SETTINGS = {
  optimiseLater:        [{ flag: "--interrupt-budget=140000",    known: [11, 11] }],
  collectSeldom:        [{ flag: "--semi-space-growth-factor=4", known: [11, 13] },
                         { flag: "--no-parallel-scavenge",       known: [11, 14] }],
  optimiseSooner:       [{ flag: "--interrupt-budget=12000",     known: [11, 11] },
                         { flag: "--semi-space-growth-factor=2", known: [11, 13] },
                         { flag: "--no-parallel-scavenge",       known: [11, 14] }],
  growHeapSlowly:       [{ flag: "--heap-growing-percent=10",    known: [11, 14] }],
  asAtStart:            [{ flag: "--interrupt-budget=140000",    known: [11, 11] },
                         { flag: "--parallel-scavenge",          known: [11, 14] },
                         { flag: "--heap-growing-percent=0",     known: [11, 14] }],
} as const satisfies Record<string, readonly Setting[]>;

/** For a command that ends soon: few functions optimised. */
export const optimiseLater = (): void => apply("optimiseLater");

/** For a starting server: it keeps most new objects, so that collecting garbage takes time and frees little. */
export const collectSeldom = (): void => apply("collectSeldom");

/** For a server that has started, and for inputs that take many seconds: every function optimised that requests pass through. */
export const optimiseSooner = (): void => apply("optimiseSooner");

/** For inputs of hundreds of megabytes: V8 lets the heap of a program that allocates quickly grow to several times the used size. */
export const growHeapSlowly = (): void => apply("growHeapSlowly");

/** At the end of a command, as at its start: V8 takes compiled code back only with the flags it was compiled with. */
export const resetFlags = (): void => apply("asAtStart");

/** The flags of a setting that a version of V8 knows. */
export function flagsFor(setting: keyof typeof SETTINGS, version: string): string[] {
  const major = Number.parseInt(version, 10);
  return SETTINGS[setting]
    .filter(({ known: [first, last] }) => major >= first && major <= last)
    .map(({ flag }) => flag);
}

function apply(setting: keyof typeof SETTINGS): void {
  for (const flag of flagsFor(setting, process.versions.v8)) setFlagsFromString(flag);
}
