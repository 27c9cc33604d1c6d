// Object metadata as the server decodes it: unknown keys are dropped and reported, a value of the wrong type is refused or,
// where data are already stored, dropped too.

import { isRecord, type JsonObject, setOwn } from "@celadon/base";
import { FieldPath, type ObjectMeta } from "@celadon/kube";
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
  ["time", "Time", "string"],
  text("fieldsType"),
  ["fieldsV1", "FieldsV1", "json?"],
  text("subresource"),
]);

/** Texts by key, none of which is anything but a text. */
const TEXTS = {
  custom: {
    decode(value: unknown, _decoding: Decoding, path: FieldPath): readonly (readonly [string, unknown])[] {
      const name = String(path.steps.at(-1) ?? "");
      if (!isRecord(value)) throw new DecodeFailure(wrongType(value, path, "map[string]string"), path);
      const result: JsonObject = {};
      for (const key of Object.keys(value)) {
        const one = value[key];
        if (one !== null && typeof one !== "string")
          throw new DecodeFailure(wrongType(one, path, "string"), path.child(key));
        setOwn(result, key, one ?? "");
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
  ["creationTimestamp",          "CreationTimestamp",          "string"],
  ["deletionTimestamp",          "DeletionTimestamp",          "string"],
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
  const metadata = decoding.struct(value, METADATA, FieldPath.root) as ObjectMeta & JsonObject;
  return { metadata, unknown: decoding.unknown };
}

/** The same, without what has the wrong type. */
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
      const one = decodeMetadata({ [key]: value[key] });
      Object.assign(metadata, one.metadata);
      unknown.push(...one.unknown);
    } catch (thrown) {
      if (!(thrown instanceof DecodeFailure)) throw thrown;
    }
  }
  return { metadata, unknown };
}
