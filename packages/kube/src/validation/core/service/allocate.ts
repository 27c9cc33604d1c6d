// Allocates the addresses and ports of a service before validation: cluster IPs of each family, node ports, a health check port. Refusals
// here come alone, before those of validation.

import { semanticEqual } from "@celadon/base";
import type { Service, ServicePort, ServiceSpec } from "../../../api/generated/core-v1.ts";
import type { Emulation } from "../../../emulation.ts";
import { JsonShown } from "../../../field-error.ts";
import { isInvalid } from "../../../invalid.ts";
import { internalError, invalidObject, type Status } from "../../../status.ts";
import { ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import { clusterIps } from "./cluster-ips.ts";
import { familyOf, type IpFamily, type ServiceNetwork } from "./network.ts";
import { isStatus, needsClusterIp, needsHealthCheckPort, needsNodePort } from "./type.ts";

const OTHER: Readonly<Record<IpFamily, IpFamily>> = { IPv4: "IPv6", IPv6: "IPv4" };

export function allocate(
  given: Service,
  old: Service | undefined,
  network: ServiceNetwork,
  by: Emulation,
): Service | Status {
  const refuse = refusalOf(given.metadata?.name ?? "", by);
  let spec = given.spec ?? {};
  if (old !== undefined) spec = withAllocatedBefore(spec, old.spec ?? {});
  spec = normalized(spec, old?.spec);
  const steps = [
    withFamilies,
    withClusterIps,
    old === undefined ? withNodePorts : withUpdatedNodePorts,
    withHealthCheckPort,
  ];
  for (const step of steps) {
    const next = step(spec, old?.spec, network, refuse);
    if (isStatus(next)) return next;
    spec = next;
  }
  return { ...given, spec };
}

/** Makes the answer to a service whose fields have errors. */
type Refuse = (add: (at: ValidatedField) => void) => Status | undefined;

/** Undefined for a service without errors. */
function refusalOf(name: string, by: Emulation): Refuse {
  return (add) => {
    const at = ValidatedField.root(by);
    add(at);
    return at.errors.length === 0 ? undefined : invalidObject({ group: "", kind: "Service" }, name, at.found);
  };
}

/** Keeps the old service's allocations that the new one does not state. */
function withAllocatedBefore(given: ServiceSpec, old: ServiceSpec): ServiceSpec {
  let spec = given;
  if (needsClusterIp(old) && needsClusterIp(spec)) {
    if (!spec.clusterIP) spec = withField(spec, ["clusterIP"], old.clusterIP);
    if (!spec.clusterIPs?.length && old.clusterIPs?.length) spec = withField(spec, ["clusterIPs"], old.clusterIPs);
  }
  if (needsNodePort(old) && needsNodePort(spec)) {
    const used = new Set(nodePorts(spec));
    const byName = new Map((old.ports ?? []).map((port) => [port.name ?? "", port.nodePort]));
    const ports = spec.ports?.map((port) => {
      const before = byName.get(port.name ?? "");
      return port.nodePort || before === undefined || used.has(before) ? port : { ...port, nodePort: before };
    });
    spec = withField(spec, ["ports"], ports);
  }
  if (needsHealthCheckPort(old) && needsHealthCheckPort(spec) && !spec.healthCheckNodePort) {
    spec = withField(spec, ["healthCheckNodePort"], old.healthCheckNodePort);
  }
  return spec;
}

function nodePorts(spec: ServiceSpec): number[] {
  return (spec.ports ?? []).map((port) => port.nodePort ?? 0).filter((port) => port !== 0);
}

/** `clusterIP` is the first of `clusterIPs`; either may have been given alone. */
function normalized(spec: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  const { clusterIP = "", clusterIPs = [] } = spec;
  if (old === undefined) {
    return clusterIP !== "" && clusterIPs.length === 0 ? { ...spec, clusterIPs: [clusterIP] } : spec;
  }
  let next = spec;
  if (old.clusterIPs?.length && clusterIPs.length === 0 && (old.clusterIP ?? "") === clusterIP) {
    next = { ...spec, clusterIPs: old.clusterIPs };
  }
  if ((old.clusterIP ?? "") === clusterIP || !semanticEqual(old.clusterIPs, next.clusterIPs)) return next;
  return withField(next, ["clusterIPs"], clusterIP === "" ? undefined : [clusterIP]);
}

/** Both prefer two families and nothing else changed. */
function staysPreferred(spec: ServiceSpec, old: ServiceSpec | undefined): boolean {
  if (old === undefined || spec.ipFamilyPolicy === undefined || old.type !== spec.type) return false;
  if (!["ClusterIP", "NodePort", "LoadBalancer"].includes(spec.type ?? "")) return false;
  if (spec.ipFamilyPolicy !== "PreferDualStack" || (old.ipFamilyPolicy ?? "PreferDualStack") !== "PreferDualStack") {
    return false;
  }
  return semanticEqual(old.clusterIPs, spec.clusterIPs) && semanticEqual(old.ipFamilies, spec.ipFamilies);
}

function withFamilies(
  given: ServiceSpec,
  old: ServiceSpec | undefined,
  network: ServiceNetwork,
  refuse: Refuse,
): ServiceSpec | Status {
  if (given.type === "ExternalName" || staysPreferred(given, old)) return given;
  const isSelectorless = given.clusterIP === "None" && Object.keys(given.selector ?? {}).length === 0;
  let spec: ServiceSpec = {
    ...given,
    ipFamilyPolicy:
      given.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? (isSelectorless ? "RequireDualStack" : "SingleStack"),
  };
  const refusal =
    refuse((at) => clusterIps(spec, old, at.child("spec"))) ??
    refuse((at) => {
      spec = withoutReleased(spec, old, at.child("spec", "ipFamilyPolicy"));
      spec = withFamiliesOfIps(spec, network, at.child("spec"));
    });
  if (refusal !== undefined) return refusal;
  const families = (spec.ipFamilies ?? []) as readonly IpFamily[];
  const isSingle = spec.ipFamilyPolicy === "SingleStack";
  if (isSelectorless) {
    const [first = network.families[0]!] = families;
    const all = families.length < 2 && !isSingle ? [first, OTHER[first]] : families.length === 0 ? [first] : families;
    return { ...spec, ipFamilies: all };
  }
  const unconfigured = refuse((at) => configuredFamilies(spec, network, at.child("spec")));
  if (unconfigured !== undefined) return unconfigured;
  const [first = network.families[0]!] = families;
  const both = families.length < 2 && !isSingle && network.families.length === 2;
  return { ...spec, ipFamilies: both ? [first, OTHER[first]] : families.length === 0 ? [first] : families };
}

/** A service that goes back to one family gives the second up. */
function withoutReleased(given: ServiceSpec, old: ServiceSpec | undefined, at: ValidatedField): ServiceSpec {
  let spec = given;
  const shown = new JsonShown(spec.ipFamilyPolicy);
  const isSingle = spec.ipFamilyPolicy === "SingleStack";
  if (old !== undefined) {
    const lists = [
      ["clusterIPs", "cluster IP"],
      ["ipFamilies", "IP family"],
    ] as const;
    for (const [field, what] of lists) {
      const [now, before] = [spec[field] ?? [], old[field] ?? []];
      if (isSingle) {
        if (semanticEqual(now, before) && now.length > 1) spec = { ...spec, [field]: now.slice(0, 1) };
      } else if (now.length > 0 && now.length < before.length) {
        at.invalid(shown, `must be 'SingleStack' to release the secondary ${what}`);
      }
    }
  }
  if (!isSingle) return spec;
  const dual = "must be 'RequireDualStack' or 'PreferDualStack' when multiple";
  if (spec.clusterIPs?.length === 2) at.invalid(shown, `${dual} cluster IPs are specified`);
  if (spec.ipFamilies?.length === 2) at.invalid(shown, `${dual} IP families are specified`);
  return spec;
}

function withFamiliesOfIps(spec: ServiceSpec, network: ServiceNetwork, at: ValidatedField): ServiceSpec {
  const families = [...(spec.ipFamilies ?? [])];
  for (const [i, ip] of (spec.clusterIPs ?? []).entries()) {
    if (ip === "None") break;
    const family = familyOf(ip);
    if (i < families.length || family === undefined) continue;
    if (network.families.includes(family)) families.push(family);
    else at.child("clusterIPs").index(i).invalid(spec.clusterIPs, `${family} is not configured on this cluster`);
  }
  return { ...spec, ipFamilies: families };
}

function configuredFamilies(spec: ServiceSpec, network: ServiceNetwork, at: ValidatedField): void {
  if (spec.ipFamilyPolicy === "RequireDualStack" && network.families.length < 2) {
    const detail = "this cluster is not configured for dual-stack services";
    at.child("ipFamilyPolicy").invalid(new JsonShown(spec.ipFamilyPolicy), detail);
  }
  at.child("ipFamilies").each(spec.ipFamilies, (family, each) => {
    if (network.families.includes(family as IpFamily)) return;
    each.invalid(new JsonShown(family), "not configured on this cluster");
  });
}

function withClusterIps(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  network: ServiceNetwork,
  refuse: Refuse,
): ServiceSpec | Status {
  if (spec.type === "ExternalName" || staysPreferred(spec, old)) return spec;
  if (old === undefined || old.type === "ExternalName") {
    return spec.clusterIPs?.[0] === "None" ? spec : withAddresses(spec, 0, network, refuse);
  }
  const isUpgrade = old.ipFamilies?.length === 1 && spec.ipFamilies?.length === 2;
  return old.clusterIPs?.[0] === "None" || !isUpgrade ? spec : withAddresses(spec, 1, network, refuse);
}

function withAddresses(spec: ServiceSpec, from: number, network: ServiceNetwork, refuse: Refuse): ServiceSpec | Status {
  const ips = [...(spec.clusterIPs ?? [])];
  for (const [i, family] of (spec.ipFamilies ?? []).entries()) {
    if (i < from) continue;
    const wanted = ips[i] === "" ? undefined : ips[i];
    const taken = network.takeAddress(family as IpFamily, wanted);
    if (isInvalid(taken)) {
      if (wanted === undefined) return internalError(`failed to allocate a serviceIP: ${taken.message}`);
      const problem = `failed to allocate IP ${wanted}: ${taken.message}`;
      return refuse((at) => at.child("spec", "clusterIPs").invalid(spec.clusterIPs, problem))!;
    }
    ips[i] = taken;
  }
  return { ...withField(spec, ["clusterIP"], ips[0]), clusterIPs: ips };
}

function takesNodePorts(spec: ServiceSpec): boolean {
  return spec.type === "NodePort" || (spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false);
}

/** Ports with the same number but another protocol share a node port. */
function withNodePorts(
  spec: ServiceSpec,
  _old: ServiceSpec | undefined,
  network: ServiceNetwork,
  refuse: Refuse,
): ServiceSpec | Status {
  if (!needsNodePort(spec)) return spec;
  const taken = new Map<number, number>();
  const ports: ServicePort[] = [];
  for (const [i, port] of (spec.ports ?? []).entries()) {
    const number = port.port ?? 0;
    if (!port.nodePort && !takesNodePorts(spec)) {
      ports.push(port);
      continue;
    }
    const known = taken.get(number);
    const requested = spec.ports!.find((other) => other.port === port.port && other.nodePort)?.nodePort;
    const wanted = known === undefined ? requested : port.nodePort || known;
    const got = wanted === known && known !== undefined ? known : network.takePort(wanted);
    if (isInvalid(got)) return badNodePort(refuse, i, wanted, got.message);
    if (known === undefined) taken.set(number, got);
    ports.push({ ...port, nodePort: got });
  }
  return { ...spec, ports };
}

function badNodePort(refuse: Refuse, i: number, port: number | undefined, message: string): Status {
  if (port === undefined) return internalError(`failed to allocate a nodePort: ${message}`);
  return refuse((at) => at.child("spec", "ports").index(i).child("nodePort").invalid(port, message))!;
}

function withUpdatedNodePorts(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  network: ServiceNetwork,
  refuse: Refuse,
): ServiceSpec | Status {
  if (!needsNodePort(spec)) return spec;
  const held = new Set(nodePorts(old ?? {}));
  const ports: ServicePort[] = [];
  for (const [i, port] of (spec.ports ?? []).entries()) {
    if ((!port.nodePort && !takesNodePorts(spec)) || (port.nodePort && held.has(port.nodePort))) {
      ports.push(port);
      continue;
    }
    const got = network.takePort(port.nodePort || undefined);
    if (isInvalid(got)) return badNodePort(refuse, i, port.nodePort || undefined, got.message);
    held.add(got);
    ports.push({ ...port, nodePort: got });
  }
  return { ...spec, ports };
}

function withHealthCheckPort(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  network: ServiceNetwork,
): ServiceSpec | Status {
  if (!needsHealthCheckPort(spec) || (old !== undefined && needsHealthCheckPort(old))) return spec;
  const wanted = spec.healthCheckNodePort || undefined;
  const got = network.takePort(wanted);
  if (!isInvalid(got)) return { ...spec, healthCheckNodePort: got };
  const what = wanted === undefined ? "a HealthCheck NodePort 0" : `requested HealthCheck NodePort ${wanted}`;
  return internalError(`failed to allocate ${what}: ${got.message}`);
}
