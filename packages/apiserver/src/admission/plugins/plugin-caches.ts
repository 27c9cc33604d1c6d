// The plugins' view of the store: the caches of the resources they read.

import type { Authorizer } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import { keyOf } from "../../kinds/resource.ts";
import type { ResourceCache } from "../../store/cache.ts";
import type { PluginHosts } from "../plugin-hosts.ts";

export function cachedHosts(cacheOf: (resource: string) => ResourceCache, authorizer: Authorizer): PluginHosts {
  const get = (resource: string, namespace: string, name: string): KubeObject | undefined => {
    const cache = cacheOf(resource);
    return cache.get(keyOf(cache.storage, namespace, name))?.object;
  };
  return {
    get,
    list(resource, namespace) {
      const cache = cacheOf(resource);
      if (cache.size === 0) return [];
      const { prefix, namespaced } = cache.storage;
      const [from, to] = cache.range(namespaced ? `${prefix}${namespace}/` : prefix);
      return from === to
        ? []
        : cache
            .all()
            .slice(from, to)
            .map(({ object }) => object);
    },
    loaded: (resource) => cacheOf(resource).ready(),
    appears(resource, namespace, name, milliseconds) {
      const cache = cacheOf(resource);
      const key = keyOf(cache.storage, namespace, name);
      return new Promise((resolve) => {
        const done = (object: KubeObject | undefined): void => {
          clearTimeout(timer);
          unsubscribe();
          resolve(object);
        };
        const timer = setTimeout(() => done(undefined), milliseconds);
        const unsubscribe = cache.subscribe(({ object, type }) => {
          if (type !== "DELETED" && object.key === key) done(object.object);
        });
      });
    },
    authorizer,
  };
}
