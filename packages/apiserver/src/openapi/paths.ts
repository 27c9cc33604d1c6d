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
const STRATEGIC = "application/strategic-merge-patch+json";
const PATCHES: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
  STRATEGIC,
  "application/apply-patch+yaml",
];
/** Custom resources have no merge keys; kubectl reads here which patch it may send. */
const CUSTOM_PATCHES: readonly string[] = PATCHES.filter((type) => type !== STRATEGIC);
const ANYTHING = ["*/*"];

/** The form of parameters and bodies in a document: version 3, or version 2. */
export interface PathStyle {
  query(name: string, type: string): unknown;
  path(name: string): unknown;
  /** `bodies` are the media types a body may have; of a patch it is not the kind's schema. */
  operation(schema: JsonSchema | undefined, hasBody: boolean, bodies: readonly string[]): object;
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
  if (collection !== undefined) paths[`${place}/${plural}`] = { ...collection, ...listed(parameters) };
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

/** An empty list is left out: Go's reader and writer do not agree on it. */
function listed(parameters: readonly unknown[]): { readonly parameters?: readonly unknown[] } {
  return parameters.length > 0 ? { parameters } : {};
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
  const patches = resource.storage.custom ? CUSTOM_PATCHES : PATCHES;
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
        ...style.operation(verb === "list" ? listSchema : schema, writes, verb === "patch" ? patches : ANYTHING),
        ...listed(parameters),
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
  operation(schema = {}, hasBody, bodies) {
    const sent = bodies === ANYTHING ? schema : {};
    return {
      ...(hasBody && { requestBody: { content: Object.fromEntries(bodies.map((type) => [type, { schema: sent }])) } }),
      responses: { 200: { description: "OK", content: { "application/json": { schema } } } },
    };
  },
};

export const OPENAPI_V2: PathStyle = {
  query: (name, type) => ({ name, in: "query", type, uniqueItems: true }),
  path: (name) => ({ name, in: "path", required: true, type: "string", uniqueItems: true }),
  operation(schema = {}, _, bodies) {
    return {
      consumes: bodies,
      produces: ["application/json"],
      responses: { 200: { description: "OK", schema } },
    };
  },
};
