// Objects by resource, namespace and name, with resource versions.

import type { JsonObject } from "./json.ts";
import type { Kind } from "./kinds.ts";

export class Store {
  private readonly objects = new Map<string, { readonly kind: Kind; readonly object: JsonObject }>();
  private version = 1;

  nextVersion(): string {
    this.version++;
    return String(this.version);
  }

  get(kind: Kind, namespace: string, name: string): JsonObject | undefined {
    return this.objects.get(key(kind, namespace, name))?.object;
  }

  put(kind: Kind, namespace: string, name: string, object: JsonObject): void {
    this.objects.set(key(kind, namespace, name), { kind, object });
  }

  delete(kind: Kind, namespace: string, name: string): void {
    this.objects.delete(key(kind, namespace, name));
  }

  /** Objects of a resource, in one namespace or (undefined) everywhere. */
  list(kind: Pick<Kind, "group" | "resource">, namespace?: string): JsonObject[] {
    const prefix = `${storageGroup(kind)}/${kind.resource}/${namespace === undefined ? "" : `${namespace}/`}`;
    const found: JsonObject[] = [];
    for (const [at, { object }] of this.objects) if (at.startsWith(prefix)) found.push(object);
    return found;
  }
}

// Events of both groups are the same objects.
function storageGroup({ group, resource }: Pick<Kind, "group" | "resource">): string {
  return resource === "events" && group === "events.k8s.io" ? "" : group;
}

function key(kind: Kind, namespace: string, name: string): string {
  return `${storageGroup(kind)}/${kind.resource}/${namespace}/${name}`;
}
