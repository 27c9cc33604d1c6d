import { BOOL, INT, STRING, type Type } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import type { Declared } from "./environments.ts";
import { compileShared } from "./shared-expressions.ts";

const PLAIN: Declared = { params: false, authorizer: true, variables: true };
const NONE: ReadonlyMap<string, Type> = new Map();
const X: ReadonlyMap<string, Type> = new Map([["x", INT]]);
const LONG = `true || ${"object.a.b.c || ".repeat(500)}false`;

describe("compiled once", () => {
  // biome-ignore format: one case per line
  const cases: { name: string; declared?: Declared; types?: ReadonlyMap<string, Type>; text?: string; returns?: readonly Type[]; shared: boolean }[] = [
    { name: "the same",                                              shared: true },
    { name: "validated and enforced", declared: { ...PLAIN, variables: false, mode: "newExpressions" }, shared: true },
    { name: "beside variables it does not name", types: X,           shared: true },
    { name: "another text",        text: "object != null",           shared: false },
    { name: "with params",         declared: { ...PLAIN, params: true }, shared: false },
    { name: "without authorizer",  declared: { ...PLAIN, authorizer: false }, shared: false },
    { name: "for another minor",   declared: { ...PLAIN, kubeVersion: "1.30" }, shared: false },
    { name: "for another result",  returns: [STRING],                shared: false },
  ];
  test.each(cases)(
    "$name: $shared",
    ({ declared = PLAIN, types = NONE, text = "object == null", returns = [BOOL], shared }) => {
      const first = compileShared(PLAIN, NONE, "object == null", [BOOL]);
      expect(compileShared(declared, types, text, returns) === first).toBe(shared);
    },
  );
});

test("errors are shared as programs are", () => {
  const failed = compileShared(PLAIN, NONE, "object +", [BOOL]);
  expect(failed.ok).toBe(false);
  expect(compileShared(PLAIN, NONE, "object +", [BOOL])).toBe(failed);
});

test("variables mean what the policy says", () => {
  expect(compileShared(PLAIN, X, "variables.x == 1", [BOOL]).ok).toBe(true);
  expect(compileShared(PLAIN, NONE, "variables.x == 1", [BOOL]).ok).toBe(false);
  expect(compileShared({ ...PLAIN, variables: false }, NONE, "variables == null", [BOOL])).toMatchObject({
    message: expect.stringContaining("undeclared reference to 'variables'"),
  });
});

test("very long texts are not kept", () => {
  expect(compileShared(PLAIN, NONE, LONG, [BOOL])).not.toBe(compileShared(PLAIN, NONE, LONG, [BOOL]));
});
