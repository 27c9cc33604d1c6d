// Params of policies from the manifests: in the version that the policy names and as a server would have stored them, with
// defaults. Indexed on first use, by kind without version: most simulated clusters have many objects and few params.

import type { ParamSource } from "@celadon/admission";
import type { Resources } from "@celadon/admission/memory";
import type { JsonObject } from "@celadon/base";
import { compareStrings } from "@celadon/base";
import type { CustomResourceType } from "@celadon/crd";
import { gvkOf, type KubeObject, labelsOf, nameOf, namespaceOf, parseGroupVersion } from "@celadon/kube";
import { withServerDefaults } from "@celadon/kube/defaults";
import { isInvalid } from "@celadon/kube/errors";

type ParamKind = Parameters<ParamSource["scope"]>[0];

export interface ParamObjects {
  readonly objects: () => Iterable<KubeObject>;
  readonly resources: Pick<Resources, "scope">;
  typeOf(group: string, kind: string): CustomResourceType | undefined;
  /** Told which object is shown for which. */
  onShown?(shown: KubeObject, object: KubeObject): void;
}

export function paramSource({ objects, resources, typeOf, onShown }: ParamObjects): ParamSource {
  let index: ReadonlyMap<string, readonly KubeObject[]> | undefined;
  const shown = new Map<string, readonly KubeObject[]>();
  const ofKind = (kind: ParamKind): readonly KubeObject[] => {
    const { apiVersion = "", kind: name = "" } = kind;
    const key = `${apiVersion} ${name}`;
    let found = shown.get(key);
    if (found === undefined) {
      index ??= indexed(objects());
      found = inVersion(index, apiVersion, name, typeOf, onShown);
      shown.set(key, found);
    }
    return found;
  };
  const find = (kind: ParamKind, namespace: string, fits: (object: KubeObject) => boolean): KubeObject[] =>
    ofKind(kind).filter((object) => (namespace === "" || placeOf(object) === namespace) && fits(object));
  return {
    scope: (kind) => resources.scope(kind),
    get: (kind, namespace, name) => find(kind, namespace, (object) => nameOf(object) === name)[0],
    list: (kind, namespace, selector) => find(kind, namespace, (object) => selector.matches(labelsOf(object))),
  };
}

function indexed(objects: Iterable<KubeObject>): ReadonlyMap<string, readonly KubeObject[]> {
  const byKind = new Map<string, KubeObject[]>();
  for (const object of objects) {
    const { group, kind } = gvkOf(object);
    const key = `${group}/${kind}`;
    const list = byKind.get(key);
    if (list === undefined) byKind.set(key, [object]);
    else list.push(object);
  }
  // In the order of names, so that answers do not depend on the order of files.
  for (const list of byKind.values()) list.sort((a, b) => compareStrings(nameOf(a), nameOf(b)));
  return byKind;
}

function inVersion(
  index: ReadonlyMap<string, readonly KubeObject[]>,
  apiVersion: string,
  kind: string,
  typeOf: ParamObjects["typeOf"],
  onShown: ParamObjects["onShown"],
): readonly KubeObject[] {
  const gv = parseGroupVersion(apiVersion);
  if (isInvalid(gv)) return [];
  const objects = index.get(`${gv.group}/${kind}`) ?? [];
  const version = typeOf(gv.group, kind)?.version(gv.version);
  return objects.map((object) => {
    const shown =
      version === undefined
        ? withServerDefaults(object.apiVersion === apiVersion ? object : { ...object, apiVersion })
        : (version.read(object as JsonObject) as KubeObject);
    onShown?.(shown, object);
    return shown;
  });
}

/** An object without a namespace is in `default`, as kubectl would put it. */
function placeOf(object: KubeObject): string {
  return namespaceOf(object) || "default";
}
