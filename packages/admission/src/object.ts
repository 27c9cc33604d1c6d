// Kubernetes objects as this package sees them: plain JSON, of which only metadata has a shape.
// Whatever is read from an object of a request is read as an own property: objects are foreign data.

import type { Value } from "@celadon/cel";

/** Any API object. Fields beyond these are reached through CEL only. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: ObjectMeta;
  readonly [field: string]: unknown;
}

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string | null;
  readonly labels?: Readonly<Record<string, string>> | null;
  readonly annotations?: Readonly<Record<string, string>> | null;
  readonly finalizers?: readonly string[] | null;
  readonly [field: string]: unknown;
}

const NO_LABELS: Readonly<Record<string, string>> = {};

/** The object's metadata, or undefined where it has none that could be read. */
export function metadataOf(object: unknown): ObjectMeta | undefined {
  const metadata = ownField(object, "metadata");
  return isRecord(metadata) ? (metadata as ObjectMeta) : undefined;
}

/** The labels of an object; anything that is not a map of labels counts as none. */
export function labelsOf(object: unknown): Readonly<Record<string, string>> {
  const labels = ownField(metadataOf(object), "labels");
  return isRecord(labels) ? (labels as Readonly<Record<string, string>>) : NO_LABELS;
}

/** A text field of an object's metadata, or the empty text. */
export function metadataText(object: unknown, field: "name" | "generateName" | "namespace"): string {
  const text = ownField(metadataOf(object), field);
  return typeof text === "string" ? text : "";
}

export function ownField(object: unknown, field: string): unknown {
  return isRecord(object) && Object.hasOwn(object, field) ? object[field] : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An object as the engine reads it. Plain JSON is a CEL value as it stands. */
export function asValue(object: unknown): Value {
  return (object ?? null) as Value;
}
