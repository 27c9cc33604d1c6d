// The preparation of a built-in object that is created or updated, by its kind's rules, and the versions in which those see it.

import { semanticEqual } from "@celadon/base";
import type { KubeObject } from "../metadata.ts";
import { hasEmpty } from "../types/empty-fields.ts";
import { fieldAt, withField } from "./fields-of.ts";
import { withoutGatedFields } from "./gated-fields.ts";
import type { AnyKindRules, EndpointRules, Request } from "./rules.ts";

const METADATA = "metadata";

/** An object in the version that the rules are about. */
export function readAs({ versions }: AnyKindRules, object: KubeObject): KubeObject {
  return versions?.read(object) ?? object;
}

/** And back in the version of the input. */
export function servedAs({ versions }: AnyKindRules, object: KubeObject, given: KubeObject): KubeObject {
  return versions?.served(object, given.apiVersion) ?? object;
}

function generationOf(
  { generation, generationSince = 0 }: EndpointRules<KubeObject>,
  { by }: Request,
): EndpointRules<KubeObject>["generation"] {
  return by.since(generationSince) ? generation : undefined;
}

/** Prepares a new object before validation. */
export function prepareCreate(rules: EndpointRules<KubeObject>, given: KubeObject, request: Request): KubeObject {
  let object = given;
  object = withoutGatedFields(object, request.by);
  for (const field of rules.drops ?? []) object = withField(object, field, undefined);
  if (generationOf(rules, request) !== undefined) object = withField(object, [METADATA, "generation"], 1);
  return rules.prepareCreate?.(object, request) ?? object;
}

/** Prepares an update before validation. */
export function prepareUpdate(
  rules: EndpointRules<KubeObject>,
  given: KubeObject,
  old: KubeObject,
  request: Request,
): KubeObject {
  let object = given;
  object = withoutGatedFields(object, request.by);
  for (const field of rules.keeps ?? []) object = withField(object, field, fieldAt(old, field));
  const kept = object;
  object = rules.prepareUpdate?.(object, old, request) ?? object;
  const compared = rules.generationCounts === "given" ? kept : object;
  const changed = (generationOf(rules, request) ?? []).some((field) => {
    const now = fieldAt(compared, field);
    return !semanticEqual(now, fieldAt(old, field)) || (rules.generationCounts === "empty" && hasEmpty(now));
  });
  if (!changed) return object;
  return withField(object, [METADATA, "generation"], (old.metadata?.generation ?? 0) + 1);
}
