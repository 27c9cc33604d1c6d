// Static estimates of every library call, as recorded from the reference with the same sizes: a variable named `s10` is at most 10 long,
// elements and values of `ls5` or `m5` at most 7, and other variables are unbounded.

import { readFileSync } from "node:fs";
import { BYTES, DYN, INT, listOf, mapOf, STRING } from "@celadon/cel";
import type { SizeEstimator } from "@celadon/cel/cost";
import { expect, test } from "vitest";
import { kubeEnv } from "./environment.ts";
import { AUTHORIZER, RESOURCE_CHECK } from "./library/authorizer.ts";
import { jsonPatchLibrary } from "./library/jsonpatch.ts";

const env = kubeEnv({
  mode: "newExpressions",
  variables: {
    d: DYN,
    s: STRING,
    s10: STRING,
    s100: STRING,
    b100: BYTES,
    i: INT,
    l5: listOf(INT),
    ls: listOf(STRING),
    ls5: listOf(STRING),
    m5: mapOf(STRING, STRING),
    authorizer: AUTHORIZER,
    "authorizer.requestResource": RESOURCE_CHECK,
  },
  engine: { libraries: [jsonPatchLibrary] },
});

const sizes: SizeEstimator = {
  size({ path }) {
    const [root = "", step, ...rest] = path;
    const most = /^[a-z]+(\d+)$/.exec(root)?.[1];
    if (most === undefined || rest.length > 0) return undefined;
    if (step === undefined) return { min: 0n, max: BigInt(most) };
    return step === "@items" || step === "@values" ? { min: 0n, max: 7n } : undefined;
  },
};

interface Recorded {
  readonly expr: string;
  readonly min: string;
  readonly max: string;
}
const lines = readFileSync(new URL("./testdata/estimates.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

test.each(lines.map((line) => JSON.parse(line) as Recorded))("$expr", ({ expr, min, max }) => {
  const { ast, issues } = env.parse(expr);
  if (ast === undefined) throw new Error(issues[0]?.message);
  const checked = env.check(ast);
  expect(checked.issues).toEqual([]);
  const estimate = env.estimate(checked, { sizes });
  expect({ min: String(estimate.min), max: String(estimate.max) }).toEqual({ min, max });
});
