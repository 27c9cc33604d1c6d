// Suites of `gator verify`, run as they are.

import { expect, test } from "vitest";
import { importText, runFiles } from "../import.testing.ts";

const TEMPLATE = `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: maxreplicas }
spec:
  crd: { spec: { names: { kind: MaxReplicas } } }
  targets:
  - target: admission.k8s.gatekeeper.sh
    code:
    - engine: K8sNativeValidation
      source:
        variables:
        - { name: max, expression: "has(variables.params.max) ? variables.params.max : 1" }
        validations:
        - expression: variables.anyObject.spec.replicas <= variables.max
          messageExpression: '"at most " + string(variables.max)'
        - { expression: variables.anyObject.spec.replicas != 13, message: not thirteen }
`;
const REGO = `
apiVersion: templates.gatekeeper.sh/v1
kind: ConstraintTemplate
metadata: { name: rego }
spec:
  crd: { spec: { names: { kind: Rego } } }
  targets: [{ target: admission.k8s.gatekeeper.sh, rego: package a }]
`;
const constraint = (match: string, more = ""): string => `
apiVersion: constraints.gatekeeper.sh/v1beta1
kind: MaxReplicas
metadata: { name: few }
spec: { ${more}match: { kinds: [{ apiGroups: [apps], kinds: [Deployment] }], ${match} }, parameters: { max: 3 } }
`;
const web = (replicas: number, namespace = "shop"): string =>
  `{ apiVersion: apps/v1, kind: Deployment, metadata: { name: web, namespace: ${namespace}, labels: { app: web } }, spec: { replicas: ${replicas},
  selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: a, image: a }] } } } }`;

const files = {
  "template.yaml": TEMPLATE,
  "rego.yaml": REGO,
  "constraint.yaml": constraint("excludedNamespaces: [kube-*]"),
  "labels.yaml": constraint("labelSelector: { matchLabels: { app: other } }"),
  "warn.yaml": constraint("", "enforcementAction: warn, "),
  "2.yaml": web(2),
  "13.yaml": web(13),
  "system.yaml": web(9, "kube-system"),
  "update.yaml": `{ apiVersion: admission.k8s.io/v1, kind: AdmissionReview, request: { operation: UPDATE, object: ${web(9)} } }`,
};
const suite = (tests: string): Record<string, string> => ({
  "suite.yaml": `apiVersion: test.gatekeeper.sh/v1alpha1\nkind: Suite\nmetadata: { name: mine }\ntests:\n${tests}`,
  ...files,
});
const item = (
  object: string,
  assertions: string,
  set = "template: template.yaml, constraint: constraint.yaml",
): Record<string, string> =>
  suite(`- { name: t, ${set}, cases: [{ name: c, object: ${object}, assertions: ${assertions} }] }`);

test.each([
  ["2.yaml", "[{ violations: no }]"],
  ["2.yaml", "[{ violations: 0 }]"],
  ["13.yaml", "[{ violations: yes }]"],
  ["13.yaml", "[{ message: at most }]"],
  ["13.yaml", '[{ violations: 2 }, { message: "^not thir" }]'],
  ["update.yaml", "[{ violations: 1, message: at most 3 }]"],
])("%s: %s", async (object, assertions) => {
  const lines = await runFiles(item(object, assertions));
  expect(lines.map((line) => line.replace(/ #\d$/, ""))).toEqual(lines.map(() => "pass t/c"));
});

test.each([
  ["13.yaml", "[{ violations: no }]", "  verdict: allow (gator: violations no) ≠ deny (at most 3)"],
  ["13.yaml", "[{ violations: 1 }]", "  failures: 1 ≠ 2"],
  [
    "system.yaml",
    "[{ violations: no }]",
    "  verdict: allow (gator: violations no) ≠ unmatched (policy 'gatekeeper-maxreplicas' with binding 'gatekeeper-few': " +
      "match condition 'match-excluded-namespaces' is false | gator also reports no violations when the constraint does not match)",
  ],
])("%s: %s differs", async (object, assertions, want) => {
  const [, ...lines] = await runFiles(item(object, assertions));
  expect(lines.join("\n")).toContain(want);
});

test("what a constraint does with violations", async () => {
  expect(
    await runFiles(item("13.yaml", "[{ violations: yes }]", "template: template.yaml, constraint: warn.yaml")),
  ).toEqual(["pass t/c"]);
});

test("tests of one suite bind the template each in its own way", async () => {
  const cases = "cases: [{ name: c, object: 13.yaml, assertions: [{ violations: yes }] }]";
  const lines = await runFiles(
    suite(
      `- { name: a, template: template.yaml, constraint: constraint.yaml, ${cases} }\n- { name: b, template: template.yaml, constraint: labels.yaml, ${cases} }`,
    ),
  );
  expect(lines[0]).toBe("pass a/c");
  expect(lines[2]).toContain("≠ unmatched");
  expect(lines[2]).toContain("objectSelector");
});

test.each([
  ["template: rego.yaml, constraint: constraint.yaml", "the template has only Rego, no K8sNativeValidation"],
  ["template: template.yaml, constraint: constraint.yaml, expansion: e.yaml", "API servers have no expansions"],
  ["template: template.yaml, constraint: constraint.yaml, skip: true", "the suite skips it"],
  ["template: template.yaml, constraint: 2.yaml", "the constraint is missing"],
])("%s: not run", async (set, reason) => {
  expect(await runFiles(item("2.yaml", "[{ violations: no }]", set))).toEqual([`skip t/c: ${reason}`]);
});

test("the policy is the one Gatekeeper would render", async () => {
  const { policies } = await importText(item("2.yaml", "[{ violations: no }]"));
  const [{ policy, bindings }] = policies as [(typeof policies)[0]];
  expect(policy.spec.paramKind).toEqual({ apiVersion: "constraints.gatekeeper.sh/v1beta1", kind: "MaxReplicas" });
  expect(policy.spec.variables?.map(({ name }) => name)).toEqual(["anyObject", "params", "max"]);
  expect(bindings[0]!.spec).toEqual({
    policyName: "gatekeeper-maxreplicas",
    validationActions: ["Deny"],
    paramRef: { name: "few", parameterNotFoundAction: "Deny" },
    matchResources: {
      resourceRules: [
        { apiGroups: ["apps"], apiVersions: ["*"], operations: ["CREATE", "UPDATE"], resources: ["deployments"] },
      ],
    },
  });
});
