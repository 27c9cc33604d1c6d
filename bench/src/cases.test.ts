// The engine's answers on every case and document, in both forms, are the hand-written checks'. The test takes no times.

import { createEnv, DYN } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { cases } from "./cases.ts";

const env = createEnv({ variables: { object: DYN, oldObject: DYN, params: DYN } });

describe.each(["compiled", "interpreted"] as const)("%s", (mode) => {
  test.each(cases)("$name", ({ expr, docs, handWritten }) => {
    const program = env.program(expr, { mode });
    const got = docs.map((vars) => program.evaluate({ ...vars }));
    expect(got.map(({ error }) => error)).toEqual(docs.map(() => undefined));
    expect(got.map(({ value }) => value)).toEqual(docs.map(handWritten));
  });
});

test.each(cases)("$name has more than one answer", ({ docs, handWritten }) => {
  expect(new Set(docs.map((vars) => JSON.stringify(handWritten(vars)))).size).toBeGreaterThan(1);
});
