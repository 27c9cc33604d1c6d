// The recipes of the parts of an input: the object's schema, those of params, of the namespace and of the request.

import type { MatchedTarget, Schemas } from "@celadon/admission/memory";
import type { ParamKind } from "@celadon/admission/policy";
import { apiVersionOf, type KubeObject, parseGroupVersion } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { Schema } from "@celadon/kube/schemas";
import type { Focus, Interests } from "../generate/focus.ts";
import type { Generated } from "../generate/generate.ts";
import { expressionsOf, type FuzzedBinding, type FuzzedPolicy } from "./fuzzed-policy.ts";
import type { Part, Recipe } from "./inputs.ts";
import { labelsFor } from "./labels-for.ts";

export interface PolicyRecipeOptions {
  readonly bindings: readonly FuzzedBinding[];
  readonly params: readonly KubeObject[];
  readonly serverDefaults: boolean;
}

export function policyRecipe(
  policy: FuzzedPolicy,
  target: MatchedTarget,
  interests: Interests,
  schemas: Schemas,
  options: PolicyRecipeOptions,
): Recipe {
  const { bindings, serverDefaults } = options;
  const matches = [policy.policy.spec.matchConstraints, ...bindings.map(({ binding }) => binding.spec.matchResources)];
  const objectLabels = labelsFor(matches.map((match) => match?.objectSelector));
  const namespaceLabels = labelsFor(matches.map((match) => match?.namespaceSelector));
  const parts = objectParts(target, interests.object, objectLabels);
  return {
    operations: target.operations,
    ...parts,
    params: paramsPart(policy, interests.params, schemas, options),
    namespaceObject: target.namespaced ? namespacePart(interests.namespaceObject, schemas, namespaceLabels) : undefined,
    request: requestPart(policy, interests.request),
    serverDefaults,
  };
}

/** For the rules of a definition: there is nothing but the object. */
export function ruleRecipe(target: MatchedTarget, focus: Focus): Recipe {
  return { operations: ["CREATE", "UPDATE"], ...objectParts(target, focus, {}), serverDefaults: true };
}

function objectParts(
  target: MatchedTarget,
  focus: Focus,
  labels: Readonly<Record<string, string>>,
): Pick<Recipe, "object" | "created" | "keepsStatus"> {
  const { kind, namespaced, name, schema, hasStatus } = target;
  const metadata: Record<string, unknown> = { name, ...(namespaced && { namespace: "default" }) };
  if (kind.kind === "Namespace" && kind.group === "")
    metadata.labels = { "kubernetes.io/metadata.name": name, ...labels };
  else if (Object.keys(labels).length > 0) metadata.labels = labels;
  // The server sets it before any policy runs.
  const read = focus.children.get("metadata")?.children;
  if (read?.has("uid")) metadata.uid = "123e4567-e89b-42d3-a456-426614174000";
  if (read?.has("creationTimestamp")) metadata.creationTimestamp = "2024-01-01T00:00:00Z";
  const least = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  const object = { schema: rooted(schema), focus, least };
  const created = hasStatus ? { ...object, schema: withoutStatus(object.schema) } : object;
  return { object, created, keepsStatus: hasStatus };
}

const TEXT: Schema = { type: "string" };

// Schemas of custom resources may omit the fields of every object.
function rooted(schema: Schema): Schema {
  const properties = new Map(schema.properties);
  if (!properties.has("apiVersion")) properties.set("apiVersion", TEXT);
  if (!properties.has("kind")) properties.set("kind", TEXT);
  return { ...schema, type: "object", properties };
}

function withoutStatus(schema: Schema): Schema {
  const properties = new Map(schema.properties);
  properties.delete("status");
  return {
    ...schema,
    properties,
    ...(schema.required && { required: schema.required.filter((name) => name !== "status") }),
  };
}

function paramsPart(
  policy: FuzzedPolicy,
  focus: Focus,
  schemas: Schemas,
  { bindings, params }: PolicyRecipeOptions,
): Part | undefined {
  const { apiVersion = "", kind = "" } = policy.paramKind ?? {};
  if (policy.paramKind === undefined) return undefined;
  const given = params.filter((param) => param.apiVersion === apiVersion && param.kind === kind) as Generated[];
  const unbound = bindings.some(({ paramRef }) => paramRef === undefined);
  const schema = paramSchema(policy.paramKind, schemas);
  const { name = "a", namespace } = bindings.find(({ paramRef }) => paramRef !== undefined)?.paramRef ?? {};
  const least = { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } };
  // A binding without paramRef leaves params null.
  if (given.length > 0 || unbound)
    return { schema: {}, focus, least, given: [...given, ...(unbound ? [undefined] : [])] };
  if (schema !== undefined) return { schema: rooted(schema), focus, least };
  return { schema: { type: "object", preserveUnknownFields: true }, focus, least, asExpected: true };
}

/** Undefined where nobody knows the kind. */
export function paramSchema({ apiVersion = "", kind = "" }: ParamKind, schemas: Schemas): Schema | undefined {
  const gv = parseGroupVersion(apiVersion);
  return gv instanceof Invalid ? undefined : schemas.schema({ ...gv, kind });
}

function namespacePart(focus: Focus, schemas: Schemas, labels: Readonly<Record<string, string>>): Part | undefined {
  if (focus.isLeaf && Object.keys(labels).length === 0) return undefined;
  const schema = schemas.schema({ group: "", version: "v1", kind: "Namespace" });
  const least = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "default", labels: { "kubernetes.io/metadata.name": "default", ...labels } },
  };
  return schema && { schema, focus, least };
}

const EXTRA: Schema = { type: "object", additionalProperties: { type: "array", items: TEXT, minItems: 1 } };
const USER_INFO: Schema = {
  type: "object",
  required: ["username", "groups"],
  properties: new Map<string, Schema>([
    ["username", { type: "string", minLength: 1 }],
    ["groups", { type: "array", minItems: 1, items: { type: "string", minLength: 1 } }],
    ["uid", { type: "string", minLength: 1 }],
    ["extra", EXTRA],
  ]),
};

/** The parts of a request that a client decides: the user, and whether there is a name. `authorized` is the authorizer's answer. */
function requestPart(policy: FuzzedPolicy, focus: Focus): Part | undefined {
  const properties = new Map<string, Schema>([
    ["name", { type: "string", enum: ["a"] }],
    ["dryRun", { type: "boolean" }],
    ["userInfo", USER_INFO],
  ]);
  const asks = usesAuthorizer(policy);
  if (asks) properties.set("authorized", { type: "boolean" });
  if (focus.isLeaf && !asks) return undefined;
  const required = [...(focus.children.has("userInfo") ? ["userInfo"] : []), ...(asks ? ["authorized"] : [])];
  return { schema: { type: "object", properties, required }, focus, least: {} };
}

function usesAuthorizer(policy: FuzzedPolicy): boolean {
  return [...expressionsOf(policy), ...policy.variables.expressions].some(({ text }) => /\bauthorizer\b/.test(text));
}
