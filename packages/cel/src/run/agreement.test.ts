// The interpreted and the compiled form of random expressions over random data answer the same value, or the same error at
// the same node, at the same cost, with and without a cost limit. Expressions grow from trivial to large.
//
//   CELADON_CAMPAIGN_SECONDS=300 CELADON_SEED=7 npx vitest run packages/cel/src/run/agreement.test.ts

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEnv, type Env } from "../env.ts";
import {
  bindingsLibrary,
  encodersLibrary,
  listsLibrary,
  mathLibrary,
  networkLibrary,
  numericComparisons,
  optionalLibrary,
  regexLibrary,
  setsLibrary,
  standardLibrary,
  stringsLibrary,
  twoVariableLibrary,
} from "../lib/index.ts";
import type { Library } from "../lib/library.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from "../value/type.ts";
import { variablesOf } from "./random-data.testing.ts";

import { expressions, type Vocabulary } from "./random-expression.testing.ts";
import { TYPES } from "./random-types.testing.ts";

import { show, showOutcome } from "./show.testing.ts";

/** For a longer campaign; otherwise so many expressions of each kind and size. */
const SECONDS = Number(process.env.CELADON_CAMPAIGN_SECONDS ?? 0);
const RUNS = 120;
const SEED = Number(process.env.CELADON_SEED ?? 1);

const libraries: readonly Library[] = [
  numericComparisons,
  optionalLibrary(),
  bindingsLibrary(),
  twoVariableLibrary,
  encodersLibrary,
  listsLibrary(),
  mathLibrary(),
  networkLibrary,
  regexLibrary,
  setsLibrary,
  stringsLibrary(),
];

// biome-ignore format: by kind
const variables: Readonly<Record<string, Type>> = {
  b: BOOL, i: INT, j: INT, u: UINT, f: DOUBLE, s: STRING, s2: STRING, by: BYTES, ts: TIMESTAMP, du: DURATION, d: DYN, e: DYN,
  li: listOf(INT), ls: listOf(STRING), lf: listOf(DOUBLE), lu: listOf(UINT), ld: listOf(DYN), lts: listOf(TIMESTAMP),
  m: mapOf(STRING, DYN), mi: mapOf(STRING, INT), mf: mapOf(STRING, DOUBLE), ms: mapOf(STRING, STRING), ml: mapOf(STRING, listOf(INT)),
  oi: optionalOf(INT), os: optionalOf(STRING), od: optionalOf(DYN),
};

const vocabulary: Vocabulary = {
  rows: [standardLibrary, ...libraries].flatMap(({ overloads }) => overloads),
  variables,
  macros: { optional: true, twoVariables: true, bind: true, math: true, sortBy: true },
};

const wellTyped = expressions(vocabulary, false);
const illTyped = expressions(vocabulary, true);

const env = createEnv({ variables, libraries, limits: { recursion: 1000 } });
const kubernetesLike = createEnv({ variables, libraries, limits: { recursion: 1000 }, presenceTestCost: 0 });
const specified = createEnv({ variables, libraries, limits: { recursion: 1000 }, semantics: "specification" });

// biome-ignore format: one campaign per line
const campaigns: { name: string; loose: boolean; wrong: boolean; env: Env; unchecked?: boolean }[] = [
  { name: "well typed, data as declared",          loose: false, wrong: false, env },
  { name: "well typed, data not as declared",      loose: false, wrong: true,  env: kubernetesLike },
  { name: "ill typed behind dyn",                  loose: true,  wrong: true,  env },
  { name: "ill typed, by the specification",       loose: true,  wrong: true,  env: specified },
  { name: "ill typed, not checked at all",         loose: true,  wrong: true,  env, unchecked: true },
];

describe(`seed ${SEED}`, () => {
  test.each(campaigns)(
    "$name",
    { timeout: SECONDS * 2000 + 30_000 },
    ({ name, loose, wrong, env: e, unchecked = false }) => {
      const generate = loose ? illTyped : wellTyped;
      const bound =
        SECONDS === 0
          ? { numRuns: RUNS }
          : {
              numRuns: Number.POSITIVE_INFINITY,
              interruptAfterTimeLimit: (SECONDS * 1000) / campaigns.length / DEPTHS.length,
            };
      let runs = 0;
      let refused = 0;
      for (const depth of DEPTHS) {
        const text = fc.constantFrom(...TYPES).chain((type) => generate(type, depth));
        const property = fc.property(text, variablesOf(variables, wrong), fc.nat(60), (expr, data, costLimit) => {
          runs++;
          if (!agree(e, expr, data, costLimit, unchecked)) refused++;
        });
        fc.assert(property, { seed: SEED + depth, ...bound });
      }
      if (SECONDS > 0) console.log(`${name}: ${runs} expressions, ${refused} of them refused by the checker`);
      expect(refused / runs).toBeLessThan(0.1);
    },
  );
});

/** A cost that no sensible expression reaches; loops over `lists.range(9223372036854775807)` end here. */
const ENOUGH = 20_000;
/** The reference's own answers where it panics: a map literal's key is bytes, the cost of a failed argument is needed. */
const PANICS = /hash of unhashable type|interface conversion/;
const DEPTHS = [0, 1, 2, 3, 4] as const;

/** False when the text does not pass the checker. */
function agree(e: Env, expr: string, data: Record<string, unknown>, costLimit: number, unchecked: boolean): boolean {
  const parsed = e.parse(expr);
  if (!parsed.ast || parsed.issues.length > 0) throw new Error(`does not parse: ${expr}`);
  const checked = unchecked ? parsed.ast : e.check(parsed.ast);
  if ("issues" in checked && checked.issues.some(({ severity }) => severity === "error")) return false;
  const interpreted = e.plan(checked, { mode: "interpreted" });
  const compiled = e.plan(checked, { mode: "compiled" });
  if (!("evaluate" in interpreted) || !("evaluate" in compiled)) return false;
  for (const options of [{ costLimit: ENOUGH }, { costLimit }]) {
    const want = interpreted.evaluate(data, options);
    const got = showOutcome(compiled.evaluate(data, options));
    if (got !== showOutcome(want) || (want.error?.code === "internal" && !PANICS.test(want.error.message))) {
      throw new Error(
        `${expr}\nover ${show(data)}\n${JSON.stringify(options)}\ninterpreted: ${showOutcome(want)}\ncompiled:    ${got}`,
      );
    }
  }
  return true;
}
