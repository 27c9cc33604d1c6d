// Objects and their metadata as plain data, read safely: data from outside may lack or hold anything.

import { memberOf } from "@celadon/base";
import type { Labels } from "./selector/requirement.ts";

/** The metadata of every object: names, labels, owners. */
export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string | null;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Labels | null;
  readonly annotations?: Readonly<Record<string, string>> | null;
  readonly ownerReferences?: readonly OwnerReference[] | null;
  readonly finalizers?: readonly string[] | null;
  readonly managedFields?: readonly unknown[] | null;
}

/** An object that another belongs to. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** Any API object: the fields of every kind. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta | null;
  readonly [field: string]: unknown;
}

const NONE: Readonly<Record<string, never>> = Object.freeze({});

/** The object's metadata, or an empty one if it has none that is an object. */
export function metadataOf(object: unknown): Readonly<Record<string, unknown>> {
  const metadata = memberOf(object, "metadata");
  return typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)
    ? (metadata as Record<string, unknown>)
    : NONE;
}

/** The object's name; empty if it has none. */
export function nameOf(object: unknown): string {
  return ownText(metadataOf(object), "name");
}

/** The object's namespace; empty for a cluster-scoped object. */
export function namespaceOf(object: unknown): string {
  return ownText(metadataOf(object), "namespace");
}

/** The labels that are texts, as the API server would have kept them. */
export function labelsOf(object: unknown): Labels {
  return texts(memberOf(metadataOf(object), "labels"));
}

/** The annotations of an object, without values that are no text. */
export function annotationsOf(object: unknown): Readonly<Record<string, string>> {
  return texts(memberOf(metadataOf(object), "annotations"));
}

// Returned as it is when it is fine, which is always but for handmade data.
function texts(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return NONE;
  const entries = Object.entries(value);
  if (entries.every(([, item]) => typeof item === "string")) return value as Record<string, string>;
  return Object.fromEntries(entries.filter(([, item]) => typeof item === "string")) as Record<string, string>;
}

function ownText(value: object, key: string): string {
  const text = memberOf(value, key);
  return typeof text === "string" ? text : "";
}
