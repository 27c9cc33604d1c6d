// Integer and number schemas × integer and float data × int and double literals.

import { Double } from "@celadon/cel";
import { describe, expect, test } from "vitest";
import { definitionProblems, texts, widget, widgetDefinition, widgets, withProperties } from "../widgets.testing.ts";

const TYPES = ["integer", "number"] as const;
const DATA = [
  ["1", 1],
  ["1.0", new Double(1)],
  ["1.5", 1.5],
] as const;
const LITERALS = ["1", "1.0"] as const;

const schema = (type: string, rule: string): unknown =>
  withProperties({ a: { type } }, { "x-kubernetes-validations": [{ rule, message: "m" }] });

/** The result of a rule: its verdict, the error, or that it is not accepted. */
function outcome(type: string, rule: string, data: unknown): string {
  if (definitionProblems(widgetDefinition(schema(type, rule))).length > 0) return "does not compile";
  const [first = "true"] = texts(widgets(schema(type, rule)).validateCreate(widget({ spec: { a: data } })).errors);
  if (first === "true") return first;
  if (first === "spec: Invalid value: m") return "false";
  if (first.includes("in body must be of type")) return "not of the type";
  return first.replace(/^.*"object": /, "").replace(/ evaluating rule: m$/, "");
}

// Equality needs one type, ordering does not; an integer schema takes 1.0 and the rule then refuses it.
const WANT: Readonly<Record<string, string>> = {
  "integer 1 == 1": "true",
  "integer 1 == 1.0": "does not compile",
  "integer 1 >= 1": "true",
  "integer 1 >= 1.0": "true",
  "integer 1.0 == 1": "invalid data, expected int, got float64",
  "integer 1.0 == 1.0": "does not compile",
  "integer 1.0 >= 1": "invalid data, expected int, got float64",
  "integer 1.0 >= 1.0": "invalid data, expected int, got float64",
  "integer 1.5 == 1": "not of the type",
  "integer 1.5 == 1.0": "does not compile",
  "integer 1.5 >= 1": "not of the type",
  "integer 1.5 >= 1.0": "not of the type",
  "number 1 == 1": "does not compile",
  "number 1 == 1.0": "true",
  "number 1 >= 1": "true",
  "number 1 >= 1.0": "true",
  "number 1.0 == 1": "does not compile",
  "number 1.0 == 1.0": "true",
  "number 1.0 >= 1": "true",
  "number 1.0 >= 1.0": "true",
  "number 1.5 == 1": "does not compile",
  "number 1.5 == 1.0": "false",
  "number 1.5 >= 1": "true",
  "number 1.5 >= 1.0": "true",
};

describe.each(TYPES)("%s", (type) => {
  test.each(DATA)("data %s", (shown, data) => {
    for (const operator of ["==", ">="]) {
      for (const literal of LITERALS) {
        expect([
          `${type} ${shown} ${operator} ${literal}`,
          outcome(type, `self.a ${operator} ${literal}`, data),
        ]).toEqual([`${type} ${shown} ${operator} ${literal}`, WANT[`${type} ${shown} ${operator} ${literal}`]]);
      }
    }
  });
  test("conversions", () => {
    const other = type === "integer" ? "double(self.a) == 1.0" : "int(self.a) == 1";
    expect(outcome(type, other, 1)).toBe("true");
  });
  test("arithmetic needs one type", () => {
    expect(outcome(type, `self.a + ${type === "integer" ? "1.0" : "1"} > 0`, 1)).toBe("does not compile");
    expect(outcome(type, `self.a + ${type === "integer" ? "1 == 2" : "1.0 == 2.0"}`, 1)).toBe("true");
  });
});

test("integers of 64 bits are exact", () => {
  expect(outcome("integer", "self.a == 9223372036854775807", 9223372036854775807n)).toBe("true");
  expect(outcome("integer", "self.a - 1 == 9007199254740992", 9007199254740993n)).toBe("true");
  expect(outcome("integer", "self.a + 1 > 0", 9223372036854775807n)).toBe("integer overflow");
});
