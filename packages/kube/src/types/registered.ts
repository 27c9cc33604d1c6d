// Kinds in versions that an API server knows and does not serve, as its scheme registers them: versions of the past, and alphas and betas
// that are off by default. A body in such a version is refused with the expected one. They have names only, because only served versions
// keep types. A kind that only some minors register ends in `@` and the first and last of them. Upstream: register.go of each version in
// k8s.io/api.

import { CURRENT, type Minor } from "../versions.ts";

// biome-ignore format: one version per line
const REGISTERED: Readonly<Record<string, string>> = {
  "admissionregistration.k8s.io/v1alpha1": "MutatingAdmissionPolicy@32 MutatingAdmissionPolicyBinding@32 ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding",
  "admissionregistration.k8s.io/v1beta1": "MutatingAdmissionPolicy@34 MutatingAdmissionPolicyBinding@34 MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration",
  "apiextensions.k8s.io/v1beta1": "CustomResourceDefinition",
  "apiregistration.k8s.io/v1beta1": "APIService",
  "apps/v1beta1": "ControllerRevision Deployment DeploymentRollback Scale StatefulSet",
  "apps/v1beta2": "ControllerRevision DaemonSet Deployment ReplicaSet Scale StatefulSet",
  "authentication.k8s.io/v1alpha1": "SelfSubjectReview",
  "authentication.k8s.io/v1beta1": "SelfSubjectReview TokenReview",
  "authorization.k8s.io/v1beta1": "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
  "autoscaling/v2beta1": "HorizontalPodAutoscaler@-35",
  "autoscaling/v2beta2": "HorizontalPodAutoscaler@-35",
  "batch/v1beta1": "CronJob",
  "certificates.k8s.io/v1alpha1": "ClusterTrustBundle PodCertificateRequest@34-34",
  "certificates.k8s.io/v1beta1": "CertificateSigningRequest ClusterTrustBundle@33 PodCertificateRequest@35",
  "coordination.k8s.io/v1alpha1": "LeaseCandidate@31-31",
  "coordination.k8s.io/v1alpha2": "LeaseCandidate@32",
  "coordination.k8s.io/v1beta1": "Lease LeaseCandidate@33",
  "discovery.k8s.io/v1beta1": "EndpointSlice",
  "events.k8s.io/v1beta1": "Event",
  "extensions/v1beta1": "DaemonSet Deployment DeploymentRollback Ingress NetworkPolicy ReplicaSet Scale",
  "flowcontrol.apiserver.k8s.io/v1alpha1": "FlowSchema@28-28 PriorityLevelConfiguration@28-28",
  "flowcontrol.apiserver.k8s.io/v1beta1": "FlowSchema PriorityLevelConfiguration",
  "flowcontrol.apiserver.k8s.io/v1beta2": "FlowSchema PriorityLevelConfiguration",
  "flowcontrol.apiserver.k8s.io/v1beta3": "FlowSchema@32 PriorityLevelConfiguration@32",
  "internal.apiserver.k8s.io/v1alpha1": "StorageVersion",
  "lifecycle.k8s.io/v1alpha1": "Eviction@37 EvictionRequest@37",
  "networking.k8s.io/v1alpha1": "ClusterCIDR@28-28 IPAddress@-33 ServiceCIDR@29-33",
  "networking.k8s.io/v1beta1": "IPAddress@31 Ingress IngressClass ServiceCIDR@31",
  "node.k8s.io/v1alpha1": "RuntimeClass",
  "node.k8s.io/v1beta1": "RuntimeClass",
  "policy/v1beta1": "Eviction PodDisruptionBudget PodSecurityPolicy@28-28",
  "rbac.authorization.k8s.io/v1alpha1": "ClusterRole ClusterRoleBinding Role RoleBinding",
  "rbac.authorization.k8s.io/v1beta1": "ClusterRole ClusterRoleBinding Role RoleBinding",
  "resource.k8s.io/v1alpha2": "PodSchedulingContext@-30 ResourceClaim@-30 ResourceClaimParameters@30-30 ResourceClaimTemplate@-30 ResourceClass@-30 ResourceClassParameters@30-30 ResourceSlice@30-30",
  "resource.k8s.io/v1alpha3": "DeviceClass@31-33 DeviceTaintRule@33 PodSchedulingContext@31-31 ResourceClaim@31-33 ResourceClaimTemplate@31-33 ResourcePoolStatusRequest@36 ResourceSlice@31-33",
  "resource.k8s.io/v1beta1": "DeviceClass@32 ResourceClaim@32 ResourceClaimTemplate@32 ResourceSlice@32",
  "resource.k8s.io/v1beta2": "DeviceClass@33 DeviceTaintRule@36 ResourceClaim@33 ResourceClaimTemplate@33 ResourceSlice@33",
  "scheduling.k8s.io/v1alpha1": "PriorityClass@-35 Workload@35-35",
  "scheduling.k8s.io/v1alpha2": "PodGroup@36-36 Workload@36-36",
  "scheduling.k8s.io/v1alpha3": "CompositePodGroup@37 PodGroup@37 Workload@37",
  "scheduling.k8s.io/v1beta1": "PodGroup@37 PriorityClass Workload@37",
  "storage.k8s.io/v1alpha1": "CSIStorageCapacity VolumeAttachment VolumeAttributesClass@29",
  "storage.k8s.io/v1beta1": "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass@31",
  "storagemigration.k8s.io/v1alpha1": "StorageVersionMigration@30-34",
  "storagemigration.k8s.io/v1beta1": "StorageVersionMigration@35",
};

/** Whether the scheme of a minor has a kind in a version that is not served. */
export function isRegistered(apiVersion: string, kind: string, minor: Minor = CURRENT): boolean {
  const at = Number(minor.slice("1.".length));
  return (REGISTERED[apiVersion] ?? "").split(" ").some((entry) => {
    const [name, range = ""] = entry.split("@");
    const [from = "", to = ""] = range.split("-");
    return name === kind && Number(from) <= at && (to === "" || at <= Number(to));
  });
}
