// Feature gates that defaults and rules of built-in kinds depend on, and the minor since which each is on by default. From
// pkg/features/kube_features.go of the releases.

/** A feature gate by its name in Kubernetes. */
export type Gate =
  | "ClusterTrustBundleProjection"
  | "ContainerStopSignals"
  | "HPAScaleToZero"
  | "MaxUnavailableStatefulSet"
  | "PodCertificateRequest"
  | "PodLevelResources"
  | "PodLevelResourcesFixDefaulting";

const NEVER = Number.POSITIVE_INFINITY;

/** The number after `1.` of the minor since which a gate is on. */
// biome-ignore format: one gate per line
export const GATES: Readonly<Record<Gate, number>> = {
  ClusterTrustBundleProjection: 37,
  ContainerStopSignals:         NEVER,
  HPAScaleToZero:               37,
  MaxUnavailableStatefulSet:    37,
  PodCertificateRequest:        37,
  PodLevelResources:            34,
  PodLevelResourcesFixDefaulting: 37,
};
