// The environment that inputs are compiled in: every library, and variables of every kind of type.

import {
  BYTES,
  createEnv,
  DOUBLE,
  DYN,
  type Env,
  INT,
  listOf,
  mapOf,
  STRING,
  TIMESTAMP,
  Timestamp,
  UINT,
  Uint,
} from "@celadon/cel";
import { libraries } from "./libraries.ts";

/** Enough for any sensible expression; nested loops that a mutation makes end here. */
export const COST_LIMIT = 50_000;

// biome-ignore format: one variable per line
const VARIABLES = {
  object: DYN, oldObject: DYN, params: DYN, request: DYN, namespaceObject: DYN,
  i: INT, u: UINT, d: DOUBLE, s: STRING, b: BYTES, l: listOf(INT), m: mapOf(STRING, DYN), t: TIMESTAMP,
};

/** Values of the variables that a document does not bring. */
// biome-ignore format: as above
export const VALUES: Readonly<Record<string, unknown>> = {
  object: null, oldObject: null, params: null, request: null, namespaceObject: null,
  i: 7, u: new Uint(3), d: 2.5, s: "héllo", b: new Uint8Array([0, 255]), l: [3, 1, 2], m: { a: 1, "b-c": "x" },
  t: new Timestamp(1_700_000_000, 5),
};

export function createFuzzEnv(): Env {
  return createEnv({ variables: VARIABLES, libraries, limits: { cost: COST_LIMIT } });
}
