import { fieldErrorText } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import type { Condition, ExpressionWarning } from "../../policy.ts";
import { jsonPathProblem } from "./json-path.ts";
import { validatePolicyStatus } from "./validate-status.ts";

const warningErrors = (...expressionWarnings: ExpressionWarning[]): string[] =>
  validatePolicyStatus({ typeChecking: { expressionWarnings } }).map(fieldErrorText);
const W = "status.typeChecking.expressionWarnings[0]";

// biome-ignore format: one case per line
test.each<readonly [fieldRef: string, warning: string, ...errors: string[]]>([
  ["spec.validations[0].expression", "w"],
  ["spec.validations[0].expression", "", `${W}.warning: Required value`],
  [" ", "w", `${W}.fieldRef: Required value`],
  ["spec[foo]", "w", `${W}.fieldRef: Invalid value: "spec[foo]": invalid JSONPath: invalid array index foo`],
])("a warning for %j", (fieldRef, warning, ...errors) => expect(warningErrors({ fieldRef, warning })).toEqual(errors));

// biome-ignore format: one case per line
test.each<readonly [path: string, problem: string | undefined]>([
  ["spec.a['b'].c[0:2:-1]", undefined],
  ["..name", undefined],
  ["....name", "invalid multiple recursive descent"],
  ["a[0", "unterminated array"],
  ["a[-]", "array index - is not a number"],
  ["a[0,1]", undefined],
  ["a[0,x]", "invalid array index x"],
  ["a[?(@.b == 'x)')].c", undefined],
  ["a[?(@.b == 1].c", "unterminated filter"],
  ["a[?(@.b == 1).c", "unclosed array expect ]"],
  ["'text'", undefined],
  ["'text", "unterminated quoted string"],
  ["'\\q'", "unquote string '\\q' error invalid syntax"],
  ["a\nb", "unclosed action"],
  ["1.2.3", "cannot parse number 1.2.3"],
  ["-1", undefined],
  ["a !", "unrecognized character in action: U+0021 '!'"],
  ["a}", undefined],
])("the path %j", (path, problem) => expect(jsonPathProblem(path)).toBe(problem));

test("hostile paths are read in time", () => {
  for (const part of ["\\", "[?('\\", "[", "..", "'\\", "{"]) jsonPathProblem(part.repeat(3_000));
  expect(jsonPathProblem(`a[?('${"\\".repeat(20_000)}`)).toBe("unterminated filter");
});

const GOOD: Condition = {
  type: "Ready",
  status: "True",
  reason: "Made",
  message: "m",
  lastTransitionTime: "2026-01-01T00:00:00Z",
};
const C = "status.conditions[0]";

// biome-ignore format: one case per line
const conditionCases: readonly (readonly [title: string, change: Record<string, unknown>, ...errors: string[]])[] = [
  ["all is well", {}],
  ["type", { type: "/x" }, `${C}.type: Invalid value: "/x": prefix part must be non-empty`],
  ["status", { status: "Maybe" }, `${C}.status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"`],
  ["observedGeneration", { observedGeneration: -1 }, `${C}.observedGeneration: Invalid value: -1: must be greater than or equal to zero`],
  ["lastTransitionTime", { lastTransitionTime: null }, `${C}.lastTransitionTime: Required value`],
  ["reason missing", { reason: "" }, `${C}.reason: Required value`],
  ["reason", { reason: "a b" }, `${C}.reason: Invalid value: "a b": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')`],
  ["reason too long", { reason: "a".repeat(1025) }, `${C}.reason: Too long: may not be more than 1024 bytes`],
  ["message too long", { message: "a".repeat(32_769) }, `${C}.message: Too long: may not be more than 32768 bytes`],
];

for (const [title, change, ...errors] of conditionCases) {
  test(`a condition: ${title}`, () => {
    const conditions = [{ ...GOOD, ...change } as Condition];
    expect(validatePolicyStatus({ conditions }).map(fieldErrorText)).toEqual(errors);
  });
}

test("conditions have types of their own", () => {
  expect(validatePolicyStatus({ conditions: [GOOD, GOOD] }).map(fieldErrorText)).toEqual([
    `status.conditions[1].type: Duplicate value: "Ready"`,
  ]);
});
