// lint: what people see, and the exit codes.

import { expect, test } from "vitest";
import { celadon, expectGoldenRun, folder } from "./run.testing.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replica-limit
spec:
  failurePolicy: Fial
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments, statefulset]
  validations:
    - expression: |
        !has(object.spec.replicas) ||
          objct.spec.replicas <= int(params.data.max)
      message: "'at most ' + params.data.max"
    - expression: object.spec.replica < 50
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: replica-limit
spec:
  policyName: replicas-limit
  validationActions: [Deny]
  paramRef: {name: limits, parameterNotFoundAction: Deny}
`;

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
                  items:
                    type: object
                    properties:
                      name: {type: string}
              x-kubernetes-validations:
                - rule: self.parts.all(a, self.parts.exists_one(b, a.name == b.name))
                  message: names are unique
`;

const files = { "policy.yaml": POLICY, "crd.yaml": DEFINITION };

test("problems in their places", async () => {
  const cwd = folder(files);
  expectGoldenRun("lint/text.txt", await celadon(["lint", "-f", "."], { cwd }));
});

test("minors", async () => {
  const policy = POLICY.replace("object.spec.replica < 50", "object.metadata.name.split('-').sort().size() > 0");
  const cwd = folder({ "policy.yaml": policy });
  const flags = ["--kube-version", "1.30..1.36", "--only", "not_in_minor"];
  expectGoldenRun("lint/minors.txt", await celadon(["lint", "-f", "policy.yaml", ...flags], { cwd }));
});

// biome-ignore format: one case per line
const formats = ["json", "yaml", "table", "junit", "sarif", "github", "policyreport"] as const;
test.each(formats)("-o %s", async (format) => {
  const cwd = folder({ "crd.yaml": DEFINITION });
  const { code, stdout, stderr } = await celadon(["lint", "-f", "crd.yaml", "-o", format], { cwd });
  expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
  expect(stdout).toContain("cost_over_limit");
});

test("--list", async () => expectGoldenRun("lint/list.txt", await celadon(["lint", "--list"])));

// biome-ignore format: one case per line
const mistakes = [
  { name: "nothing-named", argv: ["lint"] },
  { name: "no-such-file",  argv: ["lint", "-f", "nowhere.yaml"] },
  { name: "no-such-code",  argv: ["lint", "-f", "crd.yaml", "--disable", "compile_eror"] },
  { name: "no-such-minor", argv: ["lint", "-f", "crd.yaml", "--kube-version", "1.99"] },
];
test.each(mistakes)("$name", async ({ name, argv }) => {
  expectGoldenRun(`lint/${name}.txt`, await celadon(argv, { cwd: folder(files) }));
});
