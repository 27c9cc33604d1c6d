// Names of types and resources: group, version, kind, resource, and the texts Kubernetes writes them in.
// The core group is the empty string; its apiVersion is the version alone.

import { Invalid } from "./invalid.ts";

/** An API group in a version. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A kind in an API group, in all versions. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

/** A resource in an API group, in all versions. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** A kind in a version of an API group. */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

/** A resource in a version of an API group. */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** Reads an apiVersion. Empty text and `/` are the empty group and version, as upstream has it. */
export function parseGroupVersion(apiVersion: string): GroupVersion | Invalid {
  if (apiVersion === "" || apiVersion === "/") return { group: "", version: "" };
  const slash = apiVersion.indexOf("/");
  if (slash === -1) return { group: "", version: apiVersion };
  if (apiVersion.indexOf("/", slash + 1) !== -1) {
    return new Invalid(`unexpected GroupVersion string: ${apiVersion}`);
  }
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Writes an apiVersion: `apps/v1`, or `v1` for the core group. */
export function apiVersionOf(gv: GroupVersion): string {
  return gv.group === "" ? gv.version : `${gv.group}/${gv.version}`;
}

/** The group, version and kind of an object. Group and version are empty if the apiVersion is invalid. */
export function gvkOf(object: { readonly apiVersion?: unknown; readonly kind?: unknown }): GroupVersionKind {
  const apiVersion = Object.hasOwn(object, "apiVersion") ? object.apiVersion : undefined;
  const kind = Object.hasOwn(object, "kind") ? object.kind : undefined;
  const gv = parseGroupVersion(typeof apiVersion === "string" ? apiVersion : "");
  const name = typeof kind === "string" ? kind : "";
  return gv instanceof Invalid
    ? { group: "", version: "", kind: name }
    : { group: gv.group, version: gv.version, kind: name };
}

/** `Deployment.apps`, or `Pod` for the core group. */
export function groupKindText(gk: GroupKind): string {
  return gk.group === "" ? gk.kind : `${gk.kind}.${gk.group}`;
}

/** `deployments.apps`, or `pods` for the core group. */
export function groupResourceText(gr: GroupResource): string {
  return gr.group === "" ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** `apps/v1, Kind=Deployment`; the core group leaves its slash: `/v1, Kind=Pod`. */
export function gvkText(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}

/** `apps/v1, Resource=deployments`. */
export function gvrText(gvr: GroupVersionResource): string {
  return `${gvr.group}/${gvr.version}, Resource=${gvr.resource}`;
}

/** The resource name to expect for a kind: meta.UnsafeGuessKindToResource, but `gateways` and `sandboxes`, as their CRDs have it. */
export function guessResource(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === "") return "";
  if (singular.endsWith("endpoints")) return singular;
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}
