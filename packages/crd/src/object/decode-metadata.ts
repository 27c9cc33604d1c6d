// Object metadata as the server decodes it: unknown keys are dropped and reported, a value of the wrong type is refused or,
// where data are already stored, dropped too.

import { compareStrings, isRecord, type JsonObject, pushAll, setOwn } from "@celadon/base";
import type { ObjectMeta } from "@celadon/kube";
import { FieldPath } from "@celadon/kube/errors";
import { DecodeFailure, Decoding, type Struct, structOf } from "../decode.ts";

const text = (name: string): [string, string, "string"] => [name, name, "string"];

// biome-ignore format: one field per line
const OWNER: Struct = structOf("OwnerReference", [
  text("apiVersion"), text("kind"), text("name"), text("uid"),
  ["controller", "Controller", "bool?"],
  ["blockOwnerDeletion", "BlockOwnerDeletion", "bool?"],
]);

const MANAGED: Struct = structOf("ManagedFieldsEntry", [
  text("manager"),
  text("operation"),
  text("apiVersion"),
  ["time", "Time", "time"],
  text("fieldsType"),
  ["fieldsV1", "FieldsV1", "json?"],
  text("subresource"),
]);

/** Values by key, all of them texts. */
const TEXTS = {
  custom: {
    decode(value: unknown, _decoding: Decoding, path: FieldPath): readonly (readonly [string, unknown])[] {
      const name = String(path.steps.at(-1) ?? "");
      if (!isRecord(value)) throw new DecodeFailure(wrongType(value, path, "map[string]string"), path);
      const result: JsonObject = {};
      for (const key of Object.keys(value)) {
        const item = value[key];
        if (item !== null && typeof item !== "string")
          throw new DecodeFailure(wrongType(item, path, "string"), path.child(key));
        setOwn(result, key, item ?? "");
      }
      return Object.keys(result).length === 0 ? [] : [[name, result]];
    },
    toGo: (): unknown => null,
  },
};

function wrongType(value: unknown, path: FieldPath, type: string): string {
  const kind = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${kind} into Go struct field ObjectMeta.${path} of type ${type}`;
}

// biome-ignore format: one field per line
const METADATA: Struct = structOf("ObjectMeta", [
  text("name"), text("generateName"), text("namespace"), text("selfLink"), text("uid"), text("resourceVersion"),
  ["generation",                 "Generation",                 "int"],
  ["creationTimestamp",          "CreationTimestamp",          "time"],
  ["deletionTimestamp",          "DeletionTimestamp",          "time"],
  ["deletionGracePeriodSeconds", "DeletionGracePeriodSeconds", "int?"],
  ["labels",                     "Labels",                     TEXTS],
  ["annotations",                "Annotations",                TEXTS],
  ["ownerReferences",            "OwnerReferences",            { structs: () => OWNER }],
  ["finalizers",                 "Finalizers",                 "string[]"],
  ["managedFields",              "ManagedFields",              { structs: () => MANAGED }],
]);

export interface DecodedMetadata {
  readonly metadata: ObjectMeta & JsonObject;
  /** Below the metadata. */
  readonly unknown: readonly FieldPath[];
}

/** Throws a DecodeFailure for a value of the wrong type. Paths are those below the metadata. */
export function decodeMetadata(value: unknown): DecodedMetadata {
  const decoding = new Decoding();
  try {
    const metadata = decoding.struct(value, METADATA, FieldPath.root) as ObjectMeta & JsonObject;
    return { metadata, unknown: inOrder(decoding.unknown) };
  } catch (thrown) {
    if (thrown instanceof DecodeFailure) throw reported(value) ?? thrown;
    throw thrown;
  }
}

function inOrder(paths: readonly FieldPath[]): readonly FieldPath[] {
  return paths.length < 2 ? paths : [...paths].sort((a, b) => compareStrings(a.toString(), b.toString()));
}

/** Chooses the failure that Go reports: it reads keys in order, and a bad time ends it while other bad values do not. */
function reported(value: unknown): DecodeFailure | undefined {
  return failureOf(timesOf(value)) ?? failureOf(sorted(value));
}

function failureOf(value: unknown): DecodeFailure | undefined {
  try {
    new Decoding().struct(value, METADATA, FieldPath.root);
    return undefined;
  } catch (thrown) {
    if (thrown instanceof DecodeFailure) return thrown;
    throw thrown;
  }
}

function timesOf(value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const { creationTimestamp, deletionTimestamp, managedFields } = value;
  const times = Array.isArray(managedFields)
    ? managedFields.map((item) => (isRecord(item) ? { time: item.time } : {}))
    : [];
  return { creationTimestamp, deletionTimestamp, managedFields: times };
}

/** Deeper than metadata has fields, order does not matter. */
const DEEPEST = 4;

function sorted(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (!isRecord(value)) return value;
  const result: JsonObject = {};
  for (const key of Object.keys(value).sort(compareStrings)) setOwn(result, key, sorted(value[key], depth + 1));
  return result;
}

/** The same, without members of the wrong type. */
export function decodeMetadataLeniently(value: unknown): DecodedMetadata {
  try {
    return decodeMetadata(value);
  } catch (thrown) {
    if (!(thrown instanceof DecodeFailure)) throw thrown;
  }
  const metadata: ObjectMeta & JsonObject = {};
  const unknown: FieldPath[] = [];
  if (!isRecord(value)) return { metadata, unknown };
  for (const key of Object.keys(value)) {
    try {
      const decodedMetadata = decodeMetadata({ [key]: value[key] });
      Object.assign(metadata, decodedMetadata.metadata);
      pushAll(unknown, decodedMetadata.unknown);
    } catch (thrown) {
      if (!(thrown instanceof DecodeFailure)) throw thrown;
    }
  }
  return { metadata, unknown };
}
