// OpenAPI documents: one per group and version for version 3, one for everything for version 2.

import type { CustomResourceDefinition } from "@celadon/crd";
import type { GroupVersionKind } from "@celadon/kube";
import type { KindTable } from "../kinds/kind-table.ts";
import { gvkOfResource, type ServedResource } from "../kinds/resource.ts";
import { type JsonSchema, LIST_META, OBJECT_META, SchemaSet, schemaName } from "./builtin-schemas.ts";
import { ANY_OBJECT, preservesUnknown, schemaV2 } from "./custom-schema.ts";
import { OPENAPI_V2, OPENAPI_V3, type PathStyle, resourcePaths } from "./paths.ts";

export interface SchemaHosts {
  readonly kinds: KindTable;
  /** The definition of a custom resource; undefined for built-in ones. */
  definition(resource: ServedResource): CustomResourceDefinition | undefined;
}

const INFO = { title: "Kubernetes", version: "v1.36.4" };

export function documentV3(hosts: SchemaHosts, group: string, version: string): unknown {
  const set = new SchemaSet("#/components/schemas/");
  const resources = [...hosts.kinds.all()].filter(
    (resource) => resource.group === group && resource.version === version,
  );
  const paths = pathsOf(hosts, resources, set, OPENAPI_V3);
  return { openapi: "3.0.0", info: INFO, paths, components: { schemas: set.schemas } };
}

export function documentV2(hosts: SchemaHosts): unknown {
  const set = new SchemaSet("#/definitions/");
  const paths = pathsOf(hosts, [...hosts.kinds.all()], set, OPENAPI_V2);
  return { swagger: "2.0", info: INFO, paths, definitions: set.schemas };
}

function pathsOf(
  hosts: SchemaHosts,
  resources: readonly ServedResource[],
  set: SchemaSet,
  style: PathStyle,
): Record<string, unknown> {
  const paths: Record<string, unknown> = {};
  for (const resource of resources) {
    const name = addKind(hosts, resource, set);
    const schema = name === undefined ? undefined : set.reference(name);
    const list = name === undefined ? undefined : set.reference(addList(resource, name, set));
    Object.assign(paths, resourcePaths(resource, schema, list, style));
    for (const { kind } of resource.subresources.values()) addBuiltin(kind, set);
  }
  return paths;
}

/** The name under which the kind is in the set. */
function addKind(hosts: SchemaHosts, resource: ServedResource, set: SchemaSet): string | undefined {
  const definition = hosts.definition(resource);
  if (definition === undefined) return addBuiltin(gvkOfResource(resource), set);
  const version = definition.spec.versions?.find(({ name }) => name === resource.version);
  const schema = (version?.schema?.openAPIV3Schema ?? {}) as JsonSchema;
  const name = customName(resource);
  const fields = (version?.selectableFields ?? []).map(({ jsonPath = "" }) => ({
    fieldPath: jsonPath.replace(/^\./, ""),
  }));
  set.addNamed(name, {
    ...customSchema(schema, set),
    "x-kubernetes-group-version-kind": [gvkOfResource(resource)],
    ...(fields.length > 0 && { "x-kubernetes-selectable-fields": fields }),
  });
  return name;
}

function addBuiltin(kind: GroupVersionKind, set: SchemaSet): string | undefined {
  const name = schemaName(kind);
  return name !== undefined && set.add(name) ? name : undefined;
}

function addList(resource: ServedResource, item: string, set: SchemaSet): string {
  const name = `${item}List`;
  if (!resource.storage.custom && set.add(name)) return name;
  const { group, version, listKind } = resource;
  set.add(LIST_META);
  set.addNamed(name, {
    description: `${listKind} is a list of ${resource.kind}`,
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string", description: API_VERSION },
      items: {
        type: "array",
        items: set.reference(item),
        description: `List of ${resource.resource}. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md`,
      },
      kind: { type: "string", description: KIND },
      metadata: set.described(set.reference(LIST_META), LIST_METADATA),
    },
    "x-kubernetes-group-version-kind": [{ group, version, kind: listKind }],
  });
  return name;
}

/** `com.example.stable.v1.Widget`. */
function customName({ group, version, kind }: ServedResource): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

function customSchema(given: JsonSchema, set: SchemaSet): JsonSchema {
  if (!set.isV3 && preservesUnknown(given)) return ANY_OBJECT;
  const schema = set.isV3 ? given : schemaV2(given);
  const { properties = {}, ...rest } = schema as { properties?: Record<string, unknown> };
  set.add(OBJECT_META);
  return {
    ...rest,
    type: "object",
    properties: {
      ...properties,
      apiVersion: { type: "string", description: API_VERSION },
      kind: { type: "string", description: KIND },
      metadata: set.described(set.reference(OBJECT_META), METADATA),
    },
  };
}

const API_VERSION =
  "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const KIND =
  "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const METADATA =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
const LIST_METADATA =
  "Standard list metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
