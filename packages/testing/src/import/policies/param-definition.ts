// Params of undefined kinds: in a cluster the tool or the operator that brings the kind also brings its definition. Without one the API
// server does not find params, and neither do we.

import { guessResource, gvkOf, type KubeObject, namespaceOf, parseGroupVersion } from "@celadon/kube";
import { builtinResources } from "@celadon/kube/builtin";
import { isInvalid } from "@celadon/kube/errors";
import type { ConvertedPolicy } from "./converted.ts";

/** Definitions that let everything pass, for param kinds that neither Kubernetes nor `objects` define. */
export function paramDefinitions(
  policies: readonly ConvertedPolicy[],
  objects: readonly KubeObject[],
): readonly KubeObject[] {
  const builtin = builtinResources();
  const made = new Map<string, KubeObject>();
  for (const { policy } of policies) {
    const { apiVersion = "", kind = "" } = policy.spec.paramKind ?? {};
    const gv = parseGroupVersion(apiVersion);
    if (kind === "" || isInvalid(gv) || gv.group === "") continue;
    const isOf = (item: { readonly group: string; readonly kind: string }): boolean =>
      item.group === gv.group && item.kind === kind;
    const isDefined = builtin.some(isOf) || objects.some((object) => defines(object, gv.group, kind));
    if (isDefined) continue;
    const namespaced = objects.some((object) => isOf(gvkOf(object)) && namespaceOf(object) !== "");
    made.set(`${apiVersion}/${kind}`, definitionOf(gv.group, gv.version, kind, namespaced));
  }
  return [...made.values()];
}

function defines(object: KubeObject, group: string, kind: string): boolean {
  const spec = object.spec as { readonly group?: unknown; readonly names?: { readonly kind?: unknown } } | undefined;
  return object.kind === "CustomResourceDefinition" && spec?.group === group && spec.names?.kind === kind;
}

function definitionOf(group: string, version: string, kind: string, namespaced: boolean): KubeObject {
  const plural = guessResource(kind);
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
