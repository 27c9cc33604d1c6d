import { fieldErrorText } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { acceptPolicyResource, readWithDefaults } from "./accept.ts";

const KIND = "MutatingAdmissionPolicyBinding";

function binding(metadata: object): object {
  const name = { name: "b", resourceVersion: "1" };
  const spec = { policyName: "p" };
  return { apiVersion: "admissionregistration.k8s.io/v1", kind: KIND, metadata: { ...name, ...metadata }, spec };
}

function updateErrors(metadata: object): string[] {
  const old = readWithDefaults(KIND, binding({})).resource!;
  return acceptPolicyResource(KIND, binding(metadata), { old }).errors.map(fieldErrorText);
}

test("metadata of an update is validated as that of every object, and errors that come up again are reported once", () => {
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "" }];
  expect(updateErrors({ ownerReferences })).toEqual([
    "metadata.ownerReferences[0].uid: Required value: must not be empty",
  ]);
});

test("what an update must leave alone is told once", () => {
  expect(updateErrors({ uid: "u" })).toEqual(['metadata.uid: Invalid value: "u": field is immutable']);
});
