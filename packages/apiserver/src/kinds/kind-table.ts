// The resources that the server serves now: the built-in resources, and those that definitions add and remove. Lookups are by the parts of
// a path or of an object; a change gives a new number, which tells derived data (discovery, OpenAPI) that it is old.

import type { GroupResource, GroupVersionKind } from "@celadon/kube";
import { builtinResources } from "./builtin.ts";
import type { ServedResource } from "./resource.ts";

/** Every resource that is served, built-in and custom; it changes with definitions. */
export class KindTable {
  /** By `group/version`, then by plural. */
  readonly #byVersion = new Map<string, Map<string, ServedResource>>();
  readonly #byKind = new Map<string, ServedResource>();
  readonly #builtinGroups = new Set<string>();
  #generation = 0;
  /** By the prefix in the store; emptied by every change. */
  readonly #sharing = new Map<string, readonly ServedResource[]>();

  constructor(resources: Iterable<ServedResource> = builtinResources()) {
    for (const resource of resources) this.add(resource);
  }

  /** Grows with every change. */
  get generation(): number {
    return this.#generation;
  }

  /** Adds a resource, or replaces one of its kind: a custom resource never takes the place of a built-in one, nor joins its group. */
  add(resource: ServedResource): void {
    if (resource.storage.custom && this.hasBuiltin(resource.group)) {
      throw new Error(`${resource.resource}.${resource.group} is a custom resource in a built-in group`);
    }
    const version = `${resource.group}/${resource.version}`;
    let resources = this.#byVersion.get(version);
    if (resources === undefined) this.#byVersion.set(version, (resources = new Map()));
    resources.set(resource.resource, resource);
    this.#byKind.set(`${version}/${resource.kind}`, resource);
    if (!resource.storage.custom) this.#builtinGroups.add(resource.group);
    this.#changed();
  }

  /** Removes exactly this resource, and not one that took its place. */
  remove(served: ServedResource): void {
    const { group, version, resource, kind } = served;
    const resources = this.#byVersion.get(`${group}/${version}`);
    if (resources?.get(resource) !== served) return;
    resources.delete(resource);
    if (resources.size === 0) this.#byVersion.delete(`${group}/${version}`);
    if (this.#byKind.get(`${group}/${version}/${kind}`) === served) this.#byKind.delete(`${group}/${version}/${kind}`);
    this.#changed();
  }

  #changed(): void {
    this.#generation++;
    this.#sharing.clear();
  }

  resource(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byVersion.get(`${group}/${version}`)?.get(plural);
  }

  kind({ group, version, kind }: GroupVersionKind): ServedResource | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
  }

  /** Whether a group has built-in kinds. Definitions in such a group are accepted, and their resources are not served. */
  hasBuiltin(group: string): boolean {
    return this.#builtinGroups.has(group);
  }

  hasVersion(group: string, version: string): boolean {
    return this.#byVersion.has(`${group}/${version}`);
  }

  /** In the order they were added. */
  *all(): IterableIterator<ServedResource> {
    for (const resources of this.#byVersion.values()) yield* resources.values();
  }

  /** Every served version of a resource. */
  versions({ group, resource }: GroupResource): readonly ServedResource[] {
    return [...this.all()].filter(
      (servedResource) => servedResource.group === group && servedResource.resource === resource,
    );
  }

  /** Resources that show the same objects, the given one among them. */
  equivalents(of: ServedResource): readonly ServedResource[] {
    const { prefix } = of.storage;
    let found = this.#sharing.get(prefix);
    if (found === undefined) {
      found = [...this.all()].filter((resource) => resource.storage.prefix === prefix);
      this.#sharing.set(prefix, found);
    }
    return found;
  }
}
