// Feature gates that defaults and rules of built-in kinds depend on, and the minor since which each is on by default. From
// pkg/features/kube_features.go of the releases.

/** A feature gate by its name in Kubernetes. */
export type Gate =
  | "AtomicWriteVolumeUserFields"
  | "CSIServiceAccountTokenSecrets"
  | "ClusterTrustBundleProjection"
  | "ContainerRestartRules"
  | "ContainerStopSignals"
  | "CoordinatedLeaderElection"
  | "DRAAdminAccess"
  | "DRAConsumableCapacity"
  | "DRADerivedAttributes"
  | "DRADeviceBindingConditions"
  | "DRADeviceTaints"
  | "DRAExtendedResource"
  | "DRANodeAllocatableResources"
  | "DRAPartitionableDevices"
  | "DynamicResourceAllocation"
  | "EmptyDirVolumeMode"
  | "EnvFiles"
  | "EvictionRequestAPI"
  | "GRPCContainerProbeTLS"
  | "GenericWorkload"
  | "H2CContainerProbe"
  | "HPAConfigurableTolerance"
  | "HPAScaleToZero"
  | "HostnameOverride"
  | "ImageVolume"
  | "InPlacePodVerticalScaling"
  | "InPlacePodVerticalScalingSchedulerPreemption"
  | "JobManagedBy"
  | "JobSuccessPolicy"
  | "MatchLabelKeysInPodAffinity"
  | "MaxUnavailableStatefulSet"
  | "MutableCSINodeAllocatableCount"
  | "PodCertificateRequest"
  | "PodLevelResources"
  | "PodLifecycleSleepActionAllowZero"
  | "PodLevelResourcesFixDefaulting"
  | "PreferSameTrafficDistribution"
  | "ProcMountType"
  | "RecursiveReadOnlyMounts"
  | "RelaxedServiceNameValidation"
  | "RestartAllContainersOnContainerExits"
  | "SELinuxChangePolicy"
  | "ServiceTrafficDistribution"
  | "StrictIPCIDRValidation"
  | "SupplementalGroupsPolicy"
  | "UserNamespacesSupport"
  | "VolumeAttributesClass"
  | "VolumeBindMountOptions"
  | "WorkloadWithJob";

const NEVER = Number.POSITIVE_INFINITY;

/** The number after `1.` of the version since which a gate is on; 0 for gates that are on in every version here. */
// biome-ignore format: one gate per line
export const GATES: Readonly<Record<Gate, number>> = {
  AtomicWriteVolumeUserFields:                  NEVER,
  CSIServiceAccountTokenSecrets:                35,
  ClusterTrustBundleProjection:                 37,
  ContainerRestartRules:                        35,
  ContainerStopSignals:                         NEVER,
  CoordinatedLeaderElection:                    NEVER,
  DRAAdminAccess:                               34,
  DRAConsumableCapacity:                        36,
  DRADerivedAttributes:                         NEVER,
  DRADeviceBindingConditions:                   36,
  DRADeviceTaints:                              36,
  DRAExtendedResource:                          36,
  DRANodeAllocatableResources:                  NEVER,
  DRAPartitionableDevices:                      36,
  DynamicResourceAllocation:                    34,
  EmptyDirVolumeMode:                           NEVER,
  EnvFiles:                                     35,
  EvictionRequestAPI:                           NEVER,
  GRPCContainerProbeTLS:                        NEVER,
  GenericWorkload:                              NEVER,
  H2CContainerProbe:                            NEVER,
  HPAConfigurableTolerance:                     35,
  HPAScaleToZero:                               37,
  HostnameOverride:                             35,
  ImageVolume:                                  35,
  InPlacePodVerticalScaling:                    33,
  InPlacePodVerticalScalingSchedulerPreemption: NEVER,
  JobManagedBy:                                 32,
  JobSuccessPolicy:                             31,
  MatchLabelKeysInPodAffinity:                  31,
  MaxUnavailableStatefulSet:                    37,
  MutableCSINodeAllocatableCount:               35,
  PodCertificateRequest:                        37,
  PodLevelResources:                            34,
  PodLifecycleSleepActionAllowZero:             34,
  PodLevelResourcesFixDefaulting:               37,
  PreferSameTrafficDistribution:                34,
  ProcMountType:                                33,
  RecursiveReadOnlyMounts:                      31,
  RelaxedServiceNameValidation:                 36,
  RestartAllContainersOnContainerExits:         36,
  SELinuxChangePolicy:                          33,
  ServiceTrafficDistribution:                   31,
  StrictIPCIDRValidation:                       36,
  SupplementalGroupsPolicy:                     33,
  UserNamespacesSupport:                        33,
  VolumeAttributesClass:                        34,
  VolumeBindMountOptions:                       NEVER,
  WorkloadWithJob:                              NEVER,
};
