// Policies and bindings as they are written → as the API server holds them: unknown fields dropped and named, values of a wrong
// type refused in its words, empty fields left out, older versions read as v1. Defaults are set by defaults.ts.

import { Double, isRecord } from "@celadon/base";
import { parseGroupVersion, unknownFieldText } from "@celadon/kube";
import { FieldPath, Invalid } from "@celadon/kube/errors";
import type { Binding, Policy } from "../policy.ts";
import { type FieldType, structOf } from "./struct-types.ts";

/** The resource that was read, or why it cannot be read; and its unknown fields. */
export interface ReadResource<R> {
  /** Undefined when there is an error. */
  readonly resource: R | undefined;
  /** The error as the API server answers it, with 400. */
  readonly error: string | undefined;
  /** The value that is not of its field's type. */
  readonly errorAt?: FieldPath;
  /** Fields the resource does not have, in the order of the document. */
  readonly unknownFields: readonly FieldPath[];
}

/** The kind of a policy or binding. */
export type PolicyResourceKind = (Policy | Binding)["kind"];

/** The resource of a kind. */
export type ResourceOf<K extends PolicyResourceKind> = Extract<Policy | Binding, { readonly kind: K }>;

const KINDS: ReadonlySet<string> = new Set<PolicyResourceKind>([
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

/** The API group of policies, bindings and webhook configurations. */
export const ADMISSION_REGISTRATION = "admissionregistration.k8s.io";
const VERSIONS: ReadonlySet<string> = new Set(["v1", "v1beta1", "v1alpha1"]);

/** The kind of policy resource an object is, in any version; undefined if it is not one. */
export function policyResourceKind(object: unknown): PolicyResourceKind | undefined {
  if (!isRecord(object) || typeof object.apiVersion !== "string") return undefined;
  const gv = parseGroupVersion(object.apiVersion);
  if (gv instanceof Invalid || gv.group !== ADMISSION_REGISTRATION || !VERSIONS.has(gv.version)) return undefined;
  const { kind } = object;
  return typeof kind === "string" && KINDS.has(kind) ? (kind as PolicyResourceKind) : undefined;
}

/** Reads a document as v1 of the kind. Fields with other defaults in v1alpha1 are filled in here. */
export function readPolicyResource<K extends PolicyResourceKind>(
  document: unknown,
  kind: K,
): ReadResource<ResourceOf<K>> {
  const reader = new Reader();
  const version = isRecord(document) ? (String(document.apiVersion ?? "").split("/")[1] ?? "v1") : "v1";
  const read = reader.struct(isRecord(document) ? document : {}, kind, "", FieldPath.root);
  const unknownFields = reader.unknown;
  if (reader.error !== undefined) {
    const error = `${kind} in version "${version}" cannot be handled as a ${kind}: json: ${reader.error}`;
    return { resource: undefined, error, errorAt: reader.errorAt, unknownFields };
  }
  const resource = { ...read, kind, apiVersion: `${ADMISSION_REGISTRATION}/v1` };
  return {
    resource: (version === "v1alpha1" ? withAlphaDefaults(resource) : resource) as ResourceOf<K>,
    error: undefined,
    unknownFields,
  };
}

/** The error for unknown fields if they are rejected (`fieldValidation=Strict`). */
export function strictDecodingError(
  kind: PolicyResourceKind,
  version: string,
  unknownFields: readonly FieldPath[],
): string {
  const texts = unknownFields.map(unknownFieldText).join(", ");
  return `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts}`;
}

// Since v1beta1 there is no default.
function withAlphaDefaults(resource: Record<string, unknown>): Record<string, unknown> {
  const spec = resource.spec as Record<string, unknown>;
  const { paramRef } = spec;
  if (!isRecord(paramRef) || paramRef.parameterNotFoundAction !== undefined) return resource;
  return { ...resource, spec: { ...spec, paramRef: { ...paramRef, parameterNotFoundAction: "Deny" } } };
}

const ABSENT = Symbol("absent");

class Reader {
  readonly unknown: FieldPath[] = [];
  /** The first error; decoding continues to the end, but only this one is reported. */
  error: string | undefined;
  errorAt: FieldPath = FieldPath.root;

  /** `path` as errors show it, `at` with the places in lists. */
  struct(data: Record<string, unknown>, name: string, path: string, at: FieldPath): Record<string, unknown> {
    const fields = structOf(name);
    const result: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(data)) {
      const below = at.child(key);
      const type = fields.get(key);
      if (type === undefined) {
        this.unknown.push(below);
        continue;
      }
      const read = this.value(value, type, { struct: name, path: path === "" ? key : `${path}.${key}` }, below);
      if (read !== ABSENT) result[key] = read;
    }
    for (const [key, type] of fields) {
      if (Object.hasOwn(result, key)) continue;
      if (type.is === "struct" && type.pointer !== true) result[key] = this.struct({}, type.name, "", FieldPath.root);
      if (type.is === "text" && type.always === true) result[key] = "";
    }
    return result;
  }

  private value(value: unknown, type: FieldType, place: Place, at: FieldPath): unknown {
    if (value === null || value === undefined) return ABSENT;
    switch (type.is) {
      case "text":
        if (typeof value !== "string") return this.wrong(value, type.go, place, at);
        return value === "" && type.pointer !== true && type.always !== true ? ABSENT : value;
      case "int":
        return this.int(value, type.go, place, at);
      case "bool":
        return typeof value === "boolean" ? value : this.wrong(value, type.go, place, at);
      case "time":
        return typeof value === "string" ? value : this.wrong(value, "string", place, at);
      case "any":
        return value;
      case "list":
        return this.list(value, type, place, at);
      case "map":
        return this.map(value, type, place, at);
      case "struct":
        if (!isRecord(value)) return this.wrong(value, `v1.${type.name}`, place, at);
        return this.struct(value, type.name, place.path, at);
    }
  }

  private int(value: unknown, go: string, place: Place, at: FieldPath): unknown {
    if (typeof value === "bigint") return value;
    if (typeof value === "number")
      return Number.isInteger(value) ? value : this.wrong(value, go, place, at, ` ${value}`);
    // written with a point or an exponent
    return this.wrong(value, go, place, at, value instanceof Double ? ` ${value.value}.0` : "");
  }

  private list(value: unknown, type: Extract<FieldType, { is: "list" }>, place: Place, at: FieldPath): unknown {
    if (!Array.isArray(value)) return this.wrong(value, type.go, place, at);
    if (value.length === 0) return ABSENT;
    return value.map((item, i) => {
      const read = this.value(item, type.of, place, at.index(i));
      return read === ABSENT ? this.empty(type.of) : read;
    });
  }

  private map(value: unknown, type: Extract<FieldType, { is: "map" }>, place: Place, at: FieldPath): unknown {
    if (!isRecord(value)) return this.wrong(value, type.go, place, at);
    const entries = Object.entries(value).map(([key, item]) => {
      const read = this.value(item, type.of, place, at.child(key));
      return [key, read === ABSENT ? this.empty(type.of) : read] as const;
    });
    return entries.length === 0 ? ABSENT : Object.fromEntries(entries);
  }

  /** The value that null has in a list. */
  private empty(type: FieldType): unknown {
    if (type.is === "struct") return this.struct({}, type.name, "", FieldPath.root);
    return type.is === "text" ? "" : null;
  }

  private wrong(value: unknown, go: string, { struct, path }: Place, at: FieldPath, shown = ""): typeof ABSENT {
    if (this.error === undefined) this.errorAt = at;
    this.error ??= `cannot unmarshal ${jsonKind(value)}${shown} into Go struct field ${struct}.${path} of type ${go}`;
    return ABSENT;
  }
}

interface Place {
  readonly struct: string;
  readonly path: string;
}

function jsonKind(value: unknown): string {
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  if (Array.isArray(value)) return "array";
  return isRecord(value) ? "object" : "number";
}
