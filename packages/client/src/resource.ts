// A resource by group, version and plural, and the paths under which a server has it.

import type { GroupVersionResource } from "@celadon/kube";

/** A namespace, or none. */
export interface Scope {
  /** Without one, all namespaces, or a resource of the cluster. */
  readonly namespace?: string | undefined;
}

/** One object. */
export interface Target extends Scope {
  readonly name: string;
  readonly subresource?: string;
}

/** `/api/v1/namespaces/shop/pods`. Names are data: they are escaped. */
export function collectionPath({ group, version, resource }: GroupVersionResource, { namespace }: Scope = {}): string {
  const root = group === "" ? `/api/${segment(version)}` : `/apis/${segment(group)}/${segment(version)}`;
  return `${root}${namespace === undefined || namespace === "" ? "" : `/namespaces/${segment(namespace)}`}/${segment(resource)}`;
}

/** The path of an object's URL. */
export function objectPath(resource: GroupVersionResource, { name, subresource, ...scope }: Target): string {
  return `${collectionPath(resource, scope)}/${segment(name)}${subresource === undefined ? "" : `/${segment(subresource)}`}`;
}

const segment = (text: string): string => encodeURIComponent(text);

/** The query of a request. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** `?limit=500`; nothing for nothing. */
export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`],
  );
  return given.length === 0 ? "" : `?${given.join("&")}`;
}
