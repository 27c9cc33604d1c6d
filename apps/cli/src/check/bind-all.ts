// `--bind-all`: policies that no binding names are taken as bound everywhere, with Deny. For authors who have the policy at hand and
// the binding elsewhere.

import { type KubeObject, nameOf } from "@celadon/kube";
import { type Manifest, roleOf } from "@celadon/simulator";

export function impliedBindings(manifests: readonly Manifest[]): Manifest[] {
  const bound = new Set(
    manifests.filter(({ object }) => roleOf(object) === "binding").map(({ object }) => policyNameOf(object)),
  );
  return manifests
    .filter(({ object }) => roleOf(object) === "policy" && !bound.has(nameOf(object)))
    .map(({ object }) => ({
      object: {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingAdmissionPolicyBinding",
        metadata: { name: nameOf(object) },
        spec: { policyName: nameOf(object), validationActions: ["Deny"] },
      },
    }));
}

function policyNameOf({ spec }: KubeObject): unknown {
  return typeof spec === "object" && spec !== null ? (spec as Record<string, unknown>).policyName : undefined;
}
