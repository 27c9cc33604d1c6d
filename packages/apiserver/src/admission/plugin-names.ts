// Admission plugins of kube-apiserver 1.36 that this server lacks, because their work needs nodes, is off by default, or is part of a
// kind's own validation here. Their names are accepted where plugins are switched off, so that flags of kube-apiserver work unchanged.

export const OTHER_PLUGINS: readonly { readonly name: string }[] = [
  "AlwaysAdmit",
  "AlwaysDeny",
  "AlwaysPullImages",
  "ClusterTrustBundleAttest",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "JobValidation",
  "LimitPodHardAntiAffinityTopology",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "NodeDeclaredFeatureValidator",
  "OwnerReferencesPermissionEnforcement",
  "PodGroupProtection",
  "PodGroupWorkloadExists",
  "PodNodeSelector",
  "PodResizeValidator",
  "PodTolerationRestriction",
  "PodTopologyLabels",
].map((name) => ({ name }));

/** Plugins that have something to do wherever they are on, which is nowhere by default. */
export const LACKING_PLUGINS: readonly string[] = [
  "AlwaysDeny",
  "AlwaysPullImages",
  "DenyServiceExternalIPs",
  "EventRateLimit",
  "ExtendedResourceToleration",
  "ImagePolicyWebhook",
  "LimitPodHardAntiAffinityTopology",
  "NamespaceAutoProvision",
  "NamespaceExists",
  "OwnerReferencesPermissionEnforcement",
  "PodNodeSelector",
  "PodTolerationRestriction",
];
