// Bodies and stored objects of custom resources, by the schema of their definition.

import { type JsonObject, quoteGo, toJson } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import { gvkOf, type KubeObject, unknownFieldText } from "@celadon/kube";
import type { FieldPath } from "@celadon/kube/errors";
import { badRequest, type Status } from "@celadon/kube/status";
import { jsonType } from "@celadon/kube/types";
import { repeatedKeysText } from "@celadon/kube/validation";
import type { Draft } from "@celadon/write";
import { apiVersionText, type ServedResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Codec, Decoding } from "./codec.ts";
import { readPlain } from "./plain-value.ts";

/** `definedAt` is the revision of the definition. */
export function customCodec(resource: ServedResource, version: ResourceVersion, definedAt: number): Codec {
  const isStorageVersion = resource.version === resource.storage.version;
  const decode = (value: unknown, duplicates: readonly string[], decoding: Decoding): Draft =>
    decodeCustom(resource, version, value, duplicates, decoding);
  return {
    resource,
    isStorageVersion,
    currentSince: () => definedAt,
    decodeJson(text, decoding) {
      const body = readPlain(text);
      if ("error" in body) throw new StatusError(unrecognized(resource, body.error, text));
      return decode(body.value, body.duplicates, decoding);
    },
    decode: (value, decoding) => decode(value, [], decoding),
    fromStorage: (object) => version.read(object as JsonObject) as KubeObject,
    toStorage: (object) => (isStorageVersion ? object : toStorage(object, version)),
    stored: (object) => version.stored(object as JsonObject) as KubeObject,
  };
}

/** For definitions with a conversion webhook, whose objects come from a table of this very version. */
export function webhookCodec(
  resource: ServedResource,
  version: ResourceVersion,
  convert: (object: KubeObject, to: ResourceVersion) => Promise<KubeObject>,
): Codec {
  const { type } = version;
  const storage = type.version(type.storageVersion)!;
  const { currentSince: _, ...codec } = customCodec(resource, version, 0);
  return {
    ...codec,
    isStorageVersion: true,
    fromStorage: (object) => object,
    toStorage: (object) => (storage === version ? object : convert(object, storage)),
    stored: (object) => object,
  };
}

function toStorage(object: KubeObject, version: ResourceVersion): KubeObject {
  const { type } = version;
  return type.version(type.storageVersion)!.read(object as JsonObject) as KubeObject;
}

function decodeCustom(
  resource: ServedResource,
  version: ResourceVersion,
  value: unknown,
  duplicates: readonly string[],
  decoding: Decoding,
): Draft {
  const { kind, apiVersion } = (value ?? {}) as { kind?: unknown; apiVersion?: unknown };
  const odd = oddTypeMeta(value);
  if (odd !== undefined) throw new StatusError(unrecognized(resource, odd, toJson(value)));
  if (typeof value === "object" && value !== null && (kind === undefined || kind === null || kind === "")) {
    const shown = toJson(value);
    throw new StatusError(unrecognized(resource, `Object 'Kind' is missing in '${shown}'`, shown));
  }
  if (apiVersion === null) {
    const problem = ".apiVersion accessor error: <nil> is of the type <nil>, expected string";
    const text = `${String(kind)} in version "" cannot be handled as a ${resource.kind}: ${problem}`;
    throw new StatusError(badRequest(text));
  }
  const gvk = gvkOf((value ?? {}) as object);
  if (typeof apiVersion === "string" && (gvk.group !== resource.group || gvk.version !== resource.version)) {
    const given = apiVersionText(gvk);
    const text = `the API version in the data (${given}) does not match the expected API version (${resource.apiVersion})`;
    throw new StatusError(badRequest(text));
  }
  const decoded = version.decode(value as JsonObject, decoding.isMerged === true ? "merge" : "client");
  if (!("unknown" in decoded)) throw new StatusError(decoded);
  if (decoding.fieldValidation !== "Ignore") refuseOrWarn(resource, duplicates, decoded.unknown, decoding);
  const draft = decoded.object as Draft;
  draft.metadata ??= {};
  return draft;
}

/** Why version and kind cannot be read: the first of them that is not a string. */
function oddTypeMeta(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  for (const [field, given] of Object.entries(value)) {
    if ((field !== "kind" && field !== "apiVersion") || typeof given === "string" || given === null) continue;
    const problem = `json: cannot unmarshal ${jsonType(given)} into Go struct field .${field} of type string`;
    return `couldn't get version/kind; json parse error: ${problem}`;
  }
  return undefined;
}

function refuseOrWarn(
  resource: ServedResource,
  duplicates: readonly string[],
  unknown: readonly FieldPath[],
  decoding: Decoding,
): void {
  const { repeated = [] } = decoding;
  const texts = [...duplicates.map((path) => `duplicate field ${quoteGo(path)}`), ...unknown.map(unknownFieldText)];
  if (decoding.fieldValidation !== "Strict" || repeated.length + texts.length === 0) {
    for (const text of [...repeated, ...texts]) decoding.warn(text);
    return;
  }
  if (repeated.length > 0) texts.unshift(repeatedKeysText(repeated));
  const { kind, version } = resource;
  const reason = `strict decoding error: ${texts.join(", ")}`;
  throw new StatusError(badRequest(`${kind} in version ${quoteGo(version)} cannot be handled as a ${kind}: ${reason}`));
}

function unrecognized({ kind }: ServedResource, reason: string, text: string): Status {
  const summary = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${reason} (${summary})`);
}
