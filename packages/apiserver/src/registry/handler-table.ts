// The handlers of served resources, made on first use and again when their definition changes.

import type { Authorizer } from "@celadon/admission";
import { builtinMergeTypeOf, completeBuiltin, createSchemas } from "@celadon/admission/memory";
import type { MutatingHosts } from "@celadon/admission/mutating";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import type { Gates } from "@celadon/admission/proposals";
import { validateTypes } from "@celadon/admission/resources";
import type { KubeObject } from "@celadon/kube";
import type { Definitions } from "../custom/definitions.ts";
import type { KindTable } from "../kinds/kind-table.ts";
import type { ServedResource } from "../kinds/resource.ts";
import type { NamedCaches } from "../store/named-caches.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { builtinHandler, customHandler } from "./handlers.ts";
import { completeObject } from "./ownership.ts";
import type { ResourceHandler } from "./services.ts";

const ADMISSION = "admissionregistration.k8s.io";

export interface HandlerHosts {
  readonly kinds: KindTable;
  readonly objects: ObjectStore;
  readonly caches: NamedCaches;
  readonly gates: Gates;
  /** Whether policies come from files as well. */
  readonly manifestBasedConfig: boolean;
  readonly now: () => number;
  definitions(): Definitions;
  authorizer(): Authorizer;
}

export class HandlerTable {
  readonly #hosts: HandlerHosts;
  readonly #handlers = new WeakMap<ServedResource, ResourceHandler>();

  constructor(hosts: HandlerHosts) {
    this.#hosts = hosts;
  }

  of(resource: ServedResource): ResourceHandler {
    let handler = this.#handlers.get(resource);
    if (handler === undefined) this.#handlers.set(resource, (handler = this.#make(resource)));
    return handler;
  }

  /** The resource is served no longer. */
  retire(resource: ServedResource): void {
    this.#handlers.get(resource)?.retire?.();
  }

  async convert(object: KubeObject, from: ServedResource, to: ServedResource): Promise<KubeObject> {
    const target = this.of(to);
    if (target.convert !== undefined) return target.convert(object);
    return target.codec.fromStorage(await this.of(from).codec.toStorage(object));
  }

  /** The hosts of mutations: how to merge them, and how a patched object reads as one. */
  mutatingHosts(): Pick<MutatingHosts, "mergeType" | "complete"> {
    const { kinds } = this.#hosts;
    return {
      mergeType: (kind) => {
        const resource = kinds.kind(kind);
        if (resource === undefined) return builtinMergeTypeOf(kind);
        return this.of(resource).mergeType(resource.apiVersion) ?? "none";
      },
      complete: (object, kind, reading) => {
        const completed = completeBuiltin(object, kind, reading);
        if (completed !== undefined) return completed;
        const resource = kinds.kind(kind);
        return resource === undefined ? object : completeObject(object, this.of(resource).codec);
      },
    };
  }

  #make(resource: ServedResource): ResourceHandler {
    const { kinds, objects, caches, gates, manifestBasedConfig, now } = this.#hosts;
    const custom = this.#hosts.definitions().of(resource);
    if (custom !== undefined) return customHandler(resource, custom, objects, now);
    const hosts = {
      authorizer: this.#hosts.authorizer(),
      manifestBasedConfig,
      gates,
      typeErrors(policy: ValidatingAdmissionPolicy) {
        if (!gates.StrictTypeChecking) return Promise.resolve([]);
        const definitions = caches.objects("customresourcedefinitions.apiextensions.k8s.io");
        return validateTypes(policy, createSchemas({ definitions }), gates);
      },
      bindings: () => caches.objects(`validatingadmissionpolicybindings.${ADMISSION}`),
      resourceOf: (kind: { group: string; version: string; kind: string }) => kinds.kind(kind)?.resource,
      policy: (kind: string, name: string): KubeObject | undefined => {
        const { resource: plural } = kinds.kind({ group: ADMISSION, version: "v1", kind })!;
        return caches.object(`${plural}.${ADMISSION}`, "", name);
      },
    };
    return builtinHandler(resource, objects, hosts, now);
  }
}
