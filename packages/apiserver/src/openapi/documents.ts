// OpenAPI documents: one per group and version for version 3, one for everything for version 2.

import type { CustomResourceDefinition } from "@celadon/crd";
import { typeOfKind } from "@celadon/kube/types";
import type { KindTable } from "../kinds/kind-table.ts";
import { gvkOfResource, type ServedResource } from "../kinds/resource.ts";
import { type JsonSchema, SchemaSet } from "./builtin-schemas.ts";
import { OPENAPI_V2, OPENAPI_V3, type PathStyle, resourcePaths } from "./paths.ts";

export interface SchemaHosts {
  readonly kinds: KindTable;
  /** The definition of a custom resource; undefined for built-in ones. */
  definition(resource: ServedResource): CustomResourceDefinition | undefined;
}

const INFO = { title: "Kubernetes", version: "v1.36.4" };

export function documentV3(hosts: SchemaHosts, group: string, version: string): unknown {
  const set = new SchemaSet("#/components/schemas/");
  const resources = [...hosts.kinds.all()].filter((one) => one.group === group && one.version === version);
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
  const schema = definition.spec.versions?.find(({ name }) => name === resource.version)?.schema?.openAPIV3Schema;
  const name = customName(resource);
  set.addNamed(name, customSchema(resource, (schema ?? {}) as JsonSchema, set));
  return name;
}

function addBuiltin(gvk: { group: string; version: string; kind: string }, set: SchemaSet): string | undefined {
  const apiVersion = gvk.group === "" ? gvk.version : `${gvk.group}/${gvk.version}`;
  const type = typeOfKind(apiVersion, gvk.kind);
  if (type === undefined) return undefined;
  const name = set.add(type);
  set.schemas[name]!["x-kubernetes-group-version-kind"] = [gvk];
  return name;
}

function addList(resource: ServedResource, item: string, set: SchemaSet): string {
  const name = `${item}List`;
  const { group, version, listKind } = resource;
  const meta = set.add(typeOfKind("v1", "ConfigMapList")!.byName.get("metadata")!.type.struct!());
  set.addNamed(name, {
    type: "object",
    required: ["items"],
    properties: {
      apiVersion: { type: "string" },
      items: { type: "array", items: set.reference(item) },
      kind: { type: "string" },
      metadata: set.reference(meta),
    },
    "x-kubernetes-group-version-kind": [{ group, version, kind: listKind }],
  });
  return name;
}

/** `com.example.stable.v1.Widget`. */
function customName({ group, version, kind }: ServedResource): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}

function customSchema(resource: ServedResource, schema: JsonSchema, set: SchemaSet): JsonSchema {
  const { properties = {}, ...rest } = schema as { properties?: Record<string, unknown> };
  const meta = set.add(typeOfKind("v1", "ConfigMap")!.byName.get("metadata")!.type.struct!());
  return {
    ...rest,
    type: "object",
    properties: {
      ...properties,
      apiVersion: { type: "string", description: API_VERSION },
      kind: { type: "string", description: KIND },
      metadata: { ...set.reference(meta), description: METADATA },
    },
    "x-kubernetes-group-version-kind": [gvkOfResource(resource)],
  };
}

const API_VERSION =
  "APIVersion defines the versioned schema of this representation of an object. Servers should convert recognized schemas to the latest internal value, and may reject unrecognized values. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const KIND =
  "Kind is a string value representing the REST resource this object represents. Servers may infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";
const METADATA =
  "Standard object's metadata. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";
