// Objects in memory as a source of params and namespaces.

import { type KubeObject, labelsOf, nameOf, namespaceOf } from "@celadon/kube";
import type { LabelSelector } from "@celadon/kube/selectors";
import type { NamespaceSource, ParamSource } from "../hosts.ts";
import type { ParamKind } from "../policy.ts";
import type { Resources } from "./resources.ts";

/** Params from a list of objects, by kind, namespace and name. */
export function createParamSource(objects: Iterable<KubeObject>, resources: Pick<Resources, "scope">): ParamSource {
  const byKind = new Map<string, KubeObject[]>();
  for (const object of objects) {
    // An object without a kind is no params of any policy.
    if (typeof object.apiVersion !== "string" || typeof object.kind !== "string") continue;
    const key = kindKey(object);
    const list = byKind.get(key);
    if (list === undefined) byKind.set(key, [object]);
    else list.push(object);
  }
  // In the order of names, so that answers do not depend on the order of files.
  for (const list of byKind.values()) list.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const find = (kind: ParamKind, namespace: string, fits: (object: KubeObject) => boolean): KubeObject[] =>
    (byKind.get(kindKey(kind)) ?? []).filter(
      (object) => (namespace === "" || placeOf(object) === namespace) && fits(object),
    );
  return {
    scope: (kind) => resources.scope(kind),
    get: (kind, namespace, name) => find(kind, namespace, (object) => nameOf(object) === name)[0],
    list: (kind, namespace, selector: LabelSelector) =>
      find(kind, namespace, (object) => selector.matches(labelsOf(object))),
  };
}

// An object without a namespace is in `default`, as kubectl would put it.
function placeOf(object: KubeObject): string {
  return namespaceOf(object) || "default";
}

function kindKey({ apiVersion = "", kind = "" }: { readonly apiVersion?: string; readonly kind?: string }): string {
  return `${apiVersion} ${kind}`;
}

/** Namespaces from a list of objects. */
export function createNamespaceSource(objects: Iterable<KubeObject>): NamespaceSource {
  const byName = new Map<string, KubeObject>();
  for (const object of objects) {
    if (object.kind === "Namespace" && object.apiVersion === "v1") byName.set(nameOf(object), withNameLabel(object));
  }
  return { namespace: (name) => byName.get(name) };
}

const NAME_LABEL = "kubernetes.io/metadata.name";

// The API server sets this label on every namespace.
function withNameLabel(namespace: KubeObject): KubeObject {
  const labels = labelsOf(namespace);
  if (Object.hasOwn(labels, NAME_LABEL)) return namespace;
  return { ...namespace, metadata: { ...namespace.metadata, labels: { ...labels, [NAME_LABEL]: nameOf(namespace) } } };
}
