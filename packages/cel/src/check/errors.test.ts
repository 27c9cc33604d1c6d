// The errors of wrong expressions, word for word and with the place that the reference reports. The recorded answers are those of a
// Kubernetes API server for expressions over a few dynamic variables (testdata/errors.jsonl).

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Issue } from "../ast/issue.ts";
import { compileRegex } from "../regex/index.ts";
import { isError } from "../value/error.ts";
import { checkText, type TestEnvironment } from "./environment.testing.ts";
import { standardValidators } from "./standard-validators.ts";
import { validate } from "./validators.ts";

const validators = standardValidators((pattern) => !isError(compileRegex(pattern)));

function errors(text: string, env: TestEnvironment): string[] {
  const checked = checkText(text, env);
  return [...checked.issues, ...validate(checked, validators)]
    .map((issue) => `${place(text, issue)}: ${issue.message}`)
    .sort();
}

function place(text: string, { span }: Issue): string {
  const lines = text.slice(0, span?.at ?? 0).split("\n");
  return `${lines.length}:${[...(lines.at(-1) ?? "")].length + 1}`;
}

interface Recorded {
  readonly expr: string;
  readonly errors: readonly string[];
}

describe("as recorded", () => {
  const variables = { object: "dyn", oldObject: "dyn", params: "dyn", namespaceObject: "dyn" };
  const recorded = readFileSync(new URL("testdata/errors.jsonl", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
  test.each(recorded)("$expr", ({ expr, errors: want }) => {
    expect(errors(expr, { variables })).toEqual([...want].sort());
  });
});

describe("in other environments", () => {
  const env: TestEnvironment = {
    container: "a.b",
    variables: { x: "int", l: "list(int)", m: "map(string, int)", free: "T" },
    functions: ["twice twice_int (int) -> int", "twice int_twice int.() -> int"],
  };
  // biome-ignore format: one case per line
  const cases = [
    { expr: "y",                      want: ["1:1: undeclared reference to 'y' (in container 'a.b')"] },
    { expr: "f(y)",                   want: ["1:2: undeclared reference to 'f' (in container 'a.b')", "1:3: undeclared reference to 'y' (in container 'a.b')"] },
    { expr: "y.f(z)",                 want: ["1:1: undeclared reference to 'y' (in container 'a.b')", "1:4: undeclared reference to 'f' (in container 'a.b')", "1:5: undeclared reference to 'z' (in container 'a.b')"] },
    { expr: "twice('a')",             want: ["1:6: found no matching overload for 'twice' applied to '(string)'"] },
    { expr: "x.twice(1)",             want: ["1:8: found no matching overload for 'twice' applied to 'int.(int)'"] },
    { expr: "twice()",                want: ["1:6: found no matching overload for 'twice' applied to '()'"] },
    { expr: "[].twice()",             want: ["1:9: found no matching overload for 'twice' applied to 'list(dyn).()'"] },
    { expr: "x.y",                    want: ["1:2: type 'int' does not support field selection"] },
    { expr: "x.all(y, true)",         want: ["1:1: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"] },
    { expr: "l.all(y, y)",            want: ["1:10: expected type 'bool' but found 'int'"] },
    { expr: "x && 1",                 want: ["1:1: expected type 'bool' but found 'int'", "1:6: expected type 'bool' but found 'int'"] },
    { expr: "[?x]",                   want: ["1:3: expected type 'optional_type(int)' but found 'int'"] },
    { expr: "{?'a': x}",              want: ["1:8: expected type 'optional_type(int)' but found 'int'"] },
    { expr: "[?[]]",                  want: ["1:3: expected type 'optional_type(list(_var0))' but found 'list(_var0)'"] },
    { expr: "x{}",                    want: ["1:2: 'int' is not a type"] },
    { expr: "int{}",                  want: ["1:4: 'int' is not a message type"] },
    { expr: "list{}",                 want: ["1:5: 'list' is not a message type"] },
    { expr: "optional_type{}",        want: ["1:14: 'optional_type' is not a message type"] },
    { expr: "Nope{}",                 want: ["1:5: undeclared reference to 'Nope' (in container 'a.b')"] },
    { expr: "google.protobuf.Int64Value{value: 'a'}", want: ["1:33: expected type of field 'value' is 'int' but provided type is 'string'"] },
    { expr: "google.protobuf.Int64Value{nope: 1}",    want: ["1:32: undefined field 'nope'"] },
    { expr: "google.protobuf.Int64Value{?value: 1}",  want: ["1:36: expected type 'optional_type(int)' but found 'int'"] },
    { expr: "google.protobuf.Int64Value{value: 1}.value", want: ["1:37: type 'wrapper(int)' does not support field selection"] },
    { expr: "google.protobuf.NullValue",              want: ["1:1: undeclared reference to 'google' (in container 'a.b')"] },
    { expr: "null == 1",              want: ["1:6: found no matching overload for '_==_' applied to '(null, int)'"] },
    { expr: "optional.of(1) == 1",    want: ["1:16: found no matching overload for '_==_' applied to '(optional_type(int), int)'"] },
    { expr: "m[1]",                   want: ["1:2: found no matching overload for '_[_]' applied to '(map(string, int), int)'"] },
    { expr: "x ? 1 : 2",              want: ["1:3: found no matching overload for '_?_:_' applied to '(int, int, int)'"] },
    { expr: "true ? 1 : 'a'",         want: ["1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'"] },
    { expr: "x.?y",                   want: ["1:2: type 'int' does not support field selection"] },
    { expr: "y.z\n  + w",             want: ["1:1: undeclared reference to 'y' (in container 'a.b')", "2:5: undeclared reference to 'w' (in container 'a.b')"] },
  ];
  test.each(cases)("$expr", ({ expr, want }) => expect(errors(expr, env)).toEqual([...want].sort()));
});

test("issues carry a code and a severity", () => {
  expect(checkText("x").issues).toMatchObject([{ code: "undeclared_reference", severity: "error" }]);
  expect(checkText("1 + 'a'").issues).toMatchObject([{ code: "no_matching_overload", severity: "error" }]);
});
