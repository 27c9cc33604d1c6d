// cost: what people see, and the exit codes.

import { expect, test } from "vitest";
import { celadon, expectGoldenRun, folder } from "./run.testing.ts";

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
                parts:
                  type: array
                  maxItems: 50
                  items:
                    type: object
                    properties:
                      name: {type: string, maxLength: 63}
                      tags:
                        type: array
                        items: {type: string}
                    x-kubernetes-validations:
                      - rule: "!has(self.tags) || self.tags.all(t, t.startsWith(self.name))"
              x-kubernetes-validations:
                - rule: self.parts.all(a, self.parts.exists_one(b, a.name == b.name))
                  message: names are unique
`;

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: images}
spec:
  matchConstraints:
    resourceRules:
      - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  validations:
    - expression: object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))
    - expression: object.metadata.name.split('-').sort().size() < 5
`;

const PODS = ["web", "web-2-long-name"]
  .map((name) => `{apiVersion: v1, kind: Pod, metadata: {name: ${name}}, spec: {containers: [{name: a, image: b}]}}\n`)
  .join("---\n");

test("a rule that may cost too much", async () => {
  const cwd = folder({ "crd.yaml": DEFINITION });
  expectGoldenRun("cost/refused.txt", await celadon(["cost", "-f", "crd.yaml"], { cwd }));
});

test("policies on objects, over minors", async () => {
  const cwd = folder({ "policy.yaml": POLICY, "pods.yaml": PODS });
  const argv = ["cost", "-f", ".", "--kube-version", "1.33..1.36"];
  expectGoldenRun("cost/minors.txt", await celadon(argv, { cwd }));
});

test("a threshold", async () => {
  const bounded = DEFINITION.replace("items: {type: string}", "maxItems: 3").replace("maxItems: 50", "maxItems: 400");
  const cwd = folder({
    "crd.yaml": bounded.replace(
      "maxItems: 3\n",
      "maxItems: 3\n                        items: {type: string, maxLength: 63}\n",
    ),
  });
  expectGoldenRun("cost/over.txt", await celadon(["cost", "-f", "crd.yaml", "--over", "50"], { cwd }));
});

const formats = ["json", "yaml", "table", "junit", "sarif", "github", "policyreport"] as const;
test.each(formats)("-o %s", async (format) => {
  const cwd = folder({ "crd.yaml": DEFINITION });
  const { code, stdout, stderr } = await celadon(["cost", "-f", "crd.yaml", "-o", format], { cwd });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toContain("spec.parts[*]: rule 0");
});

// biome-ignore format: one case per line
const mistakes = [
  { name: "nothing-named", argv: ["cost"] },
  { name: "over-what",     argv: ["cost", "-f", "crd.yaml", "--over", "much"] },
];
test.each(mistakes)("$name", async ({ name, argv }) => {
  expectGoldenRun(`cost/${name}.txt`, await celadon(argv, { cwd: folder({ "crd.yaml": DEFINITION }) }));
});
