// CustomResourceDefinitions in force: the served resources follow the store, from the next request on. A definition in a built-in group is
// accepted and serves nothing, as in kube-apiserver, where the built-in handlers answer for all paths of their group.

import { toJson } from "@celadon/base";
import {
  type CompileDefinitionOptions,
  type CustomResourceDefinition,
  CustomResourceType,
  type ResourceVersion,
} from "@celadon/crd";
import { CURRENT, type Minor } from "@celadon/kube/versions";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { ResourceCache } from "../store/cache.ts";
import type { StoredObject } from "../store/stored-object.ts";
import { acceptNames, hasCondition } from "./accepted-names.ts";
import { type ConversionHosts, ConversionWebhook } from "./conversion-webhook.ts";
import { Converter } from "./converted-cache.ts";
import { customResources } from "./served-resources.ts";

/** A version of a custom resource with the settings of its definition. */
export interface CustomVersion {
  readonly definition: CustomResourceDefinition;
  readonly version: ResourceVersion;
  /** The revision of the definition. */
  readonly definedAt: number;
  /** The conversion by a webhook. */
  readonly converter?: Converter;
}

export interface DefinitionHosts extends ConversionHosts {
  /** The emulated minor; the newest when absent. */
  readonly kubeVersion?: Minor | undefined;
  /** Called with the prefix of a resource that is gone. */
  dropped(prefix: string): void;
  /** Called with a resource that is no longer served, or served in another form. */
  retired(resource: ServedResource): void;
}

interface Served {
  readonly spec: string;
  readonly resources: readonly ServedResource[];
}

export class Definitions {
  readonly #kinds: KindTable;
  readonly #cache: ResourceCache;
  readonly #served = new Map<string, Served>();
  readonly #versions = new WeakMap<ServedResource, CustomVersion>();
  readonly #hosts: DefinitionHosts;
  readonly #options: CompileDefinitionOptions;

  constructor(kinds: KindTable, cache: ResourceCache, hosts: DefinitionHosts) {
    this.#kinds = kinds;
    this.#cache = cache;
    this.#hosts = hosts;
    const { kubeVersion = CURRENT } = hosts;
    this.#options = kubeVersion === CURRENT ? {} : { rules: { kubeVersion } };
  }

  follow(): void {
    for (const stored of this.#cache.all()) this.#serve(stored);
    this.#cache.subscribe(({ type, object }) => {
      if (type === "DELETED") this.#remove(object.name, true);
      else this.#serve(object);
    });
  }

  /** Undefined for built-in resources. */
  of(resource: ServedResource): CustomVersion | undefined {
    return this.#versions.get(resource);
  }

  #serve({ name, object, revision }: StoredObject): void {
    const definition = object as unknown as CustomResourceDefinition;
    const spec = toJson([definition.spec, hasCondition(definition, "Terminating")]);
    const before = this.#served.get(name);
    if (before?.spec === spec) return;
    const { names, conflict } = acceptNames(definition, this.#definitions());
    // A served name stays served: a later refusal of names does not take accepted ones away.
    if (conflict !== undefined && !hasCondition(definition, "Established")) {
      this.#remove(name, false);
      return;
    }
    this.#remove(name, false);
    if (this.#kinds.hasBuiltin(definition.spec.group ?? "")) return;
    const type = new CustomResourceType(definition, this.#options);
    const webhook = ConversionWebhook.of(definition, this.#hosts);
    const converter = webhook && new Converter(type, webhook);
    const resources: ServedResource[] = [];
    for (const { resource, version } of customResources(definition, names)) {
      const compiled = type.version(version.name ?? "");
      if (compiled === undefined) continue;
      this.#versions.set(resource, {
        definition,
        version: compiled,
        definedAt: revision,
        ...(converter !== undefined && { converter }),
      });
      this.#kinds.add(resource);
      resources.push(resource);
    }
    this.#served.set(name, { spec, resources });
  }

  #remove(name: string, forget: boolean): void {
    const served = this.#served.get(name);
    this.#served.delete(name);
    for (const resource of served?.resources ?? []) {
      this.#kinds.remove(resource);
      this.#hosts.retired(resource);
    }
    const prefix = served?.resources[0]?.storage.prefix;
    if (prefix !== undefined && forget) this.#hosts.dropped(prefix);
  }

  *#definitions(): IterableIterator<CustomResourceDefinition> {
    for (const { object } of this.#cache.all()) yield object as unknown as CustomResourceDefinition;
  }
}
