// For every pod, a policy decides on it as the derived policy decides on a workload made of it: allowed or not, and by the same
// validations. Pods are random and rarely well formed: also what fails to evaluate must fail alike.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ValidatingAdmissionPolicySpec } from "../policy.ts";
import { decision, PODS, podPolicy, type TestRequest } from "./autogen.testing.ts";
import { deriveWorkloadPolicies } from "./derive.ts";

const everywhere = { resourceRules: [{ ...PODS, operations: ["*"] as const }] };

const policies: Readonly<Record<string, Partial<ValidatingAdmissionPolicySpec>>> = {
  "privileged containers, all lists": {
    variables: [
      { name: "pod", expression: "request.operation == 'DELETE' ? oldObject : object" },
      {
        name: "containers",
        expression:
          "variables.pod.spec.containers + variables.pod.spec.?initContainers.orValue([]) + variables.pod.spec.?ephemeralContainers.orValue([])",
      },
      {
        name: "bad",
        expression: "variables.containers.filter(c, c.?securityContext.?privileged.orValue(false)).map(c, c.name)",
      },
    ],
    validations: [
      {
        expression: "variables.bad.size() == 0",
        messageExpression: "object.kind + ' has privileged containers ' + variables.bad.join(', ')",
      },
    ],
  },
  "host namespaces, without any care": {
    validations: [
      { expression: "!object.spec.hostPID" },
      { expression: "object.spec['hostPID'] == false || !has(object.spec.hostPID)" },
      { expression: "!has(object.spec.hostPID) || object.spec.hostPID == false" },
    ],
  },
  "labels in all ways of reading": {
    validations: [
      { expression: "has(object.metadata.labels)" },
      { expression: "has(object.metadata.labels) && has(object.metadata.labels.app)" },
      { expression: "has(object.metadata.labels.app)" },
      { expression: "'app' in object.metadata.labels" },
      { expression: "object.metadata.labels['app'] == 'web'" },
      { expression: "object.metadata['labels'].app == 'web'" },
      { expression: "object.metadata.?labels.?app.orValue('') == 'web'" },
      { expression: "object.metadata.?labels[?'app'].hasValue()" },
      { expression: "object.?metadata.?labels.?app.hasValue()" },
      { expression: "object.?metadata.labels.hasValue()" },
      { expression: "object.?metadata.labels.app.hasValue()" },
      { expression: "object[?'metadata'][?'labels'].hasValue()" },
      { expression: "has(object.?metadata.labels)" },
      { expression: "object.metadata.?annotations.orValue({}).exists(k, k.startsWith('a'))" },
    ],
  },
  transitions: {
    matchConditions: [{ name: "labelled", expression: "has(object.metadata.labels) || oldObject != null" }],
    validations: [
      { expression: "oldObject == null || object.spec.hostPID == oldObject.spec.hostPID" },
      { expression: "oldObject == null || object.spec == oldObject.spec" },
      { expression: "object.metadata.?labels == (oldObject == null ? object : oldObject).metadata.?labels" },
    ],
  },
  "the kind of the object": {
    matchConditions: [{ name: "pods", expression: "request.resource.resource == 'pods' || object.kind == 'Pod'" }],
    validations: [
      { expression: "object.kind == 'Pod' ? !has(object.spec.hostPID) : false" },
      { expression: "oldObject.kind == 'Pod'" },
      { expression: "(request.operation == 'DELETE' ? oldObject : object).apiVersion == 'v1'" },
    ],
  },
  "selected pods": {
    matchConstraints: {
      ...everywhere,
      objectSelector: { matchLabels: { app: "web" }, matchExpressions: [{ key: "tier", operator: "DoesNotExist" }] },
    },
    validations: [{ expression: "object.spec.containers.all(object, object.image.startsWith('registry/'))" }],
  },
  "what is unlikely to be there": {
    failurePolicy: "Ignore",
    validations: [
      { expression: "has(object.spec)" },
      { expression: "object.?spec.?hostPID.orValue(true) == true" },
      { expression: "object.spec.containers.all(i, c, c.name != object.spec.containers[0].name || i == 0)" },
      { expression: "object.spec.containers[0].image == 'a' || object.spec.?volumes[?0].hasValue()" },
    ],
  },
};

const labels = fc.dictionary(fc.constantFrom("app", "tier", "a/b"), fc.constantFrom("", "web", "x"), { maxKeys: 2 });
const container = fc.record(
  {
    name: fc.constantFrom("a", "b"),
    image: fc.constantFrom("a", "registry/a", ""),
    securityContext: fc.record({ privileged: fc.boolean() }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const containers = fc.oneof({ weight: 9, arbitrary: fc.array(container, { maxLength: 3 }) }, fc.constant(null));
const spec = fc.record(
  { containers, initContainers: containers, hostPID: fc.boolean(), volumes: fc.array(fc.constant({ name: "v" })) },
  { requiredKeys: [] },
);
const pod = fc.record(
  { metadata: fc.record({ labels, annotations: labels }, { requiredKeys: [] }), spec },
  { requiredKeys: ["metadata"] },
);
const asked: fc.Arbitrary<TestRequest> = fc.oneof(
  fc.record({ operation: fc.constant("CREATE" as const), object: pod }),
  fc.record({ operation: fc.constant("UPDATE" as const), object: pod, oldObject: pod }),
  fc.record({ operation: fc.constant("DELETE" as const), object: fc.constant(null), oldObject: pod }),
);

describe.each(Object.entries(policies))("%s", (_, given) => {
  const policy = podPolicy({ matchConstraints: everywhere, ...given });
  test.each(["Deployment", "Job", "CronJob", "PodTemplate"] as const)("for %s", async (kind) => {
    const { derived, skipped } = deriveWorkloadPolicies(policy, { kinds: [kind] });
    expect(skipped).toEqual([]);
    const made = derived.map((derivedPolicy) => derivedPolicy.policy);
    const property = fc.asyncProperty(asked, async (item) => {
      expect(await decision(made, item, kind)).toEqual(await decision([policy], item));
    });
    await fc.assert(property, { numRuns: 30 });
  });
});
