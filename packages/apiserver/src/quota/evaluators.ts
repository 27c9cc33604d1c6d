// Counts objects for resource quotas: pods by their requests and limits, volume claims by their size, resource claims by their devices,
// services by their ports, everything by its number. Upstream: kubernetes pkg/quota/v1/evaluator/core, apiserver pkg/quota/v1/generic.

import type { AdmissionRequest } from "@celadon/admission";
import { groupResourceText, type KubeObject, type Quantity, quantityOf } from "@celadon/kube";
import type {
  PersistentVolumeClaim,
  Pod,
  PodAffinityTerm,
  ScopedResourceSelectorRequirement as Scope,
  Service,
} from "@celadon/kube/api/core-v1";
import { add, podResources, type Quantities, quantitiesOf, type ResourceList, readQuantity } from "./pod-resources.ts";

export interface Evaluator {
  /** Whether a request changes the usage. */
  handles(request: AdmissionRequest): boolean;
  /** The names among these that objects of this kind use. */
  matching(names: readonly string[]): readonly string[];
  matchesScope(scope: Scope, object: KubeObject): boolean;
  /** Why the object cannot be counted for these names; undefined when it can. */
  problem(names: readonly string[], object: KubeObject): string | undefined;
  usage(object: KubeObject, now: number): Quantities;
}

const ONE = quantityOf(1);
const NONE = quantityOf(0);

/** For a resource such as `pods` or `deployments.apps`. */
export function evaluatorOf(resource: { readonly group: string; readonly resource: string }): Evaluator {
  const name = groupResourceText(resource);
  return SPECIAL[name] ?? counting(name);
}

/** Resources with their own name beside `count/…`. */
const ALIASES: ReadonlySet<string> = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

function counting(name: string): Evaluator {
  const names = [`count/${name}`, ...(ALIASES.has(name) ? [name] : [])];
  return {
    handles: ({ operation, subresource = "" }) => operation === "CREATE" && subresource === "",
    matching: (all) => all.filter((text) => names.includes(text)),
    matchesScope: () => false,
    problem: () => undefined,
    usage: () => new Map(names.map((text) => [text, ONE])),
  };
}

const COMPUTE = ["cpu", "memory", "ephemeral-storage"];
// biome-ignore format: one table
const POD_NAMES: ReadonlySet<string> = new Set(["count/pods", "pods", ...COMPUTE, ...COMPUTE.map((name) => `requests.${name}`), ...COMPUTE.map((name) => `limits.${name}`)]);
/** Every container must ask for these where they are limited. */
// biome-ignore format: one table
const REQUIRED: ReadonlySet<string> = new Set(["cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"]);

/** `example.com/gpu`, which is counted as `requests.example.com/gpu`. */
const isExtended = (name: string): boolean =>
  name.includes("/") && !name.startsWith("requests.") && !/(^|\.)kubernetes\.io\//.test(name);

const pods: Evaluator = {
  handles({ operation, subresource = "", object, oldObject }) {
    if (subresource === "resize") return operation === "UPDATE";
    if (subresource !== "") return false;
    return (
      operation === "CREATE" || (operation === "UPDATE" && hasDeadline(object as Pod) !== hasDeadline(oldObject as Pod))
    );
  },
  matching: (names) =>
    names.filter(
      (name) =>
        POD_NAMES.has(name) ||
        /^(requests\.)?hugepages-/.test(name) ||
        (name.startsWith("requests.") && isExtended(name.slice("requests.".length))),
    ),
  matchesScope: (scope, object) => podInScope(scope, object as Pod),
  problem(names, object) {
    const { spec = {} } = object as Pod;
    if (
      Object.keys(spec.resources?.requests ?? {}).length > 0 ||
      Object.keys(spec.resources?.limits ?? {}).length > 0
    ) {
      return undefined;
    }
    const required = names.filter((name) => REQUIRED.has(name)).sort();
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    const missing = required.flatMap((name) => {
      const without = containers.filter(
        ({ resources }) => !computeUsage(listOf(resources?.requests), listOf(resources?.limits)).has(name),
      );
      return without.length === 0
        ? []
        : [`${name} for: ${[...new Set(without.map((container) => container.name))].sort().join(",")}`];
    });
    return missing.length === 0 ? undefined : `must specify ${missing.join("; ")}`;
  },
  usage(object, now) {
    const pod = object as Pod;
    const counted: Quantities = new Map([["count/pods", ONE]]);
    if (isOver(pod, now)) return counted;
    const { spec = {} } = pod;
    const compute = computeUsage(podResources(spec, "requests", true), podResources(spec, "limits", true));
    return new Map([...counted, ...compute]);
  },
};

const listOf = (list: unknown): Quantities => quantitiesOf(list as ResourceList | undefined);

function computeUsage(requests: Quantities, limits: Quantities): Quantities {
  const usage: Quantities = new Map([["pods", ONE]]);
  for (const [name, quantity] of requests) {
    if (isExtended(name)) usage.set(`requests.${name}`, quantity);
    else if (COMPUTE.includes(name) || name.startsWith("hugepages-")) {
      usage.set(name, quantity);
      usage.set(`requests.${name}`, quantity);
    }
  }
  for (const [name, quantity] of limits) if (COMPUTE.includes(name)) usage.set(`limits.${name}`, quantity);
  return usage;
}

/** Ended, or to be ended by now: it uses nothing any more. */
function isOver({ status, metadata }: Pod, now: number): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (!deletionTimestamp || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

const hasDeadline = ({ spec }: Pod): boolean => (spec?.activeDeadlineSeconds ?? -1) >= 0;

function podInScope(scope: Scope, pod: Pod): boolean {
  const isBestEffort = pod.status?.qosClass === "BestEffort";
  switch (scope.scopeName) {
    case "Terminating":
      return hasDeadline(pod);
    case "NotTerminating":
      return !hasDeadline(pod);
    case "BestEffort":
      return isBestEffort;
    case "NotBestEffort":
      return !isBestEffort;
    case "PriorityClass":
      return selects(scope, pod.spec?.priorityClassName || undefined);
    case "CrossNamespacePodAffinity":
      return isCrossNamespace(pod);
    default:
      return false;
  }
}

function selects({ operator, values = [] }: Scope, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && (values ?? []).includes(value);
    case "NotIn":
      return value === undefined || !(values ?? []).includes(value);
    case "DoesNotExist":
      return value === undefined;
    default:
      return value !== undefined;
  }
}

function isCrossNamespace({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  const terms: readonly (PodAffinityTerm | undefined)[] = [podAffinity, podAntiAffinity].flatMap((affinity) => [
    ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
  ]);
  return terms.some((term) => (term?.namespaces ?? []).length > 0 || term?.namespaceSelector !== undefined);
}

const CLAIM_NAMES = ["persistentvolumeclaims", "requests.storage"];
const CLASS_SUFFIX = ".storageclass.storage.k8s.io/";

const claims: Evaluator = {
  handles({ operation, subresource = "", object, oldObject }) {
    if (subresource === "") return operation === "CREATE" || operation === "UPDATE";
    if (subresource !== "status") return false;
    const [now, before] = [object as PersistentVolumeClaim, oldObject as PersistentVolumeClaim];
    const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join() === b.join();
    const storage = ({ status }: PersistentVolumeClaim) => status?.allocatedResources?.storage;
    return storage(now) !== storage(before) || !isSame(attributeClasses(now), attributeClasses(before));
  },
  matching: (names) =>
    names.filter(
      (name) =>
        name === "count/persistentvolumeclaims" ||
        CLAIM_NAMES.some((own) => name === own || name.endsWith(`${CLASS_SUFFIX}${own}`)),
    ),
  matchesScope(scope, object) {
    if (scope.scopeName !== "VolumeAttributesClass") return false;
    const classes = attributeClasses(object as PersistentVolumeClaim);
    return classes.length === 0 ? selects(scope, undefined) : classes.some((name) => selects(scope, name));
  },
  problem: () => undefined,
  usage(object) {
    const claim = object as PersistentVolumeClaim;
    const usage: Quantities = new Map([
      ["persistentvolumeclaims", ONE],
      ["count/persistentvolumeclaims", ONE],
    ]);
    const name =
      claim.metadata?.annotations?.["volume.beta.kubernetes.io/storage-class"] ?? claim.spec?.storageClassName;
    const size = sizeOf(claim);
    if (size !== undefined) usage.set("requests.storage", size);
    if (!name) return usage;
    usage.set(`${name}${CLASS_SUFFIX}persistentvolumeclaims`, ONE);
    if (size !== undefined) usage.set(`${name}${CLASS_SUFFIX}requests.storage`, size);
    return usage;
  },
};

function sizeOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const requested = spec?.resources?.requests?.storage;
  if (requested === undefined) return undefined;
  const asked = readQuantity(requested).roundUp(0);
  const allocated = readQuantity(status?.allocatedResources?.storage).roundUp(0);
  return allocated.compare(asked) > 0 ? allocated : asked;
}

function attributeClasses({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== ""))].sort() as string[];
}

const SERVICE_NAMES: readonly string[] = ["services", "count/services", "services.loadbalancers", "services.nodeports"];

const services: Evaluator = {
  handles: ({ operation, subresource = "" }) =>
    subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  matching: (names) => names.filter((name) => SERVICE_NAMES.includes(name)),
  matchesScope: () => false,
  problem: () => undefined,
  usage(object) {
    const { type, ports = [], allocateLoadBalancerNodePorts } = (object as Service).spec ?? {};
    const isBalanced = type === "LoadBalancer";
    const given = (ports ?? []).filter(({ nodePort }) => nodePort).length;
    const all = type === "NodePort" || (isBalanced && allocateLoadBalancerNodePorts !== false);
    const nodePorts = all ? (ports ?? []).length : isBalanced ? given : 0;
    return new Map([
      ["services", ONE],
      ["count/services", ONE],
      ["services.loadbalancers", isBalanced ? ONE : NONE],
      ["services.nodeports", quantityOf(nodePorts)],
    ]);
  },
};

const DEVICES_SUFFIX = ".deviceclass.resource.k8s.io/devices";
/** No claim gets more devices; a request for all of a class counts as that many. */
const MOST_DEVICES = 32;

const resourceClaims: Evaluator = {
  handles: ({ operation, subresource = "" }) =>
    subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  matching: (names) =>
    names.filter((name) => name === "count/resourceclaims.resource.k8s.io" || name.endsWith(DEVICES_SUFFIX)),
  matchesScope: () => false,
  problem: () => undefined,
  usage(object) {
    const usage: Quantities = new Map([["count/resourceclaims.resource.k8s.io", ONE]]);
    for (const { exactly, firstAvailable } of (object as ResourceClaim).spec?.devices?.requests ?? []) {
      const choices = firstAvailable?.length ? firstAvailable : exactly ? [exactly] : [];
      add(usage, mostDevices(choices));
    }
    return usage;
  },
};

/** The greatest number of devices of each class among the choices. */
function mostDevices(choices: readonly DeviceRequest[]): Quantities {
  const most = new Map<string, number>();
  for (const { deviceClassName = "", allocationMode, count = 0 } of choices) {
    const name = `${deviceClassName}${DEVICES_SUFFIX}`;
    const devices = allocationMode === "ExactCount" ? count : allocationMode === "All" ? MOST_DEVICES : 0;
    most.set(name, Math.max(devices, most.get(name) ?? 0));
  }
  return new Map([...most].map(([name, devices]) => [name, quantityOf(devices)]));
}

interface DeviceRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number;
}

/** The part of a ResourceClaim that quotas look at. */
interface ResourceClaim {
  readonly spec?: {
    readonly devices?: {
      readonly requests?: readonly { readonly exactly?: DeviceRequest; readonly firstAvailable?: DeviceRequest[] }[];
    };
  };
}

const SPECIAL: Readonly<Record<string, Evaluator>> = {
  pods,
  services,
  persistentvolumeclaims: claims,
  "resourceclaims.resource.k8s.io": resourceClaims,
};

/** The resources whose objects a quota counts, by the names it limits. */
export function countedResources(names: readonly string[]): readonly string[] {
  const special = Object.keys(SPECIAL).filter((resource) => SPECIAL[resource]!.matching(names).length > 0);
  const counted = names.flatMap((name) => {
    const resource = name.startsWith("count/") ? name.slice("count/".length) : ALIASES.has(name) ? name : undefined;
    return resource === undefined || SPECIAL[resource] !== undefined ? [] : [resource];
  });
  return [...new Set([...special, ...counted])];
}
