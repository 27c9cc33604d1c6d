import { describe, expect, test } from "vitest";
import { createEnv } from "../env.ts";
import { DYN, INT, listOf, STRING, struct } from "../value/type.ts";
import { recordProvider } from "./record-provider.ts";

const provider = recordProvider({
  "example.Person": { name: STRING, age: INT, friends: listOf(struct("example.Person")) },
});
const env = createEnv({ provider, container: "example", variables: { person: struct("example.Person"), any: DYN } });
const person = { name: "Ada", age: 36, friends: [{ name: "Mary", age: 38 }] };

// biome-ignore format: one case per line
const cases: readonly { text: string; want: unknown }[] = [
  { text: `person.name + "!"`,                                   want: "Ada!" },
  { text: `person.friends.all(f, f.age > person.age)`,           want: true },
  { text: `has(person.friends[0].friends)`,                      want: false },
  { text: `Person{name: "Ada", age: 1 + 35}`,                    want: { name: "Ada", age: 36 } },
  { text: `Person{name: "Ada"} == example.Person{name: "Ada"}`,  want: true },
  { text: `Person{name: "Ada"}.name`,                            want: "Ada" },
];

describe.each(["compiled", "interpreted"] as const)("%s", (mode) => {
  test.each(cases)("$text", ({ text, want }) => {
    const outcome = env.program(text, { mode }).evaluate({ person, any: null });
    expect(outcome.error).toBeUndefined();
    expect(outcome.value).toEqual(want);
  });
});

// biome-ignore format: one case per line
test.each([
  { text: `person.nme`,             code: "undefined_field" },
  { text: `person.constructor`,     code: "undefined_field" },
  { text: `person.age == "36"`,     code: "no_matching_overload" },
  { text: `Person{age: "36"}`,      code: "field_type_mismatch" },
  { text: `Human{}`,                code: "undeclared_reference" },
])("$text is an issue", ({ text, code }) => {
  const { issues } = env.compile(text);
  expect(issues.map((issue) => issue.code)).toEqual([code]);
});

test("an absent field is an error", () => {
  const { error } = env.program(`person.age`).evaluate({ person: {}, any: null });
  expect(error?.message).toBe("no such key: age");
});
