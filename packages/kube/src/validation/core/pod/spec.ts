// The spec of a pod, alone or in a template, in the order in which the API server looks at it.

import { utf8Length } from "@celadon/base";
import type { PodSpec, Volume } from "../../../api/generated/core-v1.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkQualifiedName } from "../../../names.ts";
import { labels } from "../../checks/metadata.ts";
import type { ValidatedField } from "../../field.ts";
import { type PodOrTemplate, volumes as validVolumes } from "../volume/volumes.ts";
import { affinity } from "./affinity.ts";
import { containers, ephemeralContainers, initContainers } from "./container/containers.ts";
import { eachContainer } from "./container/each-container.ts";
import { overhead, podResources } from "./container/resources.ts";
import { dnsConfig, hostAliases } from "./dns.ts";
import { resourceClaims } from "./resource-claims.ts";
import { schedulingGates, tolerations, topologySpread } from "./scheduling.ts";
import { podSecurity } from "./security.ts";
import { hostProcesses, operatingSystem } from "./windows.ts";

const RESTART_POLICIES: readonly string[] = ["Always", "OnFailure", "Never"];
const DNS_POLICIES: readonly string[] = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_INT32 = 2 ** 31 - 1;
const MAX_HOST_NAME = 64;

/** `old` is the spec that it replaces. */
export function podSpec(
  spec: PodSpec,
  meta: ObjectMeta | undefined,
  what: PodOrTemplate,
  at: ValidatedField,
  old?: PodSpec,
): void {
  if (spec.terminationGracePeriodSeconds === undefined) at.child("terminationGracePeriodSeconds").required();
  const volumes = validVolumes(spec.volumes, meta, what, at.child("volumes"));
  if (spec.resourceClaims) resourceClaims(spec.resourceClaims, meta, at.child("resourceClaims"));
  const claims = new Set((spec.resourceClaims ?? []).map((claim) => claim.name ?? "").filter((name) => name !== ""));
  const pod = { spec, volumes, claims };
  containers(pod, at.child("containers"));
  if (spec.initContainers) initContainers(pod, at.child("initContainers"));
  if (spec.ephemeralContainers) ephemeralContainers(pod, at.child("ephemeralContainers"));
  podResources(spec, claims, at);
  hostPorts(spec, what, at);
  at.child("restartPolicy").mustBeOneOf(spec.restartPolicy, RESTART_POLICIES);
  at.child("dnsPolicy").mustBeOneOf(spec.dnsPolicy, DNS_POLICIES);
  if (spec.nodeSelector) labels(spec.nodeSelector, at.child("nodeSelector"));
  podSecurity(spec, old, at);
  if (spec.affinity) affinity(spec.affinity, at.child("affinity"));
  dnsConfig(spec, at.child("dnsConfig"));
  at.child("readinessGates").each(spec.readinessGates, (gate, each) =>
    each.child("conditionType").check(gate.conditionType, checkQualifiedName),
  );
  if (spec.schedulingGates) schedulingGates(spec.schedulingGates, at.child("schedulingGates"));
  const spread = spec.topologySpreadConstraints;
  if (spread) topologySpread(spread, at.child("topologySpreadConstraints"));
  hostProcesses(spec, at);
  userNamespace(spec, at);
  hostName(spec, at.child("hostnameOverride"));
  at.child("serviceAccountName").mayBe(spec.serviceAccountName, checkDns1123Subdomain);
  at.child("nodeName").mayBe(spec.nodeName, checkDns1123Subdomain);
  if (spec.activeDeadlineSeconds !== undefined) {
    at.child("activeDeadlineSeconds").within(spec.activeDeadlineSeconds, 1, MAX_INT32);
  }
  at.child("hostname").mayBe(spec.hostname, checkDns1123Label);
  at.child("subdomain").mayBe(spec.subdomain, checkDns1123Label);
  if (spec.tolerations) tolerations(spec.tolerations, at.child("tolerations"));
  if (spec.hostAliases) hostAliases(spec.hostAliases, at.child("hostAliases"));
  at.child("priorityClassName").mayBe(spec.priorityClassName, checkDns1123Subdomain);
  if (spec.runtimeClassName !== undefined) {
    at.child("runtimeClassName").check(spec.runtimeClassName, checkDns1123Subdomain);
  }
  preemptionPolicy(spec.preemptionPolicy, at.child("preemptionPolicy"));
  if (spec.overhead !== undefined) overhead(spec.overhead, at.child("overhead"));
  operatingSystem(spec, at);
  fileKeys(spec, at);
}

export function preemptionPolicy(policy: string | undefined, at: ValidatedField): void {
  if (policy !== undefined) at.mustBeOneOf(policy, ["PreemptLowerPriority", "Never"]);
}

/** On the host's network a container's port is the host's. */
function hostPorts(spec: PodSpec, what: PodOrTemplate, at: ValidatedField): void {
  if (spec.hostNetwork !== true) return;
  at.child("containers").each(spec.containers, (container, each) => {
    each.child("ports").each(container.ports, (port, place) => {
      const hostPort = port.hostPort ?? 0;
      if (hostPort === (port.containerPort ?? 0) || (what === "template" && hostPort === 0)) return;
      place.child("hostPort").invalid(hostPort, "must match `containerPort` when `hostNetwork` is true");
    });
  });
}

// The paths are the server's own way to write them.
function userNamespace(spec: PodSpec, at: ValidatedField): void {
  if (spec.hostUsers !== false) return;
  const detail = at.by.since(34) ? "when `hostUsers` is false" : "when `pod.Spec.HostUsers` is false";
  if (spec.hostNetwork === true) at.child("hostNetwork").forbidden(detail);
  if (spec.hostPID === true) at.child("HostPID").forbidden(detail);
  if (spec.hostIPC === true) at.child("HostIPC").forbidden(detail);
  if (at.by.before(34)) return;
  eachContainer(spec, at, (container, each) => {
    if (container.volumeDevices?.length) each.child("volumeDevices").forbidden(detail);
  });
}

function hostName(spec: PodSpec, at: ValidatedField): void {
  const name = spec.hostnameOverride;
  if (name === undefined) return;
  if (spec.setHostnameAsFQDN === true) at.forbidden("may not be specified when setHostnameAsFQDN is true");
  if (spec.hostNetwork === true) at.forbidden("may not be specified when hostNetwork is true");
  if (utf8Length(name) > MAX_HOST_NAME) at.tooLong(MAX_HOST_NAME);
  at.check(name, checkDns1123Subdomain);
}

/** Variables from files need a volume to read them from. */
function fileKeys(spec: PodSpec, at: ValidatedField): void {
  let volumes: ReadonlyMap<string, Volume> | undefined;
  eachContainer(spec, at, (container, each) => {
    each.child("env").each(container.env, (env, place) => {
      const ref = env.valueFrom?.fileKeyRef;
      if (ref === undefined) return;
      const name = ref.volumeName ?? "";
      const spot = place.child("valueFrom", "fileKeyRef", "volumeName");
      volumes ??= new Map((spec.volumes ?? []).map((volume) => [volume.name ?? "", volume]));
      const volume = volumes.get(name);
      if (volume === undefined) spot.notFound(name);
      else if (volume.emptyDir === undefined) spot.invalid(name, "referenced volume must be of type emptyDir");
    });
  });
}
