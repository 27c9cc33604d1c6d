// Limits that would make rules cheap enough and that people could accept: round numbers, and rather two ordinary limits than one that
// leaves no room. A list of at most five users is no answer; fifty users with names of 64 characters is one.

import type { SizeKeyword } from "./estimation.ts";

/** A field, and a possible limit for it. */
export interface Limitable {
  readonly keyword: SizeKeyword;
  /** The largest limit that is enough by itself; undefined when none is. */
  readonly largest: number | undefined;
}

/** A smaller limit would ask too much of users. */
const ENOUGH: Readonly<Record<SizeKeyword, number>> = { maxItems: 50, maxProperties: 50, maxLength: 64 };

/** From generous to tight. Texts get shorter more slowly than lists: names need their characters. */
const LEVELS: readonly { readonly size: number; readonly length: number }[] = [
  { size: 1000, length: 1024 },
  { size: 500, length: 512 },
  { size: 200, length: 256 },
  { size: 100, length: 128 },
  { size: 64, length: 128 },
  { size: 50, length: 64 },
  { size: 32, length: 64 },
  { size: 20, length: 64 },
  { size: 16, length: 64 },
  { size: 10, length: 32 },
  { size: 8, length: 32 },
  { size: 5, length: 16 },
];

/** Fields tried one by one; the rest keep the limit that all have. */
const RAISED = 6;

/**
 * A limit for one field, or for all of them, with which `fits` answers true. Fields are ordered by the cost they save, the largest first.
 * Empty when no limits that people could accept are enough.
 */
export function suggestLimits<F extends Limitable>(
  fields: readonly F[],
  fits: (limits: ReadonlyMap<F, number>) => boolean,
): ReadonlyMap<F, number> {
  const alone = fields.find(({ keyword, largest = 0 }) => largest >= ENOUGH[keyword]);
  if (alone !== undefined) return new Map([[alone, roundDown(alone)]]);
  const level = LEVELS.findIndex((_, i) => fits(atLevel(fields, i)));
  if (level === -1) return new Map();
  let limits = atLevel(fields, level);
  // The field that counts least has the most room.
  for (const field of [...fields].reverse().slice(0, RAISED)) {
    for (let i = level - 1; i >= 0; i--) {
      const raised = new Map(limits).set(field, limitAt(field, i));
      if (!fits(raised)) break;
      limits = raised;
    }
  }
  return limits;
}

function atLevel<F extends Limitable>(fields: readonly F[], level: number): ReadonlyMap<F, number> {
  return new Map(fields.map((field) => [field, limitAt(field, level)]));
}

function limitAt({ keyword }: Limitable, level: number): number {
  const { size, length } = LEVELS[level]!;
  return keyword === "maxLength" ? length : size;
}

/** 1, 2 or 5 and zeros; texts are counted in powers of two. */
function roundDown({ keyword, largest = 1 }: Limitable): number {
  if (keyword === "maxLength") return 2 ** Math.floor(Math.log2(largest));
  const power = 10 ** Math.floor(Math.log10(largest));
  return [5, 2, 1].map((digit) => digit * power).find((limit) => limit <= largest) ?? 1;
}
