import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const policy = (name: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: ${name}}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: [widgets]}]
  validations: [{expression: "false", message: never}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: ${name}}
spec: {policyName: ${name}, validationActions: [Deny]}
`;

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties: {a: {type: integer, maximum: 1}, b: {type: integer, maximum: 1}}
`;

const widget = (fields: string): string => `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n${fields}`;

// biome-ignore format: one case per line
const cases = [
  { name: "one speaker",                 docs: [widget("a: 1"), policy("p")],              marked: ["denied by policy p, binding p"] },
  { name: "several causes of a refusal", docs: [widget("a: 2\nb: 2")],                     marked: ["denied by crd widgets.example.com", "denied by crd widgets.example.com"] },
  { name: "several policies",            docs: [widget("a: 1"), policy("p"), policy("q")], marked: ["denied by policy p, binding p  ← the message the client sees", "denied by policy q, binding q"] },
  { name: "a schema before a policy",    docs: [widget("a: 2"), policy("p")],              marked: ["denied by crd widgets.example.com  ← the message the client sees", "denied by policy p, binding p"] },
];
test.each(cases)("the returned problem is marked if another is not returned: $name", async ({ docs, marked }) => {
  const files = { "a.yaml": [DEFINITION, ...docs].join("\n---\n") };
  const { stdout } = await runLine(["check", "a.yaml", "--only-problems"], { files });
  expect(stdout.match(/denied by .*/g)).toEqual(marked);
});
