// The differences between built-in kinds when they are written and deleted, beside their validation.

import { type GroupResource, groupResourceText } from "@celadon/kube";

/** PUT creates them. */
export const CREATE_ON_UPDATE: ReadonlySet<string> = new Set([
  "endpoints",
  "events",
  "limitranges",
  "services",
  "leases.coordination.k8s.io",
  "events.events.k8s.io",
  "runtimeclasses.node.k8s.io",
  "clusterroles.rbac.authorization.k8s.io",
  "clusterrolebindings.rbac.authorization.k8s.io",
  "roles.rbac.authorization.k8s.io",
  "rolebindings.rbac.authorization.k8s.io",
]);

/** PUT needs a resource version. */
export const CONDITIONAL_UPDATE: ReadonlySet<string> = new Set([
  "runtimeclasses.node.k8s.io",
  "poddisruptionbudgets.policy",
  "csidrivers.storage.k8s.io",
  "csistoragecapacities.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
  "csinodes.storage.k8s.io",
  "leases.coordination.k8s.io",
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  "mutatingadmissionpolicies.admissionregistration.k8s.io",
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  "customresourcedefinitions.apiextensions.k8s.io",
  "apiservices.apiregistration.k8s.io",
]);

/** DELETE answers with the object. */
export const RETURNS_DELETED: ReadonlySet<string> = new Set([
  "namespaces",
  "persistentvolumes",
  "persistentvolumeclaims",
  "pods",
  "podtemplates",
  "resourcequotas",
  "serviceaccounts",
  "services",
  "deviceclasses.resource.k8s.io",
  "resourceclaims.resource.k8s.io",
  "resourceclaimtemplates.resource.k8s.io",
  "resourceslices.resource.k8s.io",
  "csidrivers.storage.k8s.io",
  "csinodes.storage.k8s.io",
  "storageclasses.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
  "volumeattributesclasses.storage.k8s.io",
]);

/** DELETE orphans dependents by default. */
export const ORPHANS: ReadonlySet<string> = new Set(["replicationcontrollers", "jobs.batch"]);

/** Their `metadata.generation` counts changes outside metadata and status. */
const COUNTS_GENERATION: ReadonlySet<string> = new Set([
  "pods",
  "podtemplates",
  "replicationcontrollers",
  "daemonsets.apps",
  "deployments.apps",
  "replicasets.apps",
  "statefulsets.apps",
  "cronjobs.batch",
  "jobs.batch",
  "endpointslices.discovery.k8s.io",
  "flowschemas.flowcontrol.apiserver.k8s.io",
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
  "ingresses.networking.k8s.io",
  "ingressclasses.networking.k8s.io",
  "networkpolicies.networking.k8s.io",
  "poddisruptionbudgets.policy",
  "deviceclasses.resource.k8s.io",
  "resourceslices.resource.k8s.io",
  "priorityclasses.scheduling.k8s.io",
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  "mutatingadmissionpolicies.admissionregistration.k8s.io",
  "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
  "validatingwebhookconfigurations.admissionregistration.k8s.io",
  "mutatingwebhookconfigurations.admissionregistration.k8s.io",
  "customresourcedefinitions.apiextensions.k8s.io",
]);

/** Whether `metadata.generation` counts changes of a built-in resource. */
export function countsGenerationOf(resource: GroupResource): boolean {
  return COUNTS_GENERATION.has(groupResourceText(resource));
}
