import { describe, expect, test } from "vitest";
import { expressionMutants } from "./expression-mutants.ts";

const textsOf = (text: string, answers = true): string[] =>
  expressionMutants(text, answers).mutants.map((mutant) => `${mutant.mutator}: ${mutant.text}`);

// biome-ignore format: one expression per entry
const cases: { text: string; answers?: boolean; want: string[] }[] = [
  { text: "a == b", want: ["comparison-changed: a != b"] },
  { text: "a <= 5", want: ["comparison-changed: a < 5", "comparison-changed: a > 5", "constant-changed: a <= 6"] },
  { text: "5 <= a", want: ["comparison-changed: 5 < a", "comparison-changed: 5 > a", "constant-changed: 4 <= a"] },
  { text: "a < 5",  want: ["comparison-changed: a <= 5", "comparison-changed: a >= 5", "constant-changed: a < 4"] },
  { text: "a > 1.5", want: ["comparison-changed: a >= 1.5", "comparison-changed: a <= 1.5", "constant-changed: a > 2.5"] },
  { text: "a && b && c", want: [
    "logic-swapped: a || b || c", "clause-dropped: b && c", "clause-dropped: a && c", "clause-dropped: a && b",
    "negated: !a && b && c", "negated: a && !b && c", "negated: a && b && !c"] },
  { text: "!a || b", want: ["logic-swapped: !a && b", "clause-dropped: b", "clause-dropped: !a", "negated: a || b", "negated: !a || !b"] },
  { text: "has(a.b) && a.b == 'x'", want: [
    "logic-swapped: has(a.b) || a.b == \"x\"", "clause-dropped: a.b == \"x\"", "clause-dropped: has(a.b)",
    "has-fixed: false && a.b == \"x\"", "comparison-changed: has(a.b) && a.b != \"x\"", "constant-changed: has(a.b) && a.b == \"x~\""] },
  { text: "a.all(c, c.b)", want: ["negated: !a.all(c, c.b)", "quantifier-swapped: a.exists(c, c.b)",
    "body-fixed: a.all(c, true)", "body-fixed: a.all(c, false)", "negated: a.all(c, !c.b)"] },
  { text: "a.exists_one(c, c > 0)", want: ["negated: !a.exists_one(c, c > 0)", "quantifier-swapped: a.exists(c, c > 0)",
    "body-fixed: a.exists_one(c, true)", "body-fixed: a.exists_one(c, false)",
    "comparison-changed: a.exists_one(c, c >= 0)", "comparison-changed: a.exists_one(c, c <= 0)", "constant-changed: a.exists_one(c, c > 1)"] },
  { text: "a.filter(c, has(c.x)).size() == 1", want: ["comparison-changed: a.filter(c, has(c.x)).size() != 1",
    "body-fixed: a.filter(c, true).size() == 1", "body-fixed: a.filter(c, false).size() == 1", "constant-changed: a.filter(c, has(c.x)).size() == 2"] },
  { text: "a ? b : c", want: ["branch-fixed: b", "branch-fixed: c", "branch-fixed: a ? c : b", "negated: a ? !b : c", "negated: a ? b : !c"] },
  { text: "a.startsWith('x')", want: ["negated: !a.startsWith(\"x\")", "string-test-changed: a.endsWith(\"x\")", "string-test-changed: a.contains(\"x\")", "constant-changed: a.startsWith(\"\")"] },
  { text: "a.matches('^x$')", want: ["negated: !a.matches(\"^x$\")", "constant-changed: a.matches(\"\")"] },
  { text: "a + 1", answers: false, want: ["arithmetic-changed: a - 1", "constant-changed: a + 2", "constant-changed: a + 0"] },
  { text: "'a' + b", answers: false, want: ["constant-changed: \"a~\" + b"] },
  { text: "-a * 2", answers: false, want: ["arithmetic-changed: -a / 2", "arithmetic-changed: a * 2", "constant-changed: -a * 3", "constant-changed: -a * 1"] },
  { text: "a in ['x', 'y']", want: ["negated: !(a in [\"x\", \"y\"])", "element-dropped: a in [\"y\"]", "element-dropped: a in [\"x\"]", "constant-changed: a in [\"x~\", \"y\"]", "constant-changed: a in [\"x\", \"y~\"]"] },
  { text: "!(a in b)", want: ["negated: a in b"] },
  { text: "quantity(a).isLessThan(quantity('10Mi'))", want: ["negated: !quantity(a).isLessThan(quantity(\"10Mi\"))",
    "constant-changed: quantity(a).isLessThan(quantity(\"11Mi\"))", "constant-changed: quantity(a).isLessThan(quantity(\"9Mi\"))"] },
  { text: "a.lowerAscii() == b", want: ["comparison-changed: a.lowerAscii() != b", "call-dropped: a == b"] },
  { text: "cel.bind(x, a + 1, x > 2)", want: ["negated: !cel.bind(x, a + 1, x > 2)", "arithmetic-changed: cel.bind(x, a - 1, x > 2)",
    "constant-changed: cel.bind(x, a + 2, x > 2)", "constant-changed: cel.bind(x, a + 0, x > 2)",
    "comparison-changed: cel.bind(x, a + 1, x >= 2)", "comparison-changed: cel.bind(x, a + 1, x <= 2)", "constant-changed: cel.bind(x, a + 1, x > 3)"] },
  { text: "a == true", want: ["comparison-changed: a != true", "constant-changed: a == false"] },
  { text: "a[0] == 9223372036854775807", want: ["comparison-changed: a[0] != 9223372036854775807", "constant-changed: a[1] == 9223372036854775807"] },
  { text: "a.?b.orValue('x') == 'y'", want: ["comparison-changed: a.?b.orValue(\"x\") != \"y\"", "constant-changed: a.?b.orValue(\"x~\") == \"y\"", "constant-changed: a.?b.orValue(\"x\") == \"y~\""] },
  { text: "a.?b == c", want: ["comparison-changed: a.?b != c"] },
  { text: "oldObject == null", want: ["comparison-changed: oldObject != null"] },
  { text: "a &&", want: [] },
];

test.each(cases)("$text", ({ text, answers, want }) => expect(textsOf(text, answers)).toEqual(want));

describe("differences between original and mutant", () => {
  test("the part that changed, and its place", () => {
    const { mutants, same } = expressionMutants("  has(a.b) &&\n  a.b.all(c, c > 1)", true);
    expect(mutants.slice(1, 3)).toEqual([
      { mutator: "clause-dropped", text: "a.b.all(c, c > 1)", offset: 2, original: "has(a.b)", mutated: "" },
      { mutator: "clause-dropped", text: "has(a.b)", offset: 16, original: "a.b.all(c, c > 1)", mutated: "" },
    ]);
    expect(mutants.find(({ mutator }) => mutator === "constant-changed")).toEqual({
      mutator: "constant-changed",
      text: "has(a.b) && a.b.all(c, c > 2)",
      offset: 31,
      original: "1",
      mutated: "2",
    });
    // `true && x` is `x`, which has been tried.
    expect(same).toBe(1);
  });
});
