// The parts of a write outside admission. Mutation runs between its two halves: decoding (pruning, defaults), and
// finishing (fields that the server sets, then validation).

import type { JsonObject } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import { gvkOf, inForce, type KubeObject, unknownFieldText } from "@celadon/kube";
import { withServerDefaults } from "@celadon/kube/defaults";
import type { FieldPath } from "@celadon/kube/errors";
import type { Schema } from "@celadon/kube/schemas";
import { badRequest, type Status } from "@celadon/kube/status";
import { roleOf } from "../manifest/roles.ts";
import type { Problem } from "../outcome/outcome.ts";
import { unknownFieldProblems } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { knownSchema } from "./known-schema.ts";
import { builtinStored, withStoredMetadata } from "./system-fields.ts";

/** The result of one half. */
export interface Half {
  /** The Status with which the request ends here. */
  readonly status?: Status;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
}

export interface Decoded extends Half {
  /** The object as mutating admission sees it. */
  readonly object: KubeObject | null;
  /** The object could not be decoded, so nothing else is checked. */
  readonly unreadable?: true;
}

export interface Finished extends Half {
  /** The object as validating admission sees it: with the fields that the server fills in. */
  readonly object: KubeObject | null;
}

export interface ObjectStage {
  decode(): Decoded;
  /** The existing object, as its clients read it. The code that reads it may have to be loaded first. */
  old(): KubeObject | null | Promise<KubeObject | null>;
  /** Finishes the object as it was decoded, or as mutation changed it since. */
  finish(object: KubeObject | null, old: KubeObject | null): Finished | Promise<Finished>;
  /** The object of `finish` alone, where that can be had without validating it. */
  prepare?(object: KubeObject | null, old: KubeObject | null): KubeObject | null | Promise<KubeObject | null>;
}

/** The same stage for several reviews, each of which finishes the decoded object: every step happens once. */
export function takenOnce(stage: ObjectStage): ObjectStage {
  let decoded: Decoded | undefined;
  let old: ReturnType<ObjectStage["old"]> | undefined;
  let finished: ReturnType<ObjectStage["finish"]> | undefined;
  return {
    decode: () => (decoded ??= stage.decode()),
    old: () => (old ??= stage.old()),
    finish: (object, before) => (finished ??= stage.finish(object, before)),
  };
}

/** A stage that leaves the object unchanged. */
export function passing(object: KubeObject | null, old: () => KubeObject | null): ObjectStage {
  return {
    decode: () => ({ object, problems: [], warnings: [] }),
    old,
    finish: (given) => ({ object: given, problems: [], warnings: [] }),
  };
}

/** An object without a kind is not decoded. */
export function typeMetaStatus(object: KubeObject): Status | undefined {
  for (const key of ["apiVersion", "kind"] as const) {
    const value: unknown = Object.hasOwn(object, key) ? object[key] : undefined;
    if (typeof value === "string" || value === undefined || value === null) continue;
    const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    const text = `json: cannot unmarshal ${found} into Go struct field .${key} of type string`;
    return badRequest(`couldn't get version/kind; json parse error: ${text}`);
  }
  return undefined;
}

/** An existing object, as its clients read it. */
export function storedAs(cluster: ReviewHost, version: ResourceVersion | undefined, object: KubeObject): KubeObject {
  if (typeMetaStatus(object) !== undefined) return object;
  if (version !== undefined) {
    return withStoredMetadata(version.read(object as JsonObject) as KubeObject, { generation: 1 });
  }
  const definition = roleOf(object) === "definition" ? inForce(cluster.accepted(object)) : undefined;
  if (definition !== undefined) return withStoredMetadata(definition as KubeObject);
  return cluster.options.serverDefaults === false
    ? object
    : builtinStored(withServerDefaults(object, cluster.options.kubeVersion));
}

/** Unknown fields: rejected, warned about or dropped, as the client requests. */
export function unknownFieldHalf(
  { options }: ReviewHost,
  object: KubeObject,
  fields: readonly FieldPath[],
  schemaOf: () => Schema | undefined = () => knownSchema(object),
): Half {
  const { fieldValidation = "Strict" } = options;
  if (fields.length === 0 || fieldValidation === "Ignore") return { problems: [], warnings: [] };
  const problems = unknownFieldProblems(fields, fieldValidation === "Strict", schemaOf());
  const texts = fields.map(unknownFieldText);
  if (fieldValidation === "Warn") return { problems, warnings: texts };
  const { kind, version } = gvkOf(object);
  const status = badRequest(
    `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${texts.join(", ")}`,
  );
  return { status, problems, warnings: [] };
}
