import { readWithDefaults } from "@celadon/admission/resources";
import type { KubeObject } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { updateObject } from "../requests.testing.ts";

const KIND = "MutatingAdmissionPolicyBinding";

function binding(metadata: object): KubeObject {
  const name = { name: "b", resourceVersion: "1" };
  const spec = { policyName: "p" };
  const written = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: KIND,
    metadata: { ...name, ...metadata },
    spec,
  };
  return readWithDefaults(KIND, written).resource as unknown as KubeObject;
}

async function updateErrors(metadata: object): Promise<string[]> {
  const { errors = [] } = await updateObject(binding(metadata), binding({}), { namespace: "" });
  return errors.map(fieldErrorText);
}

test("metadata of an update is validated as that of every object, and errors that come up again are reported once", async () => {
  const ownerReferences = [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "" }];
  expect(await updateErrors({ ownerReferences })).toEqual([
    "metadata.ownerReferences[0].uid: Required value: must not be empty",
  ]);
});

test("a field that an update must not change is reported once", async () => {
  expect(await updateErrors({ deletionTimestamp: "2026-01-01T00:00:00Z" })).toEqual([
    'metadata.deletionTimestamp: Invalid value: "2026-01-01T00:00:00Z": field is immutable',
  ]);
});

test("an update of an object with another identity is refused", async () => {
  const { refusal } = await updateObject(binding({ uid: "u" }), binding({}), { namespace: "" });
  expect(refusal?.message).toContain("Precondition failed: UID in precondition: u, UID in object meta: ");
});
