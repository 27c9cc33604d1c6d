// Updates of a pod's status.

import { utf8Length } from "@celadon/base";
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from "../../../api/generated/core-v1.ts";
import type { Emulation } from "../../../emulation.ts";
import { JsonShown } from "../../../field-error.ts";
import { fieldPath } from "../../../field-path.ts";
import { RESOURCE_NAME } from "../../../go-syntax.ts";
import { checkDns1123Label, checkDns1123Subdomain, checkQualifiedName } from "../../../names.ts";
import type { Warning } from "../../../warning.ts";
import { ipWarnings, legacyIp, parseIp } from "../../checks/ip.ts";
import { metadataUpdate } from "../../checks/metadata.ts";
import { checkId } from "../../checks/texts.ts";
import type { ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import { shownAs } from "../../show/internal.ts";
import { annotationUpdate } from "./update.ts";

const SYSTEM_CONDITIONS: readonly string[] = ["PodScheduled", "Ready", "Initialized"];
const MAX_HEALTH_MESSAGE = 1024;
const NOT_NEGATIVE = "must be a non-negative integer";

/** Fields that a status leaves out are kept from the former one. */
export function prepareStatus(pod: Pod, old: Pod): Pod {
  let status: PodStatus = withField(pod.status ?? {}, ["nodeAllocatableResourceClaimStatuses"], undefined);
  if (!status.qosClass) status = withField(status, ["qosClass"], old.status?.qosClass);
  if (!status.observedGeneration) {
    status = withField(status, ["observedGeneration"], old.status?.observedGeneration);
  }
  return { ...withField(pod, ["metadata", "deletionTimestamp"], undefined), status };
}

export function statusUpdate(pod: Pod, old: Pod, at: ValidatedField): void {
  const [status, before] = [pod.status ?? {}, old.status ?? {}];
  const place = at.child("status");
  metadataUpdate(pod.metadata, old.metadata, at.child("metadata"));
  annotationUpdate(pod, old, at.child("metadata", "annotations"));
  conditions(status, place.child("conditions"));
  nominatedNode(status, before, old.spec?.nodeName, place.child("nominatedNodeName"));
  if ((status.observedGeneration ?? 0) < 0) {
    place.child("observedGeneration").invalid(status.observedGeneration, NOT_NEGATIVE);
  }
  place.child("qosClass").immutable(status.qosClass, before.qosClass, (value) => new JsonShown(value ?? ""));
  transitions(status, before, old.spec ?? {}, place);
  claimStatuses(status, pod.spec ?? {}, place);
  addresses(status.podIPs, before.podIPs, "core.PodIP", place.child("podIPs"));
  hostAddresses(status, before, place.child("hostIPs"));
  for (const list of ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const) {
    users(status[list], pod.spec?.os?.name ?? "linux", place.child(list));
  }
  health(status.containerStatuses, pod.spec?.containers, place.child("containerStatuses"));
  health(status.initContainerStatuses, pod.spec?.initContainers, place.child("initContainerStatuses"));
  place.child("ephemeralContainerStatuses").each(status.ephemeralContainerStatuses, (containerStatus, each) => {
    if (!containerStatus.allocatedResourcesStatus?.length) return;
    each.child("allocatedResourcesStatus").forbidden("must not be specified in container status");
  });
}

function conditions(status: PodStatus, at: ValidatedField): void {
  at.each(status.conditions, (condition, each) => {
    if ((condition.observedGeneration ?? 0) < 0) {
      each.child("observedGeneration").invalid(condition.observedGeneration, NOT_NEGATIVE);
    }
    if (!SYSTEM_CONDITIONS.includes(condition.type ?? "")) each.child("Type").check(condition.type, checkQualifiedName);
  });
}

function nominatedNode(status: PodStatus, before: PodStatus, boundTo: string | undefined, at: ValidatedField): void {
  const name = status.nominatedNodeName ?? "";
  if (name === "" || name === (before.nominatedNodeName ?? "")) return;
  at.check(name, checkDns1123Subdomain);
  if (boundTo) at.forbidden("may not be set on pods that are already bound to a node");
}

/** A container that has ended stays so, unless it is one that restarts. */
function transitions(status: PodStatus, before: PodStatus, spec: PodSpec, at: ValidatedField): void {
  const restarts = (containers: readonly Container[] | null | undefined) => (name: string, exitCode: number) => {
    const container = containers?.find((item) => item.name === name);
    return container !== undefined && shouldRestart(container, spec, exitCode);
  };
  if (!allMayRestart(spec)) {
    ended(status.containerStatuses, before.containerStatuses, restarts(spec.containers), at.child("containerStatuses"));
    const place = at.child("initContainerStatuses");
    ended(status.initContainerStatuses, before.initContainerStatuses, restarts(spec.initContainers), place);
  }
  const place = at.child("ephemeralContainerStatuses");
  ended(status.ephemeralContainerStatuses, before.ephemeralContainerStatuses, () => false, place);
}

type Statuses = readonly ContainerStatus[] | undefined;

function ended(
  now: Statuses,
  before: Statuses,
  restarts: (name: string, code: number) => boolean,
  at: ValidatedField,
): void {
  at.each(before, (old, each) => {
    const terminated = old.state?.terminated;
    const next = now?.find((status) => status.name === old.name);
    if (terminated === undefined || next === undefined || next.state?.terminated !== undefined) return;
    if (restarts(old.name ?? "", terminated.exitCode ?? 0)) return;
    each.child("state").forbidden("may not be transitioned to non-terminated state");
  });
}

function allMayRestart(spec: PodSpec): boolean {
  return [...(spec.initContainers ?? []), ...(spec.containers ?? [])].some((container) =>
    container.restartPolicyRules?.some((rule) => rule.action === "RestartAllContainers"),
  );
}

function shouldRestart(container: Container, spec: PodSpec, exitCode: number): boolean {
  if (container.restartPolicy !== undefined) {
    const rule = container.restartPolicyRules?.find(({ exitCodes }) => {
      const listed = exitCodes?.values?.includes(exitCode) ?? false;
      return exitCodes?.operator === "In" ? listed : exitCodes?.operator === "NotIn" ? !listed : false;
    });
    if (rule?.action === "Restart" || rule?.action === "RestartAllContainers") return true;
  }
  const policy = container.restartPolicy ?? spec.restartPolicy;
  return policy === "OnFailure" ? exitCode !== 0 : policy !== "Never";
}

function claimStatuses(status: PodStatus, spec: PodSpec, at: ValidatedField): void {
  const names = new Set<string>();
  at.child("resourceClaimStatuses").each(status.resourceClaimStatuses, (podResourceClaimStatus, each) => {
    const name = podResourceClaimStatus.name ?? "";
    if (!spec.resourceClaims?.some((claim) => (claim.name ?? "") === name)) {
      each.child("name").invalid(name, "must match the name of an entry in `spec.resourceClaims`");
    }
    if (names.has(name)) each.child("name").duplicate(name);
    names.add(name);
    if (podResourceClaimStatus.resourceClaimName !== undefined) {
      each.child("resourceClaimName").check(podResourceClaimStatus.resourceClaimName, checkDns1123Subdomain);
    }
  });
  extendedClaim(status, spec, at.child("extendedResourceClaimStatus"));
}

function extendedClaim(podStatus: PodStatus, spec: PodSpec, at: ValidatedField): void {
  const status = podStatus.extendedResourceClaimStatus;
  if (status === undefined) return;
  const containers = new Map(
    [...(spec.initContainers ?? []), ...(spec.containers ?? [])].map((container) => [container.name ?? "", container]),
  );
  const place = at.child("requestMappings");
  if (!status.requestMappings?.length) place.required("at least one request mapping is required");
  const seen = new Set<string>();
  place.each(status.requestMappings, ({ containerName = "", resourceName = "", requestName = "" }, each) => {
    const container = containers.get(containerName);
    if (container === undefined) {
      const detail = "must match the name of an entry in spec.initContainers.name or spec.containers.name";
      each.child("containerName").invalid(containerName, detail);
    } else if (container.resources?.requests?.[resourceName] === undefined) {
      const detail =
        "must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests";
      each.child("resourceName").invalid(resourceName, detail);
    }
    at.child("requestName").check(requestName, checkDns1123Label);
    const key = JSON.stringify([containerName, resourceName, requestName]);
    if (seen.has(key)) {
      each.child("containerName").duplicate(containerName);
      each.child("resourceName").duplicate(resourceName);
      each.child("requestName").duplicate(requestName);
    }
    seen.add(key);
  });
  at.child("resourceClaimName").mustBe(status.resourceClaimName, checkDns1123Subdomain);
}

type Addresses = readonly { readonly ip?: string | undefined }[] | undefined;

/** Addresses that can be read, at most one of each family. */
function addresses(now: Addresses, before: Addresses, type: string, at: ValidatedField): void {
  const old = (before ?? []).map((item) => item.ip ?? "");
  at.each(now, (item, each) => void legacyIp(item.ip, each, old));
  const list = now ?? [];
  if (list.length < 2) return;
  const ips = list.map((item) => parseIp(item.ip ?? ""));
  const bad = ips.indexOf(undefined);
  if (bad >= 0) at.internal(`failed to check for dual stack with error:invalid IP[${bad}]: ${list[bad]!.ip ?? ""}`);
  const families = new Set(ips.map((ip) => ip?.family));
  if (bad >= 0 || families.size < 2 || list.length > 2) {
    at.invalid(shownAs(`[]${type}`, list), "may specify no more than one IP for each IP family");
  }
}

function hostAddresses(status: PodStatus, before: PodStatus, at: ValidatedField): void {
  const first = status.hostIPs?.[0]?.ip ?? "";
  if (!status.hostIPs?.length) return;
  if ((status.hostIP ?? "") !== first) at.index(0).child("ip").invalid(first, "must be equal to `hostIP`");
  addresses(status.hostIPs, before.hostIPs, "core.HostIP", at);
}

function users(statuses: Statuses, os: string, at: ValidatedField): void {
  at.each(statuses, (status, each) => {
    const user = status.user?.linux;
    const place = each.child("user", "linux");
    if (user === undefined) return;
    if (os === "windows") return place.forbidden("cannot be set for a windows pod");
    if (os !== "linux") return;
    const id = (value: number | undefined, spot: ValidatedField): void => {
      for (const problem of checkId(value ?? 0)) spot.invalid(value ?? 0, problem);
    };
    id(user.uid, place.child("uid"));
    id(user.gid, place.child("gid"));
    place.child("supplementalGroups").each(user.supplementalGroups, id);
  });
}

function health(statuses: Statuses, containers: readonly Container[] | null | undefined, at: ValidatedField): void {
  at.each(statuses, (status, each) => {
    const container = containers?.find((item) => item.name === status.name);
    each.child("allocatedResourcesStatus").each(status.allocatedResourcesStatus, (resource, place) => {
      const name = resource.name ?? "";
      if (container !== undefined) knownResource(name, container, place.child("name"));
      const ids = new Set<string>();
      place.child("resources").each(resource.resources, (resourceHealth, spot) => {
        spot.child("health").oneOf(resourceHealth.health, ["Healthy", "Unhealthy", "Unknown"]);
        if (resourceHealth.message === "") spot.child("message").required("must be non-empty if specified");
        else if (utf8Length(resourceHealth.message ?? "") > MAX_HEALTH_MESSAGE)
          spot.child("message").tooLong(MAX_HEALTH_MESSAGE);
        const id = resourceHealth.resourceID ?? "";
        if (ids.has(id)) spot.child("resourceID").duplicate(new JsonShown(id));
        ids.add(id);
      });
    });
  });
}

function knownResource(name: string, container: Container, at: ValidatedField): void {
  if (!name.startsWith("claim:")) {
    if (container.resources?.requests?.[name] === undefined) {
      at.invalid(new JsonShown(name, RESOURCE_NAME), "must match one of the container's resource requests");
    }
    return;
  }
  const claims = (container.resources?.claims ?? []).map(({ name: claim = "", request }) =>
    request ? `claim:${claim}/${request}` : `claim:${claim}`,
  );
  if (claims.includes(name)) return;
  const detail =
    "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
  at.invalid(new JsonShown(name, RESOURCE_NAME), detail);
}

export function statusWarnings(pod: Pod, _old: Pod, by: Emulation): Warning[] {
  const at = fieldPath("status");
  return (["podIPs", "hostIPs"] as const).flatMap((list) =>
    (pod.status?.[list] ?? []).flatMap((ip, i) => ipWarnings(ip.ip, at.child(list).index(i).child("ip"), by)),
  );
}
