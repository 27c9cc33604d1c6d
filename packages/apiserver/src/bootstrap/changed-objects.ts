// First objects that another minor than the newest has in another form, or not at all. The prepared objects are those of the newest.

import { semanticEqual } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { CURRENT, type Minor } from "@celadon/kube/versions";
import { bootstrapRoles } from "../authz/bootstrap-roles.ts";
import { componentRoles } from "../authz/component-roles.ts";
import { suggestedFlows } from "../flow/suggested-flows.ts";

/** The keys under which the newest minor stores them. */
export function changedObjects(minor: Minor): ReadonlySet<string> {
  const own = objectsOf(minor);
  const changed = [...objectsOf(CURRENT)].filter(([key, object]) => !semanticEqual(own.get(key), object));
  return new Set(changed.map(([key]) => key));
}

function objectsOf(minor: Minor): ReadonlyMap<string, KubeObject> {
  const objects = [
    ...bootstrapRoles(minor),
    ...componentRoles(minor).map(({ object }) => object),
    ...suggestedFlows(minor),
  ];
  return new Map(objects.map((object) => [storedAt(object), object]));
}

function storedAt({ apiVersion = "", kind = "", metadata }: KubeObject): string {
  const [group = ""] = apiVersion.split("/");
  return ["", "registry", group, `${kind.toLowerCase()}s`, metadata?.namespace, metadata?.name]
    .filter((part) => part !== undefined)
    .join("/");
}
