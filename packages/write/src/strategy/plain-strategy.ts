// The strategy of built-in kinds without rules of their own: status belongs to its endpoint, generation counts changes of the rest, names
// are DNS subdomains.

import { semanticEqual } from "@celadon/base";
import { groupResourceText, type KubeObject } from "@celadon/kube";
import { validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1123Subdomain, checkPathSegmentName } from "@celadon/kube/names";
import type { Draft } from "../draft.ts";
import { objectOf } from "../draft.ts";
import type { WrittenResource } from "../resource.ts";
import type { Strategy } from "./strategy.ts";
import { CONDITIONAL_UPDATE, CREATE_ON_UPDATE, countsGenerationOf } from "./traits.ts";

export function plainStrategy(
  resource: WrittenResource,
  subresource: string,
  isSame: (object: KubeObject, old: KubeObject) => boolean = sameBesideMetadata,
): Strategy {
  const name = groupResourceText(resource.storage);
  const hasStatus = resource.subresources.has("status");
  const checkName = resource.group === "rbac.authorization.k8s.io" ? checkPathSegmentName : checkDns1123Subdomain;
  const countsGeneration = countsGenerationOf(resource.storage);
  return {
    createOnUpdate: subresource === "" && CREATE_ON_UPDATE.has(name),
    unconditionalUpdate: !CONDITIONAL_UPDATE.has(name),
    prepareCreate(object) {
      if (hasStatus && "status" in object) object.status = {};
      if (countsGeneration) object.metadata.generation = 1;
      return object;
    },
    validateCreate: (object) => ({
      errors: validateObjectMeta(objectOf(object).metadata ?? {}, resource.namespaced, checkName),
    }),
    prepareUpdate(object, old) {
      if (subresource === "status") return withStatusOf(object, old);
      if (hasStatus) keep(object, old, "status");
      if (countsGeneration && !isSame(objectOf(object), old)) {
        object.metadata.generation = (old.metadata?.generation ?? 0) + 1;
      }
      return object;
    },
    validateUpdate: () => ({ errors: [] }),
    warnings: () => [],
  };
}

/** A status write changes only status and metadata. */
function withStatusOf(object: Draft, old: KubeObject): Draft {
  for (const key of Object.keys(object)) if (!(key in old) && key !== "status") delete object[key];
  for (const key of Object.keys(old)) if (key !== "status" && key !== "metadata") object[key] = old[key];
  return object;
}

function keep(object: Draft, old: KubeObject, field: string): void {
  if (Object.hasOwn(old, field)) object[field] = old[field];
  else delete object[field];
}

export function sameBesideMetadata(a: KubeObject, b: KubeObject): boolean {
  const { metadata: _, status: __, ...left } = a;
  const { metadata: ___, status: ____, ...right } = b;
  return semanticEqual(left, right);
}
