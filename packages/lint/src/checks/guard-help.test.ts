// The advice for fields and keys that objects may lack: it names them, and an expression that follows it has no finding.

import { expect, test } from "vitest";
import { lint } from "../lint.ts";

const spec = (expression: string): Record<string, unknown> => ({
  matchConstraints: {
    resourceRules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
  },
  validations: [{ expression }],
});

async function helpOf(expression: string): Promise<readonly (string | undefined)[]> {
  const kind = "ValidatingAdmissionPolicy";
  const object = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind,
    metadata: { name: "p" },
    spec: spec(expression),
  };
  const { problems } = await lint([{ object }]);
  return problems.filter(({ code }) => code !== "policy_without_binding").map(({ help }) => help);
}

const POD = "object.spec.template.spec";

// biome-ignore format: one case per line
test.each([
  ["object.spec.template.spec.hostNetwork == false",                        "check it first: has(object.spec.template.spec.hostNetwork) && …, or read object.spec.template.spec.?hostNetwork.orValue(…)"],
  ["object.metadata.labels['a'] == 'b'",                'check it first: has(object.metadata.labels) && "a" in object.metadata.labels && …, or read object.metadata.?labels[?"a"].orValue(…)'],
  [`${POD}.containers.all(c, c.securityContext.runAsNonRoot)`, `check it first: has(x.securityContext) && …, or read x.?securityContext.orValue(…), where x is an element of ${POD}.containers`],
])("%s", async (expression, help) => expect(await helpOf(expression)).toEqual([help]));

test.each([
  "has(object.spec.template.spec.hostNetwork) && object.spec.template.spec.hostNetwork == false",
  "object.spec.template.spec.?hostNetwork.orValue(true) == false",
  "has(object.metadata.labels) && 'a' in object.metadata.labels && object.metadata.labels['a'] == 'b'",
  "object.metadata.?labels[?'a'].orValue('') == 'b'",
  `${POD}.containers.all(x, has(x.securityContext) && has(x.securityContext.runAsNonRoot) && x.securityContext.runAsNonRoot)`,
])("%s", async (expression) => expect(await helpOf(expression)).toEqual([]));
