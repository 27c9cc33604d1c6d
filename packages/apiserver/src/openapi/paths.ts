// The paths of a resource in an OpenAPI document: what clients look at to learn which kind a path takes and which parameters it knows.

import { gvkOfResource, type ServedResource } from "../kinds/resource.ts";
import type { JsonSchema } from "./builtin-schemas.ts";

const METHODS: Readonly<Record<string, readonly [method: string, action: string]>> = {
  get: ["get", "get"],
  list: ["get", "list"],
  create: ["post", "post"],
  update: ["put", "put"],
  patch: ["patch", "patch"],
  delete: ["delete", "delete"],
  deletecollection: ["delete", "deletecollection"],
};

const COLLECTION = ["list", "create", "deletecollection"];
const ITEM = ["get", "update", "patch", "delete"];
const PATCHES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

/** How a document writes parameters and bodies: version 3, or version 2. */
export interface PathStyle {
  query(name: string, type: string): unknown;
  path(name: string): unknown;
  operation(schema: JsonSchema | undefined, hasBody: boolean, isPatch: boolean): object;
}

export function resourcePaths(
  resource: ServedResource,
  schema: JsonSchema | undefined,
  listSchema: JsonSchema | undefined,
  style: PathStyle,
): Record<string, unknown> {
  const { group, version, namespaced, resource: plural } = resource;
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  const place = namespaced ? `${root}/namespaces/{namespace}` : root;
  const paths: Record<string, unknown> = {};
  const parameters = namespaced ? [style.path("namespace")] : [];
  const collection = operations(resource, COLLECTION, schema, listSchema, style);
  if (collection !== undefined) paths[`${place}/${plural}`] = { ...collection, parameters };
  const item = operations(resource, ITEM, schema, listSchema, style);
  if (item !== undefined)
    paths[`${place}/${plural}/{name}`] = { ...item, parameters: [style.path("name"), ...parameters] };
  for (const { name, verbs } of resource.subresources.values()) {
    const below = operations({ ...resource, verbs }, [...ITEM, "create"], schema, listSchema, style);
    if (below !== undefined) {
      paths[`${place}/${plural}/{name}/${name}`] = { ...below, parameters: [style.path("name"), ...parameters] };
    }
  }
  return paths;
}

function operations(
  resource: ServedResource,
  verbs: readonly string[],
  schema: JsonSchema | undefined,
  listSchema: JsonSchema | undefined,
  style: PathStyle,
): Record<string, unknown> | undefined {
  const served = verbs.filter((verb) => resource.verbs.includes(verb));
  if (served.length === 0) return undefined;
  return Object.fromEntries(
    served.map((verb) => {
      const [method, action] = METHODS[verb]!;
      const writes = verb === "create" || verb === "update" || verb === "patch";
      const parameters = writes
        ? [
            style.query("dryRun", "string"),
            style.query("fieldManager", "string"),
            style.query("fieldValidation", "string"),
          ]
        : [];
      if (verb === "patch") parameters.push(style.query("force", "boolean"));
      const operation = {
        operationId: `${action}${resource.kind}${resource.version}`,
        ...style.operation(verb === "list" ? listSchema : schema, writes, verb === "patch"),
        parameters,
        "x-kubernetes-action": action,
        "x-kubernetes-group-version-kind": gvkOfResource(resource),
      };
      return [method, operation];
    }),
  );
}

export const OPENAPI_V3: PathStyle = {
  query: (name, type) => ({ name, in: "query", schema: { type, uniqueItems: true } }),
  path: (name) => ({ name, in: "path", required: true, schema: { type: "string", uniqueItems: true } }),
  operation(schema = {}, hasBody, isPatch) {
    const types = isPatch ? PATCHES : ["*/*"];
    return {
      ...(hasBody && {
        requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: isPatch ? {} : schema }])) },
      }),
      responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
    };
  },
};

export const OPENAPI_V2: PathStyle = {
  query: (name, type) => ({ name, in: "query", type, uniqueItems: true }),
  path: (name) => ({ name, in: "path", required: true, type: "string", uniqueItems: true }),
  operation(schema = {}, hasBody, isPatch) {
    return {
      consumes: isPatch ? PATCHES : ["*/*"],
      produces: ["application/json"],
      ...(hasBody && {}),
      responses: { 200: { description: "OK", schema } },
    };
  },
};
