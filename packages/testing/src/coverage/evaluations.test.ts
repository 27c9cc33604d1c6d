// Evaluations are recorded: repeated ones once, in every form of an expression, and at the right places of any text.

import { describe, expect, test } from "vitest";
import { cover, missed, suiteFrom } from "./coverage.testing.ts";

const HEAD =
  "apiVersion: celadon.dev/v1\nkind: TestSuite\nresources: [policy.yaml]\ndefaults: { serverDefaults: false }\ntests:\n";

const policyOf = (spec: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], resources: [configmaps], operations: [CREATE] }]
${spec}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: b }
spec: { policyName: p, validationActions: [Deny] }
`;

/** Over config maps with this data each. */
async function reportOf(spec: string, ...data: readonly string[]) {
  const cases = data.map(
    (text, i) =>
      `- { name: c${i}, expect: allow, namespace: shop, object: { apiVersion: v1, kind: ConfigMap, metadata: { name: m }, data: ${text} } }\n`,
  );
  return (await cover(await suiteFrom(HEAD + cases.join(""), { "policy.yaml": policyOf(spec) }))).report;
}

const validation = (expression: string): string => `  validations:\n  - expression: ${JSON.stringify(expression)}`;

// biome-ignore format: one case per line
const cases: { expr: string; data: string[]; misses: string[] }[] = [
  { expr: "(has(object.data.a) ? object.data : {'a': 'x'}).a == 'w'", data: ["{ a: w }", "{}"], misses: ["evaluation never failed: (has(object.data.a) ? object.data : {'a': 'x'}).a == 'w'"] },
  { expr: "object.data.all(k, object.data.exists(j, j == 'b' && k == 'a'))", data: ["{ a: x, b: x }"], misses: ["expression never true: object.data.all(k, object.data.exists(j, j == 'b' && k == 'a'))", "evaluation never failed: object.data.all(k, object.data.exists(j, j == 'b' && k == 'a'))", "evaluation never failed: object.data.exists(j, j == 'b' && k == 'a')"] },
  { expr: "object.?data.optMap(d, 'a' in d && d.a == 'x').orValue(true)", data: ["{ a: x }"], misses: ["expression never false: object.?data.optMap(d, 'a' in d && d.a == 'x').orValue(true)", "operand never false: 'a' in d", "operand never false: d.a == 'x'"] },
  { expr: "object.data.a == 'x' || object.data.b == 'x'", data: ["{ b: x }", "{ a: w, b: w }"], misses: ["operand never true: object.data.a == 'x'", "evaluation never failed: object.data.b == 'x'"] },
  { expr: "true", data: ["{}"], misses: [] },
];
test.each(cases)("$expr", async ({ expr, data, misses }) => {
  expect(missed(await reportOf(validation(expr), ...data))).toEqual(misses);
});

test("a chain of variables that is begun again leaves no errors behind, and each counts", async () => {
  const chain = Array.from({ length: 120 }, (_, i) => {
    const before = i === 0 ? "object.data.v" : `variables.v${i - 1}`;
    return `  - { name: v${i}, expression: "${before} + 'x'" }`;
  });
  const spec = `  variables:\n${chain.join("\n")}\n  validations:\n  - expression: size(variables.v119) > 3`;
  const report = await reportOf(spec, "{ v: a }");
  expect(missed(report)).toEqual([
    "evaluation never failed: object.data.v + 'x'",
    "expression never false: size(variables.v119) > 3",
  ]);
  const counts = report.policies[0]!.expressions.map(({ count }) => count);
  expect(new Set(counts.slice(0, 120))).toEqual(new Set([1]));
});

describe("places", () => {
  const spec = `  validations:
  - expression: "'ü😀' == object.metadata.name || object.metadata.name == 'b'"
  - expression: |
      // why
      object.metadata.name == 'ü😀' ||
        object.metadata.name == 'c'
  - { expression: 'object.metadata.name == ''d'' || object.metadata.name == "e"' }`;

  test("are those of the text, whatever it is quoted as", async () => {
    const report = await reportOf(spec, "{}");
    const lines = policyOf(spec).split("\n");
    const operands = report.policies[0]!.expressions.flatMap(({ points }) => points)
      .filter(({ kind, want }) => kind === "operand" && want === "true")
      .map(({ place, text }) => {
        const { line, column, endColumn } = place!;
        return [lines[line - 1]!.slice(column - 1, endColumn - 1).replaceAll("''", "'"), text];
      });
    expect(operands).toHaveLength(6);
    for (const [shown, text] of operands) expect(shown).toBe(text);
  });
});
