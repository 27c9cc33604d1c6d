import { BOOL, DYN, STRING } from "@celadon/cel";
import { compareMinors, holdsAt, type Minor, minorsBetween, toMinor } from "@celadon/kube/versions";
import { describe, expect, test } from "vitest";
import { acceptedBy } from "./accepted-by.ts";
import { BASE_OPTIONS } from "./base-options.ts";
import { compileExpression } from "./compile.ts";
import { baseOptions, type EnvironmentMode, kubeEnv } from "./environment.ts";
import { AUTHORIZER } from "./library/authorizer.ts";
import { PerCallLimit } from "./limits.ts";

const variables = { object: DYN, s: STRING, authorizer: AUTHORIZER };

// biome-ignore format: one expression per line
const introduced: readonly { expr: string; since: Minor }[] = [
  { expr: "[1, 2].isSorted()",                            since: "1.28" },
  { expr: "s.find('a') == ''",                            since: "1.28" },
  { expr: "url(s).getHost() == ''",                       since: "1.28" },
  { expr: "s.lowerAscii() == ''",                         since: "1.28" },
  { expr: "authorizer.path('/').check('get').allowed()",  since: "1.28" },
  { expr: "1 < 1.5",                                      since: "1.29" },
  { expr: "object.?a.hasValue()",                         since: "1.29" },
  { expr: "isQuantity(s)",                                since: "1.29" },
  { expr: "'%s'.format([s]) == ''",                       since: "1.30" },
  { expr: "strings.quote(s) == ''",                       since: "1.30" },
  { expr: "sets.contains([1], [1])",                      since: "1.30" },
  { expr: "isIP(s)",                                      since: "1.31" },
  { expr: "isCIDR(s)",                                    since: "1.31" },
  { expr: "format.uri().validate(s).hasValue()",          since: "1.32" },
  { expr: "authorizer.group('').resource('pods').labelSelector('a').check('get').allowed()", since: "1.32" },
  { expr: "[1].all(i, v, i < v)",                         since: "1.33" },
  { expr: "isSemver(s)",                                  since: "1.34" },
  { expr: "[1].sort() == [1]",                            since: "1.35" },
  // Validators refuse what earlier minors let through until it was evaluated.
  { expr: "s.matches('[')",                               since: "1.38" },
  { expr: "timestamp(s) == timestamp('x')",               since: "1.38" },
];

// A server accepts the features of the version before it, so that it can be rolled back; a gate counts at once.
describe("an expression is accepted once every supported version has its functions", () => {
  test.each(introduced)("$expr: $since", ({ expr, since }) => {
    const { accepted, refused } = acceptedBy(expr, { variables });
    expect(accepted).toEqual(minorsBetween("1.28", "1.37").filter((minor) => compareMinors(minor, since) >= 0));
    expect(accepted.length + refused.size).toBe(10);
  });
});

const names = (version: Minor, mode: EnvironmentMode, gates = {}): string[] =>
  baseOptions(version, mode, gates).flatMap(({ libraries = [] }) =>
    libraries.map(({ name, version: v }) => (v === undefined ? name : `${name}@${v}`)),
  );

test("new expressions see what the version knows, stored ones everything that was not removed", () => {
  expect(names("1.28", "newExpressions")).toContain("cel.lib.ext.strings@0");
  expect(names("1.29", "newExpressions")).toContain("cel.lib.ext.strings@2");
  expect(names("1.29", "newExpressions")).not.toContain("cel.lib.ext.strings@0");
  expect(names("1.0", "storedExpressions")).toEqual(names("1.37", "newExpressions"));
  expect(names("1.36", "newExpressions")).toContain("kubernetes.lists@0");
  expect(names("1.37", "newExpressions")).toHaveLength(
    BASE_OPTIONS.filter(({ removed, servers }) => holdsAt({ ...(removed && { removed }), ...servers }, "1.37")).flatMap(
      ({ libraries = [] }) => libraries,
    ).length,
  );
});

test("a gate decides in place of the version, for new expressions only", () => {
  const library = "kubernetes.authzSelectors";
  expect(names("1.0", "newExpressions")).toContain(library);
  expect(names("1.36", "newExpressions", { AuthorizeWithSelectors: false })).not.toContain(library);
  expect(names("1.36", "storedExpressions", { AuthorizeWithSelectors: false })).toContain(library);
});

test("invalid options throw", () => {
  expect(() => kubeEnv({ version: "36" as Minor })).toThrow('"36" is no minor of Kubernetes: write 1.37');
  expect(() => kubeEnv({ version: "v1.36" as Minor })).toThrow(TypeError);
  expect(() => kubeEnv({ mode: "new" as EnvironmentMode })).toThrow("unsupported environment type: new");
});

// biome-ignore format: one case per line
const failures = [
  { expr: "s == 1",      phase: "compilation", kind: "invalid",  message: "compilation failed: ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(string, int)'\n | s == 1\n | ..^" },
  { expr: "s",           phase: "type",        kind: "invalid",  message: "must evaluate to bool but got string" },
  { expr: "int('x') > 0", phase: "program",    kind: "internal", message: "program instantiation failed: type conversion error from 'string' to 'int'" },
];
test.each(failures)("$expr fails in $phase", ({ expr, ...want }) => {
  const result = compileExpression(kubeEnv({ variables }), expr, { returnTypes: [BOOL] });
  expect(result).toMatchObject({ ok: false, ...want });
});

test("several types may be wanted", () => {
  const env = kubeEnv({ variables });
  expect(compileExpression(env, "1", { returnTypes: [STRING, BOOL] })).toMatchObject({
    message: "must evaluate to one of [string bool] but got int",
  });
  expect(compileExpression(env, "s", { returnTypes: [STRING, BOOL] })).toMatchObject({ ok: true });
});

test("one evaluation may cost as much as the limit and no more", () => {
  const env = kubeEnv();
  expect(env.program("lists.range(99000).all(x, x >= 0)").evaluate({})).toMatchObject({
    cost: 99_011 + 99_000 * 5 + 1,
  });
  const nested = env.program("lists.range(99000).all(x, lists.range(99000).all(y, x >= 0))");
  expect(nested.evaluate({})).toMatchObject({ error: { message: "operation cancelled: actual cost limit exceeded" } });
  expect(PerCallLimit).toBe(1_000_000);
});

// biome-ignore format: one case per line
test.each([["v1.29.3", "1.29"], ["1.30", "1.30"], ["1.31+", "1.31"], ["latest", undefined], ["1", undefined]] as const)("%s names %s", (text, minor) => {
  expect(toMinor(text)).toBe(minor);
});
