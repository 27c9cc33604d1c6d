// The scale subresource: paths into a custom resource, the Scale object made of it, and the values allowed at those paths.

import { formatGoValue, goTypeName, isRecord, type JsonObject, own, setOwn } from "@celadon/base";
import { type FieldError, fieldPath, invalidValue } from "@celadon/kube/errors";
import { isInteger, numberOf } from "../json.ts";

/** The places of a Scale's numbers in the object. */
export interface ScaleSubresource {
  readonly specReplicasPath?: string;
  readonly statusReplicasPath?: string;
  readonly labelSelectorPath?: string;
}

const MAX_INT32 = 2 ** 31 - 1;

function steps(path: string): string[] {
  return path.replace(/^\./, "").split(".");
}

type Found = { readonly value: unknown } | { readonly error: string };

/** The value at a path; undefined if it is absent. */
function find(object: unknown, path: readonly string[]): Found {
  let value = object;
  for (let i = 0; i < path.length; i++) {
    if (!isRecord(value)) {
      if (value === null || value === undefined) return { value: undefined };
      const at = `.${path.slice(0, i + 1).join(".")}`;
      const shown = `${formatGoValue(value)} is of the type ${goTypeName(value)}`;
      return { error: `${at} accessor error: ${shown}, expected map[string]interface{}` };
    }
    value = own(value, path[i]!);
  }
  return { value: value ?? undefined };
}

/** The same, where only a value of one type will do. */
function typedValue(object: unknown, path: string, type: "int64" | "string"): Found {
  const found = find(object, steps(path));
  if ("error" in found || found.value === undefined) return found;
  const fits = type === "int64" ? isInteger(found.value) : typeof found.value === "string";
  if (fits) return found;
  const shown = `${formatGoValue(found.value)} is of the type ${goTypeName(found.value)}`;
  return { error: `.${steps(path).join(".")} accessor error: ${shown}, expected ${type}` };
}

function replicasErrors(object: unknown, path: string): FieldError[] {
  const found = typedValue(object, path, "int64");
  const here = fieldPath(path);
  if ("error" in found) return [invalidValue(here, 0, found.error)];
  const replicas = numberOf(found.value ?? 0);
  if (replicas < 0) return [invalidValue(here, found.value, "should be a non-negative integer")];
  if (replicas > MAX_INT32) return [invalidValue(here, found.value, `should be less than or equal to ${MAX_INT32}`)];
  return [];
}

export function scaleSpecErrors(object: unknown, scale: ScaleSubresource | undefined): FieldError[] {
  return scale === undefined ? [] : replicasErrors(object, scale.specReplicasPath ?? "");
}

export function scaleStatusErrors(object: unknown, scale: ScaleSubresource | undefined): FieldError[] {
  if (scale === undefined) return [];
  const errors = replicasErrors(object, scale.statusReplicasPath ?? "");
  const { labelSelectorPath } = scale;
  if (labelSelectorPath === undefined) return errors;
  const found = typedValue(object, labelSelectorPath, "string");
  if ("error" in found) errors.push(invalidValue(fieldPath(labelSelectorPath), "", found.error));
  return errors;
}

/** An object of the scale subresource. */
export interface Scale {
  readonly apiVersion: "autoscaling/v1";
  readonly kind: "Scale";
  readonly metadata: JsonObject;
  readonly spec: { readonly replicas?: number };
  readonly status: { readonly replicas: number; readonly selector?: string };
}

/** The Scale that a custom resource is seen as; a text when it has no number of replicas. */
export function toScale(object: JsonObject, scale: ScaleSubresource): Scale | string {
  const spec = typedValue(object, scale.specReplicasPath ?? "", "int64");
  const status = typedValue(object, scale.statusReplicasPath ?? "", "int64");
  if ("error" in spec) return spec.error;
  if ("error" in status) return status.error;
  if (spec.value === undefined)
    return `the spec replicas field ${JSON.stringify(scale.specReplicasPath)} does not exist`;
  const { labelSelectorPath } = scale;
  const selector = labelSelectorPath ? typedValue(object, labelSelectorPath, "string") : { value: undefined };
  if ("error" in selector) return selector.error;
  const metadata: JsonObject = {};
  const given = isRecord(object.metadata) ? object.metadata : {};
  for (const key of ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"]) {
    if (Object.hasOwn(given, key)) metadata[key] = given[key];
  }
  const replicas = numberOf(spec.value);
  return {
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata,
    spec: replicas === 0 ? {} : { replicas },
    status: {
      replicas: numberOf(status.value ?? 0),
      ...(typeof selector.value === "string" && selector.value !== "" && { selector: selector.value }),
    },
  };
}

/** A custom resource with the replicas of a Scale. */
export function withReplicas(object: JsonObject, scale: ScaleSubresource, replicas: number): JsonObject {
  return setAt(object, steps(scale.specReplicasPath ?? ""), replicas);
}

function setAt(object: unknown, [first = "", ...rest]: readonly string[], value: unknown): JsonObject {
  const copy: JsonObject = isRecord(object) ? { ...object } : {};
  setOwn(copy, first, rest.length === 0 ? value : setAt(own(copy, first), rest, value));
  return copy;
}
