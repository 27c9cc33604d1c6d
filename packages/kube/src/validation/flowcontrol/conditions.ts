// Conditions of both kinds, and the endpoint that writes them.

import type { ObjectMeta } from "../../api/generated/meta-v1.ts";
import type { ValidatedField } from "../field.ts";
import { type EndpointRules, SPEC } from "../rules.ts";

interface WithConditions {
  readonly metadata?: ObjectMeta | undefined;
  readonly status?: { readonly conditions?: readonly { readonly type?: string | undefined }[] | undefined } | undefined;
}

/** Only the status and the record of who wrote it change. */
export function statusEndpoint<T extends WithConditions>(): EndpointRules<T> {
  return {
    keeps: [SPEC],
    prepareUpdate: (object, old) => ({
      ...object,
      metadata: { ...old.metadata, managedFields: object.metadata?.managedFields },
    }),
    validateUpdate: (object, _old, at) => typesOnce(object, at),
  };
}

/** Every condition has a type, and no type occurs twice. */
export function typesOnce(object: WithConditions, at: ValidatedField): void {
  const types = new Set<string>();
  at.child("status", "conditions").each(object.status?.conditions, ({ type = "" }, each) => {
    if (types.has(type)) each.child("type").duplicate(type);
    types.add(type);
    each.child("type").mustExist(type);
  });
}
