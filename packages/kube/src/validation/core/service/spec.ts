// The spec of a service.

import type { Service, ServicePort, ServiceSpec, ServiceStatus } from "../../../api/generated/core-v1.ts";
import { JsonShown } from "../../../field-error.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkQualifiedName } from "../../../names.ts";
import { trimSpace } from "../../../trim-space.ts";
import { legacyCidr, legacyIp, parseIp } from "../../checks/ip.ts";
import { labels } from "../../checks/metadata.ts";
import { portNumber, portNumberOrName } from "../../checks/ports.ts";
import type { ValidatedField } from "../../field.ts";
import { shownAs } from "../../show/internal.ts";
import { endpointIp } from "../endpoint-ip.ts";
import { PROTOCOLS } from "../pod/container/ports.ts";
import { clusterIps } from "./cluster-ips.ts";
import { isExternallyAccessible, isHeadless, needsHealthCheckPort, needsNodePort } from "./type.ts";

export const TOPOLOGY_HINTS = "service.kubernetes.io/topology-aware-hints";
export const TOPOLOGY_MODE = "service.kubernetes.io/topology-mode";
const SOURCE_RANGES = "service.beta.kubernetes.io/load-balancer-source-ranges";
const ONLY_LOAD_BALANCER = "may only be used when `type` is 'LoadBalancer'";
const MAX_AFFINITY_SECONDS = 86_400;

export function service(object: Service, old: Service | undefined, at: ValidatedField): void {
  const spec = object.spec ?? {};
  const place = at.child("spec");
  topology(object, at.child("metadata", "annotations"));
  if (!spec.ports?.length && !isHeadless(spec) && spec.type !== "ExternalName") place.child("ports").required();
  ofType(spec, place);
  ports(spec, place.child("ports"));
  labels(spec.selector, place.child("selector"));
  affinity(spec, place);
  clusterIps(spec, old?.spec, place);
  place.child("externalIPs").each(spec.externalIPs, (ip, each) => {
    if (each.holds(() => void legacyIp(ip, each, old?.spec?.externalIPs ?? []))) endpointIp(ip, each);
  });
  place.child("type").mustBeOneOf(spec.type, ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"]);
  uniquePorts(spec, place.child("ports"));
  sourceRanges(object, old, at);
  loadBalancer(spec, place);
  trafficPolicy(spec, place);
  const distribution = spec.trafficDistribution;
  const known = place.by.enables("PreferSameTrafficDistribution")
    ? ["PreferClose", "PreferSameZone", "PreferSameNode"]
    : ["PreferClose"];
  if (distribution !== undefined && !known.includes(distribution)) {
    place.child("trafficDistribution").unsupportedText(distribution, known);
  }
}

function topology(object: Service, at: ValidatedField): void {
  const annotations = object.metadata?.annotations ?? {};
  const [hints, mode] = [annotations[TOPOLOGY_HINTS], annotations[TOPOLOGY_MODE]];
  if (hints === undefined || mode === undefined || hints === mode) return;
  at.key(TOPOLOGY_MODE).invalid(mode, `must match annotations[${TOPOLOGY_HINTS}] when both are specified`);
}

const KUBELET_PORT = 10_250;

/** Up to 1.32, load balancers keep away from the port of kubelets. */
function kubeletPort(spec: ServiceSpec, at: ValidatedField): void {
  at.each(spec.ports, ({ port }, each) => {
    if (port !== KUBELET_PORT) return;
    each.invalid(port, `may not expose port ${KUBELET_PORT} externally since it is used by kubelet`);
  });
}

function ofType(spec: ServiceSpec, at: ValidatedField): void {
  if (spec.type === "LoadBalancer" && at.by.before(33)) kubeletPort(spec, at.child("ports"));
  if (needsNodePort(spec) && isHeadless(spec)) {
    at.child("clusterIPs").index(0).invalid("None", `may not be set to 'None' for ${spec.type} services`);
  }
  if (spec.type !== "ExternalName") return;
  const detail = "may not be set for ExternalName services";
  if (spec.clusterIPs?.length) at.child("clusterIPs").forbidden(detail);
  if (spec.ipFamilies?.length) at.child("ipFamilies").forbidden(detail);
  if (spec.ipFamilyPolicy !== undefined) at.child("ipFamilyPolicy").forbidden(detail);
  const name = spec.externalName ?? "";
  at.child("externalName").mustBe(name.endsWith(".") ? name.slice(0, -1) : name, checkDns1123Subdomain);
}

function ports(spec: ServiceSpec, at: ValidatedField): void {
  const names = new Set<string>();
  const needName = (spec.ports?.length ?? 0) > 1;
  at.each(spec.ports, (port, each) => {
    if (port.name) {
      each.child("name").check(port.name, checkDns1123Label);
      if (names.has(port.name)) each.child("name").duplicate(port.name);
      names.add(port.name);
    } else if (needName) each.child("name").required();
    portNumber(port.port, each.child("port"));
    each.child("protocol").mustBeOneOf(port.protocol, PROTOCOLS);
    portNumberOrName(port.targetPort, each.child("targetPort"));
    if (port.appProtocol !== undefined) each.child("appProtocol").check(port.appProtocol, checkQualifiedName);
  });
}

function affinity(spec: ServiceSpec, at: ValidatedField): void {
  at.child("sessionAffinity").mustBeOneOf(spec.sessionAffinity, ["ClientIP", "None"]);
  const config = at.child("sessionAffinityConfig");
  const given = spec.sessionAffinityConfig;
  if (spec.sessionAffinity === "None") {
    if (given !== undefined) config.forbidden("must not be set when session affinity is None");
    return;
  }
  if (spec.sessionAffinity !== "ClientIP") return;
  const needed = "when session affinity type is ClientIP";
  const seconds = given?.clientIP?.timeoutSeconds;
  if (given === undefined) config.required(needed);
  else if (given.clientIP === undefined) config.child("clientIP").required(needed);
  else if (seconds === undefined) config.child("clientIP", "timeoutSeconds").required(needed);
  else if (seconds <= 0 || seconds > MAX_AFFINITY_SECONDS) {
    const detail = `must be greater than 0 and less than ${MAX_AFFINITY_SECONDS}`;
    config.child("clientIP", "timeoutSeconds").invalid(seconds, detail);
  }
}

function uniquePorts(spec: ServiceSpec, at: ValidatedField): void {
  if (spec.type === "ClusterIP") {
    at.each(spec.ports, (port, each) => {
      if (port.nodePort) each.child("nodePort").forbidden("may not be used when `type` is 'ClusterIP'");
    });
  }
  const nodePorts = new Set<string>();
  at.each(spec.ports, ({ protocol, nodePort }, each) => {
    if (!nodePort) return;
    if (nodePorts.has(`${protocol}/${nodePort}`)) each.child("nodePort").duplicate(nodePort);
    nodePorts.add(`${protocol}/${nodePort}`);
  });
  const seen = new Set<string>();
  at.each(spec.ports, ({ protocol, port }: ServicePort, each) => {
    const key = `${protocol}/${port ?? 0}`;
    if (seen.has(key)) each.duplicate(shownAs("core.ServicePort", { protocol, port }));
    seen.add(key);
  });
}

function sourceRanges(object: Service, old: Service | undefined, at: ValidatedField): void {
  const { type, loadBalancerSourceRanges: ranges } = object.spec ?? {};
  if (ranges?.length) {
    const place = at.child("spec", "LoadBalancerSourceRanges");
    const before = (old?.spec?.loadBalancerSourceRanges ?? []).map(trimSpace);
    if (type !== "LoadBalancer") place.forbidden(ONLY_LOAD_BALANCER);
    place.each(ranges, (range, each) => void legacyCidr(trimSpace(range), each, before));
    return;
  }
  const annotation = object.metadata?.annotations?.[SOURCE_RANGES];
  if (annotation === undefined) return;
  const place = at.child("metadata", "annotations").key(SOURCE_RANGES);
  if (type !== "LoadBalancer") place.forbidden(ONLY_LOAD_BALANCER);
  if (old?.metadata?.annotations?.[SOURCE_RANGES] === annotation || trimSpace(annotation) === "") return;
  for (const range of trimSpace(annotation).split(",")) legacyCidr(trimSpace(range), place);
}

function loadBalancer(spec: ServiceSpec, at: ValidatedField): void {
  const isLoadBalancer = spec.type === "LoadBalancer";
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer) {
    at.child("allocateLoadBalancerNodePorts").forbidden(ONLY_LOAD_BALANCER);
  }
  loadBalancerClass(spec, at.child("loadBalancerClass"));
}

export function loadBalancerClass(spec: ServiceSpec, at: ValidatedField): void {
  if (spec.loadBalancerClass === undefined) return;
  if (spec.type === "LoadBalancer") at.check(spec.loadBalancerClass, checkQualifiedName);
  else at.forbidden(ONLY_LOAD_BALANCER);
}

function trafficPolicy(spec: ServiceSpec, at: ValidatedField): void {
  const { externalTrafficPolicy: external, healthCheckNodePort: port, internalTrafficPolicy: internal } = spec;
  const place = at.child("externalTrafficPolicy");
  if (isExternallyAccessible(spec)) place.mustBeOneOf(external, ["Cluster", "Local"]);
  else if (external) place.invalid(new JsonShown(external), "may only be set for externally-accessible services");
  const health = at.child("healthCheckNodePort");
  if (needsHealthCheckPort(spec)) {
    if (port) portNumber(port, health);
    else health.required();
  } else if (port) {
    health.invalid(port, "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
  }
  const isInternal = spec.type === "ClusterIP" || needsNodePort(spec);
  if (internal === undefined && isInternal) at.child("internalTrafficPolicy").required();
  at.child("internalTrafficPolicy").mayBeOneOf(internal, ["Cluster", "Local"]);
}

type LoadBalancerStatus = NonNullable<ServiceStatus["loadBalancer"]>;

export function loadBalancerStatus(
  status: LoadBalancerStatus,
  old: LoadBalancerStatus | undefined,
  type: string | undefined,
  at: ValidatedField,
): void {
  const place = at.child("ingress");
  if (type !== "LoadBalancer" && status.ingress?.length) {
    place.forbidden("may only be used when `spec.type` is 'LoadBalancer'");
    return;
  }
  const before = (old?.ingress ?? []).map((ingress) => ingress.ip ?? "").filter((ip) => ip !== "");
  place.each(status.ingress, ({ ip, ipMode, hostname }, each) => {
    if (ip) legacyIp(ip, each.child("ip"), before);
    if (ipMode === undefined) {
      if (ip) each.child("ipMode").required("must be specified when `ip` is set");
    } else if (!ip) each.child("ipMode").forbidden("may not be specified when `ip` is not set");
    else each.child("ipMode").oneOf(ipMode, ["Proxy", "VIP"]);
    if (!hostname) return;
    each.child("hostname").check(hostname, checkDns1123Subdomain);
    if (parseIp(hostname)) each.child("hostname").invalid(hostname, "must be a DNS name, not an IP address");
  });
}
