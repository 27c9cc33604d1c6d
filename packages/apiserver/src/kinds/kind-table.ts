// What the server serves now: the built-in resources, and those that definitions add and take away. Lookups are by the parts of a path
// or of an object; a change gives a new number, so that what is derived from the table (discovery, OpenAPI) knows when it is old.

import type { GroupResource, GroupVersionKind, GroupVersionResource } from "@celadon/kube";
import { builtinResources } from "./builtin.ts";
import type { ServedResource } from "./resource.ts";

export class KindTable {
  /** By `group/version`, then by plural. */
  readonly #byVersion = new Map<string, Map<string, ServedResource>>();
  readonly #byKind = new Map<string, ServedResource>();
  #generation = 0;

  constructor(resources: Iterable<ServedResource> = builtinResources()) {
    for (const resource of resources) this.add(resource);
  }

  /** Grows with every change. */
  get generation(): number {
    return this.#generation;
  }

  /** Adds a resource, or replaces it. */
  add(resource: ServedResource): void {
    const version = `${resource.group}/${resource.version}`;
    let resources = this.#byVersion.get(version);
    if (resources === undefined) this.#byVersion.set(version, (resources = new Map()));
    resources.set(resource.resource, resource);
    this.#byKind.set(`${version}/${resource.kind}`, resource);
    this.#generation++;
  }

  remove({ group, version, resource }: GroupVersionResource): void {
    const resources = this.#byVersion.get(`${group}/${version}`);
    const found = resources?.get(resource);
    if (resources === undefined || found === undefined) return;
    resources.delete(resource);
    if (resources.size === 0) this.#byVersion.delete(`${group}/${version}`);
    if (this.#byKind.get(`${group}/${version}/${found.kind}`) === found) {
      this.#byKind.delete(`${group}/${version}/${found.kind}`);
    }
    this.#generation++;
  }

  resource(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byVersion.get(`${group}/${version}`)?.get(plural);
  }

  kind({ group, version, kind }: GroupVersionKind): ServedResource | undefined {
    return this.#byKind.get(`${group}/${version}/${kind}`);
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
    return [...this.all()].filter((one) => one.group === group && one.resource === resource);
  }

  /** Resources that show the same objects, the given one among them. */
  equivalents(of: ServedResource): readonly ServedResource[] {
    return [...this.all()].filter((one) => one.storage.prefix === of.storage.prefix);
  }
}
