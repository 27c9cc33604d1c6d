// The plugins kube-apiserver runs by default, in its order, but for policies, webhooks and quota, which come after them.
// Upstream: pkg/kubeapiserver/options/plugins.go.

import type { AdmissionPlugin } from "@celadon/write";
import type { PodSecurityMetrics } from "../../metrics/pod-security-metrics.ts";
import type { PluginHosts } from "../plugin-hosts.ts";
import { podSecurity } from "../pod-security/pod-security.ts";
import { certificateApproval, certificateSigning, certificateSubject } from "./certificates.ts";
import { defaultIngressClass, defaultStorageClass } from "./default-classes.ts";
import { limitRanger } from "./limit-ranger.ts";
import { nodeRestriction } from "./node-restriction.ts";
import { defaultTolerations, nodeTaint, runtimeClass } from "./pods-and-nodes.ts";
import { priority } from "./priority.ts";
import { serviceAccount } from "./service-account.ts";
import { claimResize, storageProtection } from "./storage.ts";

export function builtinPlugins(
  hosts: PluginHosts,
  metrics: PodSecurityMetrics,
  suffix: () => string,
): readonly AdmissionPlugin[] {
  return [
    limitRanger(hosts),
    serviceAccount(hosts, suffix),
    nodeRestriction(hosts),
    nodeTaint,
    podSecurity(hosts, metrics),
    priority(hosts),
    defaultTolerations,
    defaultStorageClass(hosts),
    storageProtection,
    claimResize(hosts),
    runtimeClass(hosts),
    certificateApproval(hosts),
    certificateSigning(hosts),
    certificateSubject,
    defaultIngressClass(hosts),
  ];
}

/** Resources the plugins read, which are loaded before the first request. */
export const PLUGIN_RESOURCES: readonly string[] = [
  "limitranges",
  "resourcequotas",
  "serviceaccounts",
  "priorityclasses.scheduling.k8s.io",
  "storageclasses.storage.k8s.io",
  "runtimeclasses.node.k8s.io",
  "ingressclasses.networking.k8s.io",
];
