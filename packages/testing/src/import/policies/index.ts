// Policies of other tools → ValidatingAdmissionPolicies.

import { gvkOf, type KubeObject } from "@celadon/kube";
import type { PolicyConversion } from "./converted.ts";
import { convertClusterPolicy } from "./kyverno-cluster-policy.ts";
import type { KnownKind } from "./kyverno-kinds.ts";
import { convertValidatingPolicy } from "./kyverno-validating-policy.ts";

/** Undefined for objects that are no policies of another tool. Gatekeeper's are made of two objects: convertTemplates. */
export function convertPolicy(object: KubeObject, known: readonly KnownKind[] = []): PolicyConversion | undefined {
  const { group, kind } = gvkOf(object);
  if (group === "kyverno.io" && (kind === "ClusterPolicy" || kind === "Policy")) {
    return convertClusterPolicy(object, known);
  }
  if (group === "policies.kyverno.io" && (kind === "ValidatingPolicy" || kind === "NamespacedValidatingPolicy")) {
    return convertValidatingPolicy(object);
  }
  return undefined;
}
