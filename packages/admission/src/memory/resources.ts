// The resources of a server, in memory: the built-in ones and those of definitions. Answers which resources are the same objects under
// other versions, which kinds they have, and where objects of a kind live.

import { type GroupVersionKind, type GroupVersionResource, type KubeObject, parseGroupVersion } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import { Invalid } from "@celadon/kube/errors";
import type { ResourceMapper } from "../hosts.ts";

/** A resource that is served: its kind, scope and subresources. */
export interface KnownResource extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  /** Subresources with the kind their requests carry. */
  readonly subresources: ReadonlyMap<string, GroupVersionKind>;
}

/** The served resources and their kinds. */
export interface Resources extends ResourceMapper {
  /** The scope of a kind; undefined when it is not served. */
  scope(kind: { readonly apiVersion?: string; readonly kind?: string }): "Namespaced" | "Cluster" | undefined;
  ofKind(kind: GroupVersionKind): KnownResource | undefined;
  served(): readonly KnownResource[];
}

/** Options for the served resources: built-in ones, those of definitions, and more. */
export interface ResourcesOptions {
  /** False to leave the built-in resources out. */
  readonly builtin?: boolean;
  /** CustomResourceDefinitions, v1. */
  readonly definitions?: Iterable<KubeObject>;
  readonly more?: Iterable<KnownResource>;
}

const SCALE: GroupVersionKind = { group: "autoscaling", version: "v1", kind: "Scale" };

/** Knows the resources of Kubernetes and of definitions. */
export function createResources({ builtin = true, definitions = [], more = [] }: ResourcesOptions = {}): Resources {
  const served = [...(builtin ? builtinServed() : []), ...[...definitions].flatMap(servedBy), ...more];
  const byResource = new Map(served.map((resource) => [resourceKey(resource), resource]));
  const byKind = new Map(served.map((resource) => [kindKey(resource), resource]));
  const equivalents = new Map<string, KnownResource[]>();
  for (const resource of served) {
    const key = storageKey(resource);
    const list = equivalents.get(key);
    if (list === undefined) equivalents.set(key, [resource]);
    else list.push(resource);
  }
  return {
    equivalents: (resource, subresource) => {
      const all = equivalents.get(storageKey(resource)) ?? [];
      return subresource === "" ? all : all.filter((servedResource) => servedResource.subresources.has(subresource));
    },
    kind: (resource, subresource) => {
      const servedResource = byResource.get(resourceKey(resource));
      return (
        servedResource && (subresource === "" ? gvkOf(servedResource) : servedResource.subresources.get(subresource))
      );
    },
    scope: ({ apiVersion = "", kind = "" }) => {
      const gv = parseGroupVersion(apiVersion);
      const resource = gv instanceof Invalid ? undefined : byKind.get(kindKey({ ...gv, kind }));
      return resource && (resource.namespaced ? "Namespaced" : "Cluster");
    },
    ofKind: (kind) => byKind.get(kindKey(kind)),
    served: () => served,
  };
}

let builtins: readonly KnownResource[] | undefined;

function builtinServed(): readonly KnownResource[] {
  builtins ??= builtinResources().map(({ group, version, resource, kind, namespaced, subresources }) => ({
    group,
    version,
    resource,
    kind,
    namespaced,
    subresources: new Map(
      subresources.map((sub) => [sub.name, sub.kind ?? CONNECT_KINDS[sub.name] ?? { group, version, kind }]),
    ),
  }));
  return builtins;
}

/** Streams carry their options. */
const CONNECT_KINDS: Readonly<Record<string, GroupVersionKind>> = {
  exec: { group: "", version: "v1", kind: "PodExecOptions" },
  attach: { group: "", version: "v1", kind: "PodAttachOptions" },
  portforward: { group: "", version: "v1", kind: "PodPortForwardOptions" },
};

interface DefinitionSpec {
  readonly group?: string;
  readonly scope?: string;
  readonly names?: { readonly plural?: string; readonly kind?: string };
  readonly versions?: readonly {
    readonly name?: string;
    readonly served?: boolean;
    readonly subresources?: { readonly status?: unknown; readonly scale?: unknown };
  }[];
}

function servedBy(definition: KubeObject): KnownResource[] {
  const spec = (definition.spec ?? {}) as DefinitionSpec;
  const { group = "", scope, names = {}, versions = [] } = spec;
  return versions.flatMap(({ name: version = "", served = true, subresources = {} }) => {
    if (!served) return [];
    const kind = { group, version, kind: names.kind ?? "" };
    const subs = new Map<string, GroupVersionKind>();
    if (subresources.status) subs.set("status", kind);
    if (subresources.scale) subs.set("scale", SCALE);
    return [{ ...kind, resource: names.plural ?? "", namespaced: scope === "Namespaced", subresources: subs }];
  });
}

// Events of both groups are the same objects; all other resources are the same in every version of their group.
function storageKey({ group, resource }: { group: string; resource: string }): string {
  return group === "events.k8s.io" && resource === "events" ? "/events" : `${group}/${resource}`;
}

function resourceKey({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function gvkOf({ group, version, kind }: KnownResource): GroupVersionKind {
  return { group, version, kind };
}
