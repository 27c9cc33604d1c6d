// `check` gives the help that `lint` gives.

import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const policy = (spec: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: p }
spec:
  matchConstraints: { resourceRules: [{ apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments] }] }
  variables: [{ name: images, expression: 'object.spec.template.spec.containers.map(c, c.image)' }]
${spec}
`;

// biome-ignore format: one case per line
const cases = [
  { spec: "  validations: [{ expression: 'size(variables.image) == 0' }]",         help: 'did you mean "images"?' },
  { spec: "  validations: [{ expression: 'len(variables.images) == 0' }]",         help: "use size(): size(list), or list.size()" },
  { spec: "  validations: [{ expression: 'object.spec.replicas =< 5' }]",          help: "write <=" },
  { spec: "  validations: [{ expression: 'params.x == 1' }]",                      help: "add spec.paramKind to the policy; without it there are no params" },
  { spec: "  validations: [{ expression: 'params.x == params.y' }, { expression: 'params.z' }]", help: "add spec.paramKind to the policy; without it there are no params" },
  { spec: "  validations: [{ expression: 'true', resaon: Invalid }]",            help: 'did you mean "reason"?' },
  { spec: "  matchConditions: [{ name: n, expression: 'true' }]",                help: 'YAML reads n without quotes as a boolean: write "n"' },
  { spec: "  failurePolicy: fail\n  validations: [{ expression: 'true' }]",        help: 'did you mean "Fail"?' },
];

test.each(cases)("$help", async ({ spec, help }) => {
  const files = { "p.yaml": policy(spec) };
  const checked = await runLine(["check", "-f", "p.yaml"], { files });
  const linted = await runLine(["lint", "-f", "p.yaml"], { files });
  expect(checked.stdout.match(/help: .*/g)).toEqual([`help: ${help}`]);
  expect(linted.stdout).toContain(`help: ${help}`);
});
