// Whether data has the shape of a policy or a request: the API server checks it by schema before anybody else sees an object. Everything
// behind this relies on types being right. `null` counts as absent, as it does for Go.

import { pushAll } from "@celadon/base";
import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  notSupported,
  FieldPath as Path,
  requiredValue,
  typeInvalid,
} from "@celadon/kube/errors";
import { POLICY_SCHEMA, type SchemaData, SPEC_SCHEMA } from "../definition.ts";
import type { CertificateRequest, CertificateRequestPolicy } from "../resource.ts";

const text: SchemaData = { type: "string" };
const texts: SchemaData = { type: "array", items: text };

/** The part of cert-manager's CertificateRequest that is read here. */
const REQUEST_SCHEMA: SchemaData = {
  type: "object",
  required: ["spec"],
  properties: {
    metadata: { type: "object", properties: { name: text, namespace: text } },
    spec: {
      type: "object",
      properties: {
        request: text,
        issuerRef: { type: "object", properties: { name: text, kind: text, group: text } },
        duration: text,
        isCA: { type: "boolean" },
        usages: texts,
        username: text,
        uid: text,
        groups: texts,
        extra: { type: "object", additionalProperties: texts },
      },
    },
  },
};

/** The schema of the parts that are read here: a policy without selector is the webhook's matter, conditions are the controller's. */
const READ_SCHEMA: SchemaData = {
  type: "object",
  required: ["spec"],
  properties: {
    metadata: { type: "object", properties: { name: text } },
    spec: { ...SPEC_SCHEMA, required: [] },
    status: {
      type: "object",
      properties: {
        conditions: {
          type: "array",
          items: { type: "object", properties: { type: text, status: text }, required: ["type", "status"] },
        },
      },
    },
  },
};

/** All errors of a policy by its schema: types, names of usages and algorithms, duplicate entries. */
export function policySchemaErrors(policy: CertificateRequestPolicy): FieldError[] {
  return check(policy, POLICY_SCHEMA, Path.root, true);
}

/** Errors of types alone. */
export function policyShapeErrors(policy: CertificateRequestPolicy): FieldError[] {
  return check(policy, READ_SCHEMA, Path.root, false);
}

export function requestShapeErrors(request: CertificateRequest): FieldError[] {
  return check(request, REQUEST_SCHEMA, Path.root, false);
}

/** `strict` also looks at which texts are allowed and at entries given twice. */
function check(value: unknown, schema: SchemaData, path: FieldPath, strict: boolean): FieldError[] {
  const got = typeName(value);
  const want = schema.type as string;
  if (got !== want) {
    return [typeInvalid(path, got, `${path} in body must be of type ${want}: ${JSON.stringify(got)}`)];
  }
  if (got === "array") return checkList(value as readonly unknown[], schema, path, strict);
  if (got === "object") return checkObject(value as Readonly<Record<string, unknown>>, schema, path, strict);
  const names = schema.enum as readonly string[] | undefined;
  return !strict || names === undefined || names.includes(value as string) ? [] : [notSupported(path, value, names)];
}

function checkObject(
  value: Readonly<Record<string, unknown>>,
  schema: SchemaData,
  path: FieldPath,
  strict: boolean,
): FieldError[] {
  const required = (schema.required ?? []) as readonly string[];
  const properties = (schema.properties ?? {}) as Readonly<Record<string, SchemaData>>;
  const others = schema.additionalProperties as SchemaData | undefined;
  const errors = required.filter((name) => !isGiven(value, name)).map((name) => requiredValue(path.child(name)));
  for (const [name, item] of Object.entries(value)) {
    const isField = Object.hasOwn(properties, name);
    const below = isField ? properties[name] : others;
    // A field that is null is absent; an entry of a map is not.
    if (below === undefined || (isField && (item === null || item === undefined))) continue;
    pushAll(errors, check(item, below, path.child(name), strict));
  }
  return errors;
}

const isGiven = (value: object, name: string): boolean =>
  Object.hasOwn(value, name) && ((value as Record<string, unknown>)[name] ?? undefined) !== undefined;

function checkList(list: readonly unknown[], schema: SchemaData, path: FieldPath, strict: boolean): FieldError[] {
  const errors = list.flatMap((item, i) => check(item, schema.items as SchemaData, path.index(i), strict));
  const [key] = (schema["x-kubernetes-list-map-keys"] ?? []) as readonly string[];
  if (!strict || key === undefined || errors.length > 0) return errors;
  const seen = new Set<unknown>();
  for (const [i, item] of list.entries()) {
    const id = (item as Readonly<Record<string, unknown>>)[key];
    if (seen.has(id)) errors.push(duplicateValue(path.index(i), { [key]: id }));
    seen.add(id);
  }
  return errors;
}

/** The name that JSON schemas have for a type. */
function typeName(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "bigint" ? "integer" : typeof value;
}
