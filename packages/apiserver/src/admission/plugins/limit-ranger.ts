// LimitRanges: containers get the default requests and limits of their namespace, and must stay within its bounds.
// Upstream: plugin/pkg/admission/limitranger.

import type { AdmissionRequest } from "@celadon/admission";
import { pushAll } from "@celadon/base";
import type { KubeObject, Quantity } from "@celadon/kube";
import type { Container, LimitRange, LimitRangeItem, PersistentVolumeClaim, Pod } from "@celadon/kube/api/core-v1";
import type { AdmissionPlugin } from "@celadon/write";
import { podResources, type Quantities, quantitiesOf, type ResourceList } from "../../quota/pod-resources.ts";
import { aggregate, type PluginHosts, refusal } from "../plugin-hosts.ts";

const ANNOTATION = "kubernetes.io/limit-ranger";
/** The greatest quantity that an int64 holds in thousandths. */
const MAX_IN_THOUSANDTHS = 9_223_372_036_854_775n;

export function limitRanger(hosts: PluginHosts): AdmissionPlugin {
  const ranges = (request: AdmissionRequest): readonly LimitRange[] => {
    if (!isLimited(request)) return [];
    return hosts.list("limitranges", request.namespace ?? "") as readonly LimitRange[];
  };
  return {
    name: "LimitRanger",
    mutate(request) {
      if (request.resource.resource !== "pods") return undefined;
      let pod = request.object as Pod;
      for (const range of ranges(request)) pod = withDefaults(pod, range);
      return pod === request.object ? undefined : (pod as KubeObject);
    },
    validate(request) {
      for (const { spec } of ranges(request)) {
        const problems = (spec?.limits ?? []).flatMap((limit) => problemsOf(request, limit));
        if (problems.length > 0) throw refusal(request, aggregate(problems));
      }
    },
  };
}

/** Containers of a pod do not change later, except by resizing. */
function isLimited({ resource, subresource = "", operation, oldObject }: AdmissionRequest): boolean {
  if (resource.group !== "" || oldObject?.metadata?.deletionTimestamp) return false;
  if (resource.resource === "pods") {
    return subresource === "resize" ? operation === "UPDATE" : subresource === "" && operation === "CREATE";
  }
  if (resource.resource !== "persistentvolumeclaims" || subresource !== "") return false;
  return operation === "CREATE" || operation === "UPDATE";
}

function withDefaults(pod: Pod, { spec }: LimitRange): Pod {
  const defaults = { requests: {} as Record<string, string>, limits: {} as Record<string, string> };
  for (const limit of spec?.limits ?? []) {
    if (limit.type !== "Container") continue;
    Object.assign(defaults.requests, limit.defaultRequest);
    Object.assign(defaults.limits, limit.default);
  }
  const notes: string[] = [];
  const complete = (word: string) => (container: Container) => completed(container, defaults, word, notes);
  const containers = (pod.spec?.containers ?? []).map(complete("container"));
  const initContainers = pod.spec?.initContainers?.map(complete("init container"));
  if (notes.length === 0) return pod;
  const annotations = { ...pod.metadata?.annotations, [ANNOTATION]: `LimitRanger plugin set: ${notes.join("; ")}` };
  return {
    ...pod,
    metadata: { ...pod.metadata, annotations },
    spec: { ...pod.spec, containers, ...(initContainers && { initContainers }) },
  };
}

function completed(
  container: Container,
  defaults: { readonly requests: ResourceList; readonly limits: ResourceList },
  word: string,
  notes: string[],
): Container {
  const resources = { ...container.resources } as Record<string, unknown>;
  const fill = (part: "requests" | "limits", noun: string): string | undefined => {
    const own = (resources[part] ?? {}) as ResourceList;
    const missing = Object.keys(defaults[part]).filter((name) => !Object.hasOwn(own, name));
    if (missing.length === 0) return undefined;
    resources[part] = { ...own, ...Object.fromEntries(missing.map((name) => [name, defaults[part][name]])) };
    return `${missing.sort().join(", ")} ${noun} for ${word} ${container.name}`;
  };
  const limits = fill("limits", "limit");
  const requests = fill("requests", "request");
  const own = [requests, limits].filter((note) => note !== undefined);
  if (own.length === 0) return container;
  pushAll(notes, own);
  return { ...container, resources: resources as NonNullable<Container["resources"]> };
}

function problemsOf(request: AdmissionRequest, limit: LimitRangeItem): readonly string[] {
  const { type = "" } = limit;
  const isPod = request.resource.resource === "pods";
  if (!isPod) {
    if (type !== "PersistentVolumeClaim") return [];
    const { spec } = request.object as PersistentVolumeClaim;
    const requests = quantitiesOf(spec?.resources?.requests as ResourceList | undefined);
    return [
      ...each(limit.min, (name, bound) => tooLittle(type, name, bound, requests, new Map())),
      ...each(limit.max, (name, bound) => tooMuchRequested(type, name, bound, requests)),
    ];
  }
  const { spec = {} } = request.object as Pod;
  const bounded = (requests: Quantities, limits: Quantities): readonly string[] => [
    ...each(limit.min, (name, bound) => tooLittle(type, name, bound, requests, limits)),
    ...each(limit.max, (name, bound) => tooMuch(type, name, bound, requests, limits)),
    ...each(limit.maxLimitRequestRatio, (name, bound) => tooFarApart(type, name, bound, requests, limits)),
  ];
  if (type === "Pod") return bounded(podResources(spec, "requests"), podResources(spec, "limits"));
  if (type !== "Container") return [];
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return containers.flatMap(({ resources }) =>
    bounded(
      quantitiesOf(resources?.requests as ResourceList | undefined),
      quantitiesOf(resources?.limits as ResourceList | undefined),
    ),
  );
}

function each(
  bounds: ResourceList | undefined,
  check: (name: string, bound: Quantity) => string | undefined,
): readonly string[] {
  return [...quantitiesOf(bounds)].flatMap(([name, bound]) => check(name, bound) ?? []);
}

/** Thousandths where all of them fit, else whole units. An absent quantity is zero. */
function inUnits(...quantities: readonly (Quantity | undefined)[]): readonly bigint[] {
  const of = (exponent: number): bigint[] => quantities.map((quantity) => quantity?.unitsOf(exponent) ?? 0n);
  const whole = of(0);
  return whole.every((value) => value <= MAX_IN_THOUSANDTHS) ? of(-3) : whole;
}

function tooLittle(type: string, name: string, bound: Quantity, requests: Quantities, limits: Quantities) {
  const request = requests.get(name);
  const limit = limits.get(name);
  const [requested, limited, least] = inUnits(request, limit, bound) as [bigint, bigint, bigint];
  const text = `minimum ${name} usage per ${type} is ${bound}`;
  if (request === undefined) return `${text}.  No request is specified`;
  if (requested < least) return `${text}, but request is ${request}`;
  return limit !== undefined && limited < least ? `${text}, but limit is ${limit}` : undefined;
}

function tooMuchRequested(type: string, name: string, bound: Quantity, requests: Quantities): string | undefined {
  const request = requests.get(name);
  const [requested, most] = inUnits(request, bound) as [bigint, bigint];
  const text = `maximum ${name} usage per ${type} is ${bound}`;
  if (request === undefined) return `${text}.  No request is specified`;
  return requested > most ? `${text}, but request is ${request}` : undefined;
}

function tooMuch(type: string, name: string, bound: Quantity, requests: Quantities, limits: Quantities) {
  const request = requests.get(name);
  const limit = limits.get(name);
  const [requested, limited, most] = inUnits(request, limit, bound) as [bigint, bigint, bigint];
  const text = `maximum ${name} usage per ${type} is ${bound}`;
  if (limit === undefined) return `${text}.  No limit is specified`;
  if (limited > most) return `${text}, but limit is ${limit}`;
  return request !== undefined && requested > most ? `${text}, but request is ${request}` : undefined;
}

function tooFarApart(type: string, name: string, bound: Quantity, requests: Quantities, limits: Quantities) {
  const request = requests.get(name);
  const limit = limits.get(name);
  const [requested, limited] = inUnits(request, limit, bound) as [bigint, bigint, bigint];
  const text = `${name} max limit to request ratio per ${type} is ${bound}`;
  if (requested === 0n) return `${text}, but no request is specified or request is 0`;
  if (limited === 0n) return `${text}, but no limit is specified or limit is 0`;
  const ratio = Number(limited) / Number(requested);
  const isFine = bound.unitsOf(0) <= MAX_IN_THOUSANDTHS;
  const isTooFar = isFine ? ratio * 1000 > Number(bound.unitsOf(-3)) : ratio > Number(bound.unitsOf(0));
  return isTooFar ? `${text}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}
