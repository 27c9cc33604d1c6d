import { expect, test } from "vitest";
import { valuesAt } from "./values-at.ts";

const object = JSON.parse(
  `{"spec": {"list": [{"a": 1}, {"b": 2}, 3, null, {"a": 4}], "map": {"x": {"a": 5}, "__proto__": {"a": 6}}}}`,
);
// biome-ignore format: one case per line
const cases = [
  { pattern: "",              want: [["", object]] },
  { pattern: "spec.list.*.a", want: [["spec.list.0.a", 1], ["spec.list.4.a", 4]] },
  { pattern: "spec.map.*.a",  want: [["spec.map.x.a", 5], ["spec.map.__proto__.a", 6]] },
  { pattern: "spec.list.0",   want: [] },
  { pattern: "spec.list.a",   want: [] },
  { pattern: "spec.none.*",   want: [] },
  { pattern: "constructor",   want: [] },
];
test.each(cases)("$pattern", ({ pattern, want }) => {
  const found = valuesAt(object, pattern === "" ? [] : pattern.split("."));
  expect(found.map(({ path, value }) => [path.join("."), value])).toEqual(want);
});
