// Schemas of kinds in memory: the built-in ones, and those of definitions as a server publishes them, with the metadata of every object.
// Resources are found as a REST mapper finds them.

import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";
import { builtinSchema } from "@celadon/kube/builtin";
import { Invalid } from "@celadon/kube/errors";
import { type CustomResource, readCustomResource, type Schema } from "@celadon/kube/schemas";
import type { SchemaSource } from "../hosts.ts";
import { createResources, type KnownResource } from "./resources.ts";

/** Schemas of kinds, for type checking. */
export interface Schemas extends SchemaSource {
  schema(kind: GroupVersionKind): Schema | undefined;
  kinds(resource: GroupVersionResource): readonly GroupVersionKind[];
  /** Every resource there is, for rules that name none. */
  served(): readonly KnownResource[];
}

/** Definitions whose schemas are known beside the built-in ones. */
export interface SchemasOptions {
  /** CustomResourceDefinitions, v1. */
  readonly definitions?: Iterable<KubeObject>;
}

/** Knows the schemas of built-in kinds and of definitions. */
export function createSchemas({ definitions = [] }: SchemasOptions = {}): Schemas {
  const given = [...definitions];
  const resources = createResources({ definitions: given });
  const custom = new Map<string, Schema>();
  for (const definition of given) {
    const read = readCustomResource(definition);
    if (!(read instanceof Invalid)) for (const [key, schema] of publishedSchemas(read)) custom.set(key, schema);
  }
  return {
    schema: (kind) => custom.get(kindKey(kind)) ?? builtinSchema(kind),
    kinds: (resource) => resources.served().filter((servedResource) => names(resource, servedResource)),
    served: () => resources.served(),
  };
}

// A mapper takes an empty group for any group, and singular names as well.
function names({ group, version, resource }: GroupVersionResource, servedResource: KnownResource): boolean {
  const wanted = resource.toLowerCase();
  if (servedResource.version !== version || (group !== "" && servedResource.group !== group)) return false;
  return servedResource.resource === wanted || servedResource.kind.toLowerCase() === wanted;
}

function* publishedSchemas({ group, kind, versions }: CustomResource): Iterable<[string, Schema]> {
  for (const { name, served, schema } of versions) {
    if (served && schema !== undefined) yield [kindKey({ group, version: name, kind }), withObjectMeta(schema)];
  }
}

const TEXT: Schema = { type: "string" };

/** Adds the server's own fields to the schema of a custom resource. */
function withObjectMeta(schema: Schema): Schema {
  const metadata = builtinSchema({ group: "", version: "v1", kind: "ConfigMap" })?.properties?.get("metadata") ?? {
    type: "object",
  };
  const properties = new Map(schema.properties);
  properties.set("apiVersion", TEXT).set("kind", TEXT).set("metadata", metadata);
  return { ...schema, properties };
}

function kindKey({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
