// The servers that accept an expression when it is written, and those that can evaluate a stored one.

import { DYN, STRING } from "@celadon/cel";
import { type Minor, minorsBetween } from "@celadon/kube/versions";
import { expect, test } from "vitest";
import { compileExpression } from "./compile.ts";
import { type EnvironmentMode, kubeEnv } from "./environment.ts";
import { AUTHORIZER } from "./library/authorizer.ts";
import { serverOptions } from "./server-options.ts";

const variables = { object: DYN, s: STRING, authorizer: AUTHORIZER };

function first(expr: string, mode: EnvironmentMode): Minor | undefined {
  return minorsBetween("1.26", "1.36").find((minor) => {
    const { environment } = serverOptions(minor, mode);
    return compileExpression(kubeEnv({ ...environment, variables }), expr).ok;
  });
}

// biome-ignore format: one expression per line
test.each([
  { expr: "s.lowerAscii() == ''",                 written: "1.26", stored: "1.26" },
  { expr: "isQuantity(s)",                        written: "1.29", stored: "1.28" },
  { expr: "'%s'.format([s]) == ''",               written: "1.30", stored: "1.29" },
  { expr: "isIP(s)",                              written: "1.31", stored: "1.30" },
  { expr: "format.uri().validate(s).hasValue()",  written: "1.32", stored: "1.31" },
  { expr: "authorizer.group('').resource('pods').labelSelector('a').check('get').allowed()", written: "1.32", stored: "1.31" },
  { expr: "[1].all(i, v, i < v)",                 written: "1.33", stored: "1.32" },
  { expr: "isSemver(s)",                          written: "1.34", stored: "1.33" },
  { expr: "[1].sort() == [1]",                    written: "1.35", stored: "1.34" },
])("$expr: written in $written, evaluated in $stored", ({ expr, written, stored }) => {
  expect([first(expr, "newExpressions"), first(expr, "storedExpressions")]).toEqual([written, stored]);
});

test("fields named like reserved words", () => {
  const keywords = (mode: EnvironmentMode): Minor | undefined =>
    minorsBetween("1.28", "1.36").find((minor) => serverOptions(minor, mode).keywordFields);
  expect([keywords("newExpressions"), keywords("storedExpressions")]).toEqual(["1.32", "1.31"]);
});

test.each(["36", "v1.36", "1.36.4", "", 1.36, undefined])("%j is no minor", (minor) => {
  expect(() => serverOptions(minor as Minor, "newExpressions")).toThrow(/is no minor of Kubernetes: write 1\.37/);
});
