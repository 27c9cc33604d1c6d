import { BOOL, INT, STRING, type Type } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { EVERYTHING } from "../policies.testing.ts";
import type { MatchResources } from "../policy.ts";
import type { Gates } from "../proposals/gates.ts";
import type { Declared } from "./environments.ts";
import { PolicyCompiler } from "./policy-compiler.ts";

const compiler = new PolicyCompiler();
const PROD = { matchLabels: { env: "prod" } };

const PLAIN: Declared = { params: false, authorizer: true, variables: true };
const NONE: ReadonlyMap<string, Type> = new Map();
const X: ReadonlyMap<string, Type> = new Map([["x", INT]]);
const LONG = `true || ${"object.a.b.c || ".repeat(500)}false`;

describe("compiled once", () => {
  // biome-ignore format: one case per line
  const cases: { name: string; declared?: Declared; types?: ReadonlyMap<string, Type>; text?: string; returns?: readonly Type[]; shared: boolean }[] = [
    { name: "the same",                                              shared: true },
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
      const first = compiler.expression(PLAIN, NONE, "object == null", [BOOL]);
      expect(compiler.expression(declared, types, text, returns) === first).toBe(shared);
    },
  );
});

test("a validated expression is enforced, and a stored one may use more than a new one", () => {
  const written: Declared = { ...PLAIN, mode: "newExpressions" };
  const accepted = compiler.expression(written, NONE, "object != null && true", [BOOL]);
  expect(compiler.expression(PLAIN, NONE, "object != null && true", [BOOL])).toBe(accepted);
  expect(compiler.expression(written, NONE, "[object].includes(null)", [BOOL]).ok).toBe(false);
  expect(compiler.expression(PLAIN, NONE, "[object].includes(null)", [BOOL]).ok).toBe(true);
});

test("errors are shared as programs are", () => {
  const failed = compiler.expression(PLAIN, NONE, "object +", [BOOL]);
  expect(failed.ok).toBe(false);
  expect(compiler.expression(PLAIN, NONE, "object +", [BOOL])).toBe(failed);
});

test("variables have the meaning of their policy", () => {
  expect(compiler.expression(PLAIN, X, "variables.x == 1", [BOOL]).ok).toBe(true);
  expect(compiler.expression(PLAIN, NONE, "variables.x == 1", [BOOL]).ok).toBe(false);
  expect(compiler.expression({ ...PLAIN, variables: false }, NONE, "variables == null", [BOOL])).toMatchObject({
    message: expect.stringContaining("undeclared reference to 'variables'"),
  });
});

test("variables of the same names and types share what names them", () => {
  const expression = (types: ReadonlyMap<string, Type>) =>
    compiler.expression(PLAIN, types, "variables.x == 1", [BOOL]);
  expect(expression(new Map(X))).toBe(expression(X));
  expect(expression(new Map([["x", STRING]])).ok).toBe(false);
  expect(expression(new Map([...X, ["y", INT]]))).not.toBe(expression(X));
});

test("very long texts are not kept", () => {
  expect(compiler.expression(PLAIN, NONE, LONG, [BOOL])).not.toBe(compiler.expression(PLAIN, NONE, LONG, [BOOL]));
});

describe("match constraints are compiled once for those who say the same", () => {
  const pods = (more: object = {}): MatchResources => ({
    resourceRules: [{ ...EVERYTHING, resources: ["pods"] }],
    ...more,
  });
  // biome-ignore format: one case per line
  const cases: { name: string; other: MatchResources; gates?: Gates; same: boolean }[] = [
    { name: "the same",               other: pods(),                              same: true },
    { name: "another selector",       other: pods({ objectSelector: PROD }),      same: false },
    { name: "another policy",         other: pods({ matchPolicy: "Exact" }),      same: false },
    { name: "with lists by a gate",   other: pods(), gates: { NamespaceLists: true }, same: false },
    { name: "with what has no text",  other: pods({ unknown: 1n }),               same: false },
  ];
  test.each(cases)("$name", ({ other, gates, same }) =>
    expect(compiler.match(other, gates) === compiler.match(pods())).toBe(same),
  );
});
