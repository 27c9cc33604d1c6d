// Field ownership of each kind and endpoint, over `@celadon/merge`.

import { gvkOf, gvkText, type KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { conversionErrorText, decode } from "@celadon/kube/types";
import { createFieldManager, type FieldManager } from "@celadon/merge";
import { type Draft, draftOf, objectOf, timestamp } from "@celadon/write";
import { gvkOfResource, type ServedResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import { keptFields, resetFields } from "./reset-fields.ts";
import type { FieldOwnership, Manager, ResourceHandler } from "./services.ts";

export class Ownership implements FieldOwnership {
  readonly #managers = new WeakMap<ServedResource, Map<string, FieldManager>>();
  readonly #handler: (resource: ServedResource) => ResourceHandler;
  readonly #now: () => number;

  constructor(handler: (resource: ServedResource) => ResourceHandler, now: () => number) {
    this.#handler = handler;
    this.#now = now;
  }

  update(live: KubeObject | undefined, draft: Draft, manager: Manager): Draft {
    const given = objectOf(draft);
    return draftOf(this.#manager(manager).update(live, given, manager.name), given);
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
    const { codec, mergeType, inVersion } = this.#handler(resource);
    const { apiVersion, kind, minor } = resource;
    // Fields that the Go type writes though nothing is set, such as `spec: {}`, have no owner: {}`, has no owner.
    const blank = decode({ apiVersion, kind }, { apiVersion, kind }, { minor })?.object;
    return createFieldManager({
      kind: gvkOfResource(resource),
      subresource,
      ...(blank !== undefined && { blank: blank as KubeObject }),
      type: (version) => mergeType(version),
      convert: (object, version) => inVersion(object, version),
      complete: (object) => completeMerged(object, resource, codec),
      resetFields: resetFields(resource, subresource),
      ...keptFields(resource, subresource),
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
    return objectOf(codec.decode(object, { fieldValidation: "Ignore", warn: () => {}, isMerged: true }));
  } catch (error) {
    if (error instanceof StatusError) return new Invalid(error.message);
    throw error;
  }
}

/** The same for an object of a built-in kind that was never JSON: unreadable values may still be converted. */
function completeMerged(
  object: KubeObject,
  { apiVersion, kind }: ServedResource,
  codec: ResourceHandler["codec"],
): KubeObject | Invalid {
  const read = completeObject(object, codec);
  if (!(read instanceof Invalid)) return read;
  const converted = decode({ apiVersion, kind }, object, { merged: true, minor: codec.resource.minor });
  if (converted === undefined) return read;
  if (converted.error === undefined) return completeObject(converted.object as KubeObject, codec);
  const why = conversionErrorText(converted.error);
  return new Invalid(`unable to convert unstructured object to ${gvkText(gvkOf({ apiVersion, kind }))}: ${why}`);
}
