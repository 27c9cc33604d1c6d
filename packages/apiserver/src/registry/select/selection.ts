// Selects objects for a list, watch or deletecollection.

import { quoteGo } from "@celadon/base";
import type { FieldSelector, LabelSelector } from "@celadon/kube/selectors";
import { badRequest } from "@celadon/kube/status";
import type { ListOptions } from "../../codec/list-options.ts";
import { keyOf } from "../../kinds/resource.ts";
import type { StoredObject } from "../../store/stored-object.ts";
import { StatusError } from "../../wire/status-error.ts";
import type { Exchange } from "../exchange.ts";
import type { ResourceHandler } from "../services.ts";

export interface Selection {
  /** All selected keys are below it: the prefix of the resource or of a namespace, or the key of one object. */
  readonly prefix: string;
  /** The one object that can match, if there is only one. */
  readonly key: string | undefined;
  /** Undefined when every object below the prefix matches. */
  readonly matches: ((object: StoredObject) => boolean) | undefined;
}

export function selectionOf(handler: ResourceHandler, exchange: Exchange, options: ListOptions): Selection {
  const { storage } = handler.resource;
  const fields = supportedFields(handler, options.fields);
  const inNamespace = exchange.namespace !== "" && storage.namespaced;
  const namespace = inNamespace ? exchange.namespace : (fields.exactValue("metadata.namespace") ?? "");
  const prefix = storage.namespaced && namespace !== "" ? `${storage.prefix}${namespace}/` : storage.prefix;
  const name = fields.exactValue("metadata.name");
  const single = name !== undefined && name !== "" && (!storage.namespaced || namespace !== "");
  return {
    prefix,
    key: single ? keyOf(storage, namespace, name) : undefined,
    matches: predicate(handler, options.labels, fields),
  };
}

function supportedFields(handler: ResourceHandler, selector: FieldSelector): FieldSelector {
  const { namespaced, custom } = handler.resource.storage;
  // Cluster-scoped kinds that list their fields do not list the namespace.
  const hasNamespace = namespaced || (!custom && handler.selectableFields.size === 0);
  for (const { field } of selector.requirements) {
    if (field === "metadata.name" || handler.selectableFields.has(field)) continue;
    if (field === "metadata.namespace") {
      if (hasNamespace) continue;
      throw new StatusError(badRequest("field label not supported: metadata.namespace"));
    }
    throw new StatusError(badRequest(unknownField(handler, field)));
  }
  return selector;
}

/** Every kind that has fields of its own puts it in its own words. */
function unknownField({ resource, selectableFields }: ResourceHandler, field: string): string {
  if (selectableFields.size === 0) {
    return `${quoteGo(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
  }
  if (resource.kind === "Job") return `field label ${quoteGo(field)} not supported for Job`;
  if (resource.group !== "resource.k8s.io") return `field label not supported: ${field}`;
  return `field label not supported for ${resource.apiVersion}, Kind=${resource.kind}: ${field}`;
}

function predicate(
  handler: ResourceHandler,
  labels: LabelSelector,
  fields: FieldSelector,
): ((object: StoredObject) => boolean) | undefined {
  const byLabel = labels.isEmpty ? undefined : (object: StoredObject) => labels.matches(object.labels);
  const byField = fields.isEmpty ? undefined : fieldPredicate(handler, fields);
  if (byLabel === undefined) return byField;
  if (byField === undefined) return byLabel;
  return (object) => byLabel(object) && byField(object);
}

function fieldPredicate(handler: ResourceHandler, selector: FieldSelector): (object: StoredObject) => boolean {
  const needsObject = selector.requirements.some(({ field }) => !field.startsWith("metadata.name"));
  return (object) => {
    const own = needsObject ? handler.fieldsOf(object.object) : undefined;
    return selector.matches({ ...own, "metadata.name": object.name, "metadata.namespace": object.namespace });
  };
}
