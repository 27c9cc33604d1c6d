// Rules for each type of service.

import type { ServiceSpec } from "../../../api/generated/core-v1.ts";
import type { Status } from "../../../status.ts";

export function isStatus(value: object): value is Status {
  return "kind" in value && value.kind === "Status";
}

/** A service without its own address. */
export function isHeadless(spec: ServiceSpec): boolean {
  return spec.clusterIPs?.length === 1 && spec.clusterIPs[0] === "None";
}

export function needsClusterIp(spec: ServiceSpec): boolean {
  return spec.type !== "ExternalName";
}

export function needsNodePort(spec: ServiceSpec): boolean {
  return spec.type === "NodePort" || spec.type === "LoadBalancer";
}

export function needsHealthCheckPort(spec: ServiceSpec): boolean {
  return spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
}

export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return needsNodePort(spec) || (spec.type === "ClusterIP" && (spec.externalIPs?.length ?? 0) > 0);
}
