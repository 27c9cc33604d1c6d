// CustomResourceDefinitions as typed data: names, scope, versions and their structural schemas. Whether a definition is
// valid is not decided here.

import { isRecord, own } from "@celadon/base";
import { Invalid } from "../invalid.ts";
import { readSchema } from "./read-schema.ts";
import type { Schema } from "./schema.ts";

/** The group, kind, names and versions of a definition. */
export interface CustomResource {
  readonly group: string;
  readonly kind: string;
  readonly listKind: string;
  readonly resource: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly versions: readonly CustomResourceVersion[];
}

/** A version of a custom resource, with its schema. */
export interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  /** The openAPIV3Schema as it is written, for validation and printing. */
  readonly rawSchema: unknown;
  readonly schema: Schema | undefined;
  readonly hasStatus: boolean;
  readonly hasScale: boolean;
}

/** Reads an apiextensions.k8s.io CustomResourceDefinition (v1, and v1beta1's schema at the top). */
export function readCustomResource(object: unknown): CustomResource | Invalid {
  const spec = isRecord(object) ? own(object, "spec") : undefined;
  const names = isRecord(spec) ? own(spec, "names") : undefined;
  if (!isRecord(spec) || !isRecord(names)) return new Invalid("not a CustomResourceDefinition: spec.names is missing");
  const kind = text(own(names, "kind"));
  const versions = own(spec, "versions");
  return {
    group: text(own(spec, "group")),
    kind,
    listKind: text(own(names, "listKind")) || `${kind}List`,
    resource: text(own(names, "plural")),
    singular: text(own(names, "singular")) || kind.toLowerCase(),
    shortNames: texts(own(names, "shortNames")),
    categories: texts(own(names, "categories")),
    namespaced: own(spec, "scope") === "Namespaced",
    versions: Array.isArray(versions) ? versions.filter(isRecord).map((version) => readVersion(version, spec)) : [],
  };
}

function readVersion(version: Record<string, unknown>, spec: Record<string, unknown>): CustomResourceVersion {
  const holder = own(version, "schema") ?? own(spec, "validation");
  const rawSchema = isRecord(holder) ? own(holder, "openAPIV3Schema") : undefined;
  const subresources = own(version, "subresources") ?? own(spec, "subresources");
  return {
    name: text(own(version, "name")),
    served: own(version, "served") === true,
    storage: own(version, "storage") === true,
    rawSchema,
    schema: rawSchema === undefined ? undefined : readSchema(rawSchema),
    hasStatus: isRecord(subresources) && isRecord(own(subresources, "status")),
    hasScale: isRecord(subresources) && isRecord(own(subresources, "scale")),
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
