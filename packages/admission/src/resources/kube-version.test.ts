// API servers of other minors answer policies and webhook configurations, and evaluate them.

import { type Minor, minorsBetween } from "@celadon/kube-cel";
import { expect, test } from "vitest";
import { admit } from "../admit.ts";
import { createSchemas } from "../memory/index.ts";
import { bindingOf, podRequest, policyOf } from "../policies.testing.ts";
import type { ValidatingAdmissionPolicy } from "../policy.ts";
import { createPolicySet } from "../set/policy-set.ts";
import { defaultConfiguration } from "../webhook/defaults.ts";
import { validateConfiguration } from "../webhook/validate.ts";
import { withPolicyDefaults } from "./defaults.ts";
import { checkTypes } from "./type-check/type-check.ts";
import { validatePolicy, validatePolicyUpdate } from "./validate/validate-policy.ts";

const MINORS = minorsBetween("1.28", "1.36");
const firstOf = (test: (kubeVersion: Minor) => boolean): Minor | undefined => MINORS.find(test);

function policyWith(expression: string): ValidatingAdmissionPolicy {
  const resourceRules = [
    { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE" as const] },
  ];
  return withPolicyDefaults(policyOf("p", { matchConstraints: { resourceRules }, validations: [{ expression }] }));
}

// biome-ignore format: one expression per line
const cases: { expression: string; written: Minor; stored: Minor }[] = [
  { expression: "object.metadata.name == 'p'",            written: "1.28", stored: "1.28" },
  { expression: "isIP(object.metadata.name)",             written: "1.31", stored: "1.30" },
  { expression: "[1].all(i, v, i < v)",                   written: "1.33", stored: "1.32" },
  { expression: "isSemver(object.metadata.name)",         written: "1.34", stored: "1.33" },
];

test.each(cases)("$expression: from $written on, when stored from $stored on", ({ expression, written, stored }) => {
  const policy = policyWith(expression);
  expect(firstOf((kubeVersion) => validatePolicy(policy, { kubeVersion }).length === 0)).toBe(written);
  const next = { ...policy, metadata: { ...policy.metadata, resourceVersion: "1" } };
  expect(firstOf((kubeVersion) => validatePolicyUpdate(next, next, { kubeVersion }).length === 0)).toBe(stored);
  const configuration = defaultConfiguration({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "c" },
    webhooks: [
      {
        name: "w.example.com",
        clientConfig: { url: "https://example.com" },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        matchConditions: [{ name: "m", expression }],
      },
    ],
  });
  expect(firstOf((kubeVersion) => validateConfiguration(configuration, undefined, { kubeVersion }).length === 0)).toBe(
    written,
  );
});

test("a server that does not know a library cannot evaluate with it", async () => {
  const resources = [policyWith("!isSemver(object.metadata.name)"), bindingOf("b", "p")];
  const asked = async (kubeVersion: Minor) => admit(podRequest(), createPolicySet(resources, { kubeVersion }));
  expect((await asked("1.33")).allowed).toBe(true);
  expect((await asked("1.32")).failures[0]?.message).toContain("undeclared reference to 'isSemver'");
});

test("types are checked with what the server knows, reserved words as fields among it", async () => {
  const expression = "object.metadata.namespace != '' && isSemver(object.metadata.name)";
  const messages = async (kubeVersion: Minor): Promise<string[]> => {
    const { warnings } = await checkTypes(policyWith(expression), createSchemas(), { kubeVersion });
    return warnings.flatMap(({ issues }) => issues.map(({ message }) => message));
  };
  expect(await messages("1.36")).toEqual([]);
  expect(await messages("1.32")).toEqual(["undeclared reference to 'isSemver' (in container '')"]);
  expect(await messages("1.30")).toEqual([
    "undefined field 'namespace'",
    "undeclared reference to 'isSemver' (in container '')",
  ]);
});
