// Cases that prove a statement: only a proof about something passes.

import { describe, expect, test } from "vitest";
import { issuesOf, runText, summary } from "./suite.testing.ts";

const suite = (tests: string, bindings = "actions: [Deny]"): string => `apiVersion: celadon.dev/v1
kind: TestSuite
defaults: { serverValidation: false }
resources:
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata: { name: small }
  spec:
    matchConstraints:
      resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }]
    validations: [{ expression: object.spec.replicas <= 5 }]
- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata: { name: even }
  spec:
    matchConstraints:
      resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }]
    validations: [{ expression: object.spec.replicas % 2 == 0 }]
${bindings === "" ? "" : BINDING.replace("actions: [Deny]", bindings)}tests:
${tests}`;

const BINDING = `- apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicyBinding
  metadata: { name: small }
  spec: { policyName: small, validationActions: [Deny] }
`;

const run = async (tests: string, binding?: string): Promise<string[]> => summary(await runText(suite(tests, binding)));

// biome-ignore format: one case per line
const cases: { name: string; prove: string; binding?: string; want: string[] }[] = [
  { name: "proved",              prove: "{ that: object.spec.replicas <= 5 }",                                          want: ["pass a"] },
  { name: "of a kind of server", prove: "{ that: object.spec.replicas >= 0 }",                                          want: ["pass a"] },
  { name: "refuted",             prove: "{ that: object.spec.replicas < 5 }",                                           want: ["fail a", "  prove: object.spec.replicas < 5 ≠ an allowed CREATE of a Deployment for which it does not hold"] },
  { name: "assumed",             prove: "{ that: object.spec.replicas < 5, assuming: object.spec.replicas != 5 }",      want: ["pass a"] },
  { name: "without a binding",   prove: "{ that: object.spec.replicas <= 5 }", binding: "",                             want: ["error a: no validating policy with a binding is in force"] },
  { name: "nothing left",        prove: "{ that: object.spec.replicas <= 3, assuming: object.spec.replicas > 5 }",      want: ["fail a: nothing to prove: the policies allow no request that they match and for which object.spec.replicas > 5 holds"] },
];
test.each(cases)("$name", async ({ prove, binding, want }) => {
  expect(await run(`- { name: a, prove: ${prove} }`, binding)).toEqual(want);
});

test("an unknown answer fails with its reason", async () => {
  const [line] = await run('- { name: a, prove: { that: \'object.metadata.name.split("-").join("") != "abc"\' } }');
  expect(line).toMatch(/^fail a: not known: .* because of: /);
});

test("a counterexample is a case that passes", async () => {
  const { cases: results } = await runText(suite("- { name: a, prove: { that: object.spec.replicas < 5 } }"));
  const [{ counterexample } = {}] = results;
  expect(counterexample).toMatchObject({ object: { spec: { replicas: 5 } }, expect: "allow" });
  const again = await runText(suite(`- ${JSON.stringify({ ...counterexample, serverValidation: true })}`));
  expect(summary(again)).toEqual(["pass a: counterexample"]);
});

describe("mistakes", () => {
  // biome-ignore format: one case per line
  const wrong: [text: string, issue: RegExp][] = [
    ["- { name: a, prove: { that: 'object.' } }",                      /:\d+:\d+: .*Syntax error/],
    ["- { name: a, prove: { that: 'true', assuming: 'params.x' } }",   /undeclared reference to 'params'/],
    ["- { name: a, prove: { that: 'true' }, expect: allow }",          /a case with prove cannot have expect; a proof is about every request/],
    ["- { name: a, prove: { assuming: 'true' } }",                     /needs the field "that"/],
  ];
  test.each(wrong)("%s", async (text, issue) => {
    const issues = await issuesOf(suite(text));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(issue);
  });
});
