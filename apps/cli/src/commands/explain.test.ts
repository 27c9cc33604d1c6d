import { expect, test } from "vitest";
import { runLine } from "../io.testing.ts";

const files = {
  "a.yaml": `apiVersion: v1
kind: Service
metadata: {name: web}
---
apiVersion: v1
kind: Pod
metadata: {name: worker}
spec: {containers: [{name: a, image: a}]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: no-latest}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], resources: [pods], operations: [CREATE]}]}
  validations: [{expression: has(object.spec)}]
`,
};

// biome-ignore format: one case per line
const cases = [
  { name: "a short name of a kind", argv: ["svc/web"],                            says: 'no object "svc/web" among the inputs; did you mean Service/web?' },
  { name: "a slip in a name",       argv: ["Pod/wroker"],                         says: 'no object "Pod/wroker" among the inputs; did you mean Pod/worker?' },
  { name: "nothing like it",        argv: ["Pod/frontend"],                       says: 'no object "Pod/frontend" among the inputs\n' },
  { name: "a slip in a policy",     argv: ["Pod/worker", "--policy", "nolatest"], says: 'no policy "nolatest" in force among the inputs; did you mean "no-latest"?' },
];
test.each(cases)("$name", async ({ argv, says }) => {
  const { code, stderr } = await runLine(["explain", "-f", "a.yaml", ...argv], { files });
  expect(code).toBe(2);
  expect(stderr).toContain(says);
});
