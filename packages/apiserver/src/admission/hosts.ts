// The server as the host of policies and webhooks: namespaces, params, authorization, kinds and versions, answered from the caches.

import type { Authorizer, Hosts, ParamSource, ResourceMapper } from "@celadon/admission";
import {
  type GroupVersionKind,
  type GroupVersionResource,
  gvkOf,
  type KubeObject,
  labelsOf,
  parseGroupVersion,
} from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { KindTable } from "../kinds/kind-table.ts";
import { gvkOfResource, keyOf, type ServedResource } from "../kinds/resource.ts";
import type { ObjectTable } from "../store/object-table.ts";

export interface HostParts {
  readonly kinds: KindTable;
  readonly authorizer: Authorizer;
  cacheOf(resource: ServedResource): ObjectTable;
  /** A stored object in a served version. */
  fromStorage(object: KubeObject, resource: ServedResource): KubeObject;
  /** An object of one version of a kind in another. */
  convert(object: KubeObject, from: ServedResource, to: ServedResource): Promise<KubeObject>;
}

export function storeHosts(parts: HostParts): Hosts & Required<Pick<Hosts, "namespaces" | "converter">> {
  const { kinds } = parts;
  const namespaces = parts.cacheOf(kinds.resource("", "v1", "namespaces")!);
  return {
    namespaces: { namespace: (name) => namespaces.get(keyOf(namespaces.storage, "", name))?.object },
    params: paramSource(parts),
    authorizer: parts.authorizer,
    resources: resourceMapper(kinds),
    converter: {
      async convert(object, to) {
        const from = kinds.kind(gvkOf(object));
        const target = kinds.kind(to);
        if (from === undefined || target === undefined) throw new Error(`no conversion to ${to.kind} is known`);
        return parts.convert(object, from, target);
      },
    },
  };
}

function paramSource(parts: HostParts): ParamSource {
  const resourceOf = ({ apiVersion = "", kind = "" }): ServedResource | undefined => {
    const gv = parseGroupVersion(apiVersion);
    return gv instanceof Invalid ? undefined : parts.kinds.kind({ ...gv, kind });
  };
  return {
    scope(kind) {
      const resource = resourceOf(kind);
      return resource && (resource.namespaced ? "Namespaced" : "Cluster");
    },
    async get(kind, namespace, name) {
      const resource = resourceOf(kind)!;
      const cache = parts.cacheOf(resource);
      await cache.ready();
      const found = cache.get(keyOf(resource.storage, namespace, name));
      return found && parts.fromStorage(found.object, resource);
    },
    async list(kind, namespace, selector) {
      const resource = resourceOf(kind)!;
      const cache = parts.cacheOf(resource);
      await cache.ready();
      const [from, to] = cache.range(
        resource.namespaced ? `${resource.storage.prefix}${namespace}/` : resource.storage.prefix,
      );
      const found = cache.all().slice(from, to);
      const objects = found.map(({ object }) => parts.fromStorage(object, resource));
      return objects.filter((object) => selector.matches(labelsOf(object)));
    },
  };
}

function resourceMapper(kinds: KindTable): ResourceMapper {
  const find = ({ group, version, resource }: { group: string; version: string; resource: string }) =>
    kinds.resource(group, version, resource);
  // Every request asks; the answer changes only with the served resources.
  let generation = kinds.generation;
  const known = new Map<ServedResource, Map<string, readonly GroupVersionResource[]>>();
  const equivalentsOf = (resource: ServedResource, subresource: string): readonly GroupVersionResource[] =>
    kinds
      .equivalents(resource)
      .filter(({ subresources }) => subresource === "" || subresources.has(subresource))
      .map(({ group, version, resource: plural }) => ({ group, version, resource: plural }));
  return {
    equivalents(gvr, subresource) {
      const resource = find(gvr);
      if (resource === undefined) return [];
      if (generation !== kinds.generation) {
        known.clear();
        generation = kinds.generation;
      }
      let bySubresource = known.get(resource);
      if (bySubresource === undefined) known.set(resource, (bySubresource = new Map()));
      let found = bySubresource.get(subresource);
      if (found === undefined) {
        found = equivalentsOf(resource, subresource);
        if (subresource === "" || resource.subresources.has(subresource)) bySubresource.set(subresource, found);
      }
      return found;
    },
    kind(gvr, subresource): GroupVersionKind | undefined {
      const resource = find(gvr);
      if (resource === undefined) return undefined;
      return subresource === "" ? gvkOfResource(resource) : resource.subresources.get(subresource)?.kind;
    },
  };
}
