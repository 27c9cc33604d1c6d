// Every question about a set, with the problems that it has.

import type { KubeObject } from "@celadon/kube";
import { SimulatedCluster } from "@celadon/simulator";
import { expect, test } from "vitest";
import { askAll } from "./ask-all.ts";
import { isNote, sentenceOf } from "./asked.ts";

const RULES = [
  { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["deployments"] },
];

function policy(...validations: string[]): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: { resourceRules: RULES },
      validations: validations.map((expression) => ({ expression })),
    },
  };
}

function binding(name: string, matchResources: object = {}): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name },
    spec: { policyName: "p", validationActions: ["Deny"], matchResources },
  };
}

function webhook(...matchConditions: string[]): object {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "w" },
    webhooks: [
      {
        name: "w.example.com",
        clientConfig: { url: "https://example.com" },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        rules: RULES,
        matchConditions: matchConditions.map((expression, i) => ({ name: `c${i}`, expression })),
      },
    ],
  };
}

const LABELLED = { objectSelector: { matchLabels: { a: "b" } } };

// biome-ignore format: one case per line
const CASES: readonly (readonly [about: string, manifests: readonly object[], problems: readonly string[]])[] = [
  ["a policy without problems", [policy("object.spec.replicas < 9", "object.spec.replicas > 1")], []],
  ["a validation that repeats another", [policy("object.spec.replicas < 9", "object.spec.replicas < 10")], ["validations[1] is redundant: the other validations deny everything that it denies"]],
  ["an operand that another implies", [policy("object.spec.replicas < 9 && object.spec.replicas < 10")], ["validations[0] has an operand that never makes a difference: object.spec.replicas < 10"]],
  ["an operand that the server's checks imply", [policy("object.spec.replicas < 9 && object.spec.replicas >= 0")], ["validations[0] has an operand that never makes a difference: object.spec.replicas >= 0"]],
  ["operands that guard", [policy("!has(object.metadata.labels) || !('a' in object.metadata.labels) || object.metadata.labels.a != 'b'")], []],
  ["a guard of a field with a default", [policy("!has(object.spec.replicas) || object.spec.replicas < 9")], []],
  ["a guard and an operand that never holds", [policy("object.spec.replicas == null || object.spec.replicas < 9 || object.spec.replicas < 0")], ["validations[0] has an operand that never makes a difference: object.spec.replicas < 0"]],
  ["an alternative that never holds", [policy("object.spec.replicas < 9 || object.spec.replicas < 0")], ["validations[0] has an operand that never makes a difference: object.spec.replicas < 0"]],
  ["a binding within another", [policy("object.spec.replicas < 9"), binding("all"), binding("some", LABELLED)], ["the binding changes no answer: other bindings of the policy deny all that it denies"]],
  ["two bindings that need each other", [policy("object.spec.replicas < 9"), binding("a", { objectSelector: { matchLabels: { a: "a" } } }), binding("b", LABELLED)], []],
  ["a condition that excludes nothing", [webhook("object == null || object.spec.replicas >= 0")], ["matchConditions[0] always holds: it excludes no request"]],
  ["a condition that excludes everything", [webhook("object.spec.replicas < 0")], ["matchConditions[0] never holds: the webhook is never called"]],
  ["conditions that contradict each other", [webhook("object.spec.replicas < 5", "object.spec.replicas > 5")], ["match conditions contradict each other: the webhook is never called"]],
  ["a condition that fails", [webhook("object.metadata.labels.a == 'b'")], ["matchConditions[0] can fail to evaluate"]],
];

test.each(CASES)("%s", async (_, manifests, problems) => {
  const found: string[] = [];
  for await (const asked of askAll(SimulatedCluster.of(manifests as KubeObject[])))
    if (asked.isProblem) found.push(sentenceOf(asked));
  expect(found).toEqual(problems);
});

test("a guard of a field with a default is a note", async () => {
  const simulated = SimulatedCluster.of([
    policy("!has(object.spec.replicas) || object.spec.replicas < 9") as KubeObject,
  ]);
  const notes: string[] = [];
  for await (const asked of askAll(simulated)) if (isNote(asked)) notes.push(sentenceOf(asked));
  expect(notes).toEqual(["validations[0] has an operand that never makes a difference: !has(object.spec.replicas)"]);
});
