// Field ownership of each kind and endpoint, over `@celadon/merge`.

import { Invalid, type KubeObject } from "@celadon/kube";
import { createFieldManager, type FieldManager, FieldSet, fieldElement } from "@celadon/merge";
import { type Draft, draftOf, objectOf } from "../kinds/draft.ts";
import { gvkOfResource, type ServedResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import type { FieldOwnership, Manager, ResourceHandler } from "./services.ts";
import { timestamp } from "./timestamps.ts";

export class Ownership implements FieldOwnership {
  readonly #managers = new WeakMap<ServedResource, Map<string, FieldManager>>();
  readonly #handler: (resource: ServedResource) => ResourceHandler;
  readonly #now: () => number;

  constructor(handler: (resource: ServedResource) => ResourceHandler, now: () => number) {
    this.#handler = handler;
    this.#now = now;
  }

  update(live: KubeObject | undefined, draft: Draft, manager: Manager): Draft {
    return draftOf(this.#manager(manager).update(live, objectOf(draft), manager.name));
  }

  apply(live: KubeObject | undefined, configuration: unknown, manager: Manager, force: boolean): Draft {
    const applied = this.#manager(manager).apply(live, configuration as KubeObject, manager.name, force);
    if (isFailure(applied)) throw new StatusError(applied);
    return draftOf(applied);
  }

  #manager({ resource, subresource }: Manager): FieldManager {
    let managers = this.#managers.get(resource);
    if (managers === undefined) this.#managers.set(resource, (managers = new Map()));
    let manager = managers.get(subresource);
    if (manager === undefined) managers.set(subresource, (manager = this.#make(resource, subresource)));
    return manager;
  }

  #make(resource: ServedResource, subresource: string): FieldManager {
    const { codec, mergeType } = this.#handler(resource);
    const { apiVersion } = resource;
    return createFieldManager({
      kind: gvkOfResource(resource),
      subresource,
      type: (version) => mergeType(version),
      complete: (object) => completeObject(object, codec),
      resetFields: new Map([[apiVersion, resetFields(resource, subresource)]]),
      now: () => timestamp(this.#now()),
    });
  }
}

function isFailure(value: KubeObject | { readonly status?: unknown }): value is StatusError["status"] {
  return (value as { kind?: unknown }).kind === "Status" && (value as { status?: unknown }).status === "Failure";
}

/** An object that was merged, read as its kind. */
export function completeObject(object: KubeObject, codec: ResourceHandler["codec"]): KubeObject | Invalid {
  try {
    return objectOf(codec.decode(object, { fieldValidation: "Ignore", warn: () => {} }));
  } catch (error) {
    if (error instanceof StatusError) return new Invalid(error.message);
    throw error;
  }
}

/** What writes to an endpoint cannot change. */
function resetFields(resource: ServedResource, subresource: string): FieldSet {
  if (subresource === "status") return FieldSet.of([fieldElement("spec")]);
  if (subresource === "" && resource.subresources.has("status")) return FieldSet.of([fieldElement("status")]);
  return FieldSet.of();
}
