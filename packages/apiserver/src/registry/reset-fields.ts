// Fields that writes to an endpoint cannot change, so that no manager owns them through it. Upstream: GetResetFields of the strategies in
// kubernetes pkg/registry and apiextensions-apiserver pkg/registry.

import { ANY_ELEMENT, type FieldPattern, FieldSet, fieldElement, fieldPattern } from "@celadon/merge";
import type { ServedResource } from "../kinds/resource.ts";

/** By group, resource and subresource, where it is neither `status` for the resource nor `spec` for its status. */
// biome-ignore format: one endpoint per line
const RESET: Readonly<Record<string, readonly string[]>> = {
  "/pods/status":                                                     ["spec", "metadata.deletionTimestamp", "metadata.ownerReferences"],
  "/namespaces/finalize":                                             ["status"],
  "apps/deployments/status":                                          ["spec", "metadata.labels"],
  "certificates.k8s.io/certificatesigningrequests/":                  ["spec", "status"],
  "certificates.k8s.io/certificatesigningrequests/status":            ["spec", "status.conditions"],
  "certificates.k8s.io/certificatesigningrequests/approval":          ["spec", "status.certificate"],
  "certificates.k8s.io/podcertificaterequests/":                      [],
  "admissionregistration.k8s.io/validatingadmissionpolicies/status":  ["spec", "metadata"],
  "apiregistration.k8s.io/apiservices/status":                        ["spec", "metadata"],
  "flowcontrol.apiserver.k8s.io/flowschemas/status":                  ["spec", "metadata"],
  "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations/status":  ["spec", "metadata"],
  "networking.k8s.io/servicecidrs/status":                            ["spec", "metadata"],
  "resource.k8s.io/devicetaintrules/status":                          ["spec", "metadata"],
  "resource.k8s.io/resourceclaims/status":                            ["spec", "metadata"],
  "scheduling.k8s.io/podgroups/":                                     [],
  "scheduling.k8s.io/podgroups/status":                               ["spec", "metadata"],
  "storage.k8s.io/volumeattachments/status":                          ["spec", "metadata"],
  "storagemigration.k8s.io/storageversionmigrations/status":          ["spec", "metadata"],
};

/**
 * The fields that writes to an endpoint cannot change, in any version of a built-in kind, and in the version of the request of a custom
 * resource.
 */
export function resetFields(resource: ServedResource, subresource: string): Pick<ReadonlyMap<string, FieldSet>, "get"> {
  const paths = pathsOf(resource, subresource).map((path) => path.split(".").map(fieldElement));
  const set = FieldSet.of(...paths);
  return { get: (version) => (resource.storage.custom && version !== resource.apiVersion ? undefined : set) };
}

function pathsOf({ group, resource, subresources, storage }: ServedResource, subresource: string): readonly string[] {
  const known = RESET[`${group}/${resource}/${subresource}`];
  if (known !== undefined && !storage.custom) return known;
  if (subresource === "status") return storage.custom ? ["spec", "metadata"] : ["spec"];
  return subresource === "" && subresources.has("status") ? ["status"] : [];
}

/** Endpoints and the fields that they change. */
// biome-ignore format: one field per line
const KEPT: Readonly<Record<string, FieldPattern>> = {
  "/pods/ephemeralcontainers": pattern("spec.ephemeralContainers"),
  "/pods/resize": pattern(
    "spec.containers.*.resources",
    "spec.containers.*.resizePolicy",
    "spec.initContainers.*.resources",
    "spec.initContainers.*.resizePolicy",
  ),
};

function pattern(...paths: readonly string[]): FieldPattern {
  return fieldPattern(
    ...paths.map((path) => path.split(".").map((step) => (step === "*" ? ANY_ELEMENT : fieldElement(step)))),
  );
}

/** The only fields that writes to an endpoint can change. */
export function keptFields(
  { group, resource }: ServedResource,
  subresource: string,
): { readonly keptFields?: { get(): FieldPattern } } {
  const kept = KEPT[`${group}/${resource}/${subresource}`];
  return kept === undefined ? {} : { keptFields: { get: () => kept } };
}
