import { expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { isError } from "../value/error.ts";
import { BOOL, DYN } from "../value/type.ts";

const env = createEnv({ variables: { object: DYN } });

test("a program is compiled once it has been evaluated a few times", () => {
  const program = env.program("object.a == 1");
  expect(program.form).toBe("interpreted");
  for (let i = 0; i < 8; i++) expect(program.evaluate({ object: { a: 1 } }).value).toBe(true);
  expect(program.form).toBe("compiled");
});

test("run and evaluate give the same result, compiled or not, with a declared type or without", () => {
  for (const options of [
    {},
    { mode: "compiled" },
    { mode: "interpreted" },
    { mode: "compiled", type: BOOL },
  ] as const) {
    const program = env.program("object.a == 1", options);
    expect(program.run({ object: { a: 1 } })).toBe(true);
    const missing = program.run({ object: {} });
    expect(isError(missing) && missing.message).toBe("no such key: a");
  }
});

test("code that deoptimises every time is put aside, and tried again later", () => {
  const program = env.program("object.a + object.b == 3"); // an error on the left, with more to evaluate on the right
  const failing = { object: { b: 1 } };
  const outcome = program.evaluate(failing);
  const forms = new Set<string>();
  for (let i = 0; i < 3000; i++) {
    expect(program.evaluate(failing)).toEqual(outcome);
    forms.add(program.form);
    if (forms.size === 2 && program.form === "interpreted") break;
  }
  expect(program.form).toBe("interpreted");
  for (let i = 0; i < 1100; i++) program.run({ object: { a: 1, b: 2 } });
  expect(program.form).toBe("compiled");
  for (let i = 0; i < 100; i++) expect(program.run({ object: { a: 1, b: 2 } })).toBe(true);
  expect(program.form).toBe("compiled");
});
