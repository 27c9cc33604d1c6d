// Services.

import { pushAll, semanticEqual } from "@celadon/base";
import type { Service, ServiceSpec } from "../../../api/generated/core-v1.ts";
import type { Emulation } from "../../../emulation.ts";
import { type FieldPath, fieldPath } from "../../../field-path.ts";
import type { Warning } from "../../../warning.ts";
import { cidrWarnings, ipWarnings } from "../../checks/ip.ts";
import { metadata, metadataUpdate } from "../../checks/metadata.ts";
import { serviceName } from "../../checks/service-name.ts";
import { shownPointer } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../../rules.ts";
import { addressWarnings, prefixWarnings } from "./address-warnings.ts";
import { allocate } from "./allocate.ts";
import { clusterIpUpdate } from "./cluster-ips.ts";
import { imaginaryNetwork } from "./network.ts";
import {
  loadBalancerClass,
  loadBalancerStatus,
  service as serviceRules,
  TOPOLOGY_HINTS,
  TOPOLOGY_MODE,
} from "./spec.ts";
import { isExternallyAccessible, needsClusterIp, needsHealthCheckPort, needsNodePort } from "./type.ts";

export const service: AnyKindRules = kindRules<Service>({
  kind: { group: "", kind: "Service" },
  resource: "services",
  namespaced: true,
  unconditionalUpdate: true,
  drops: [STATUS],
  keeps: [STATUS],
  begin: (object, old, request) => allocate(object, old, request.services ?? imaginaryNetwork(), request.by),
  prepareUpdate: (object, old) => withoutFieldsOfOtherType(object, old),
  validate(object, at) {
    metadata(object.metadata, { namespaced: true, name: serviceName(at.by) }, at.child("metadata"));
    serviceRules(object, undefined, at);
  },
  validateUpdate(object, old, at) {
    const [spec, before] = [object.spec ?? {}, old.spec ?? {}];
    const place = at.child("spec");
    metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
    clusterIpUpdate(spec, before, place);
    const areBalanced = spec.type === "LoadBalancer" && before.type === "LoadBalancer";
    if (areBalanced && spec.loadBalancerClass !== before.loadBalancerClass) {
      place.child("loadBalancerClass").invalid(shownPointer(spec.loadBalancerClass), "may not change once set");
    }
    loadBalancerClass(spec, place.child("loadBalancerClass"));
    const checked = needsHealthCheckPort(before) && needsHealthCheckPort(spec);
    if (checked && spec.healthCheckNodePort !== before.healthCheckNodePort) {
      place.child("healthCheckNodePort").forbidden("field is immutable");
    }
    serviceRules(object, old, at);
  },
  warnOnCreate: warnings,
  warnOnUpdate: (object, _old, by) => warnings(object, by),
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, old, at) {
        metadataUpdate(object.metadata, old.metadata, at.child("metadata"));
        const [status, before] = [object.status?.loadBalancer ?? {}, old.status?.loadBalancer];
        loadBalancerStatus(status, before, object.spec?.type, at.child("status", "loadBalancer"));
      },
      warnOnUpdate: (object, _old, by) =>
        (object.status?.loadBalancer?.ingress ?? []).flatMap((ingress, i) =>
          ingress.ip ? ipWarnings(ingress.ip, fieldPath("status", "loadBalancer", "ingress").index(i), by) : [],
        ),
    },
  },
});

/** Drops fields that the old type needed and the new one does not, unless they were changed at the same time. */
function withoutFieldsOfOtherType(object: Service, old: Service): Service {
  let spec: ServiceSpec = object.spec ?? {};
  const before = old.spec ?? {};
  const unchanged = (field: keyof ServiceSpec): boolean => semanticEqual(spec[field], before[field]);
  const drop = (...fields: readonly (keyof ServiceSpec)[]): void => {
    for (const field of fields) spec = withField(spec, [field], undefined);
  };
  if (needsClusterIp(before) && !needsClusterIp(spec)) {
    if (unchanged("clusterIP") && unchanged("clusterIPs")) drop("clusterIP", "clusterIPs");
    if (unchanged("ipFamilies")) drop("ipFamilies");
    if (unchanged("ipFamilyPolicy")) drop("ipFamilyPolicy");
  }
  if (needsNodePort(before) && !needsNodePort(spec)) {
    const held = new Set((before.ports ?? []).map((port) => port.nodePort));
    if ((spec.ports ?? []).every((port) => !port.nodePort || held.has(port.nodePort))) {
      spec = withField(
        spec,
        ["ports"],
        spec.ports?.map((port) => withField(port, ["nodePort"], undefined)),
      );
    }
  }
  const lostHealthCheck = needsHealthCheckPort(before) && !needsHealthCheckPort(spec);
  if (lostHealthCheck && unchanged("healthCheckNodePort")) drop("healthCheckNodePort");
  if (before.type === "LoadBalancer" && spec.type !== "LoadBalancer") {
    if (unchanged("allocateLoadBalancerNodePorts")) drop("allocateLoadBalancerNodePorts");
    if (unchanged("loadBalancerClass")) drop("loadBalancerClass");
  }
  const lostOutside = isExternallyAccessible(before) && !isExternallyAccessible(spec);
  if (lostOutside && unchanged("externalTrafficPolicy")) drop("externalTrafficPolicy");
  const kept = spec === object.spec ? object : { ...object, spec };
  return spec.type === "LoadBalancer" ? kept : withField(kept, ["status", "loadBalancer"], {});
}

function warnings(object: Service, by: Emulation): Warning[] {
  const spec = object.spec ?? {};
  const at = fieldPath("spec");
  const result: Warning[] = [];
  const warnAddress = (ip: string, place: FieldPath): Warning[] =>
    by.since(33) ? ipWarnings(ip, place, by) : addressWarnings(ip, place);
  const warnPrefix = (range: string, place: FieldPath): Warning[] =>
    by.since(33) ? cidrWarnings(range, place, by) : prefixWarnings(range, place);
  const warn = (field: keyof ServiceSpec, text: string): void => {
    result.push({ text, path: at.child(field) });
  };
  if (object.metadata?.annotations?.[TOPOLOGY_HINTS] !== undefined) {
    const text = `annotation ${TOPOLOGY_HINTS} is deprecated, please use ${TOPOLOGY_MODE} instead`;
    result.push({ text, path: fieldPath("metadata", "annotations").key(TOPOLOGY_HINTS) });
  }
  const isHeadless = spec.type === "ClusterIP" && spec.clusterIP === "None";
  if (spec.clusterIP && spec.clusterIP !== "None") {
    pushAll(
      result,
      (spec.clusterIPs ?? []).flatMap((ip, i) => warnAddress(ip, at.child("clusterIPs").index(i))),
    );
  }
  const hasExternalIps = (spec.externalIPs?.length ?? 0) > 0;
  if (isHeadless && by.since(34)) {
    if (spec.loadBalancerIP) warn("loadBalancerIP", "spec.loadBalancerIP is ignored for headless services");
    if (hasExternalIps) warn("externalIPs", "spec.externalIPs is ignored for headless services");
    if (spec.sessionAffinity !== "None")
      warn("sessionAffinity", "spec.SessionAffinity is ignored for headless services");
  }
  pushAll(
    result,
    (spec.externalIPs ?? []).flatMap((ip, i) => warnAddress(ip, at.child("externalIPs").index(i))),
  );
  if (by.since(36) && hasExternalIps && !isHeadless && spec.type !== "ExternalName") {
    warn("externalIPs", "spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (spec.loadBalancerIP) pushAll(result, warnAddress(spec.loadBalancerIP, at.child("loadBalancerIP")));
  (spec.loadBalancerSourceRanges ?? []).forEach((range, i) => {
    pushAll(result, warnPrefix(range, at.child("loadBalancerSourceRanges").index(i)));
  });
  if (spec.type === "ExternalName" && hasExternalIps) {
    warn("externalIPs", 'spec.externalIPs is ignored when spec.type is "ExternalName"');
  }
  if (spec.type !== "ExternalName" && spec.externalName) {
    warn("externalName", 'spec.externalName is ignored when spec.type is not "ExternalName"');
  }
  if (by.since(35) && spec.trafficDistribution === "PreferClose") {
    warn("trafficDistribution", 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"');
  }
  return result;
}
