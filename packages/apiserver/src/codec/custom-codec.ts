// Bodies and stored objects of custom resources, by the schema of their definition.

import type { JsonObject, ResourceVersion } from "@celadon/crd";
import {
  badRequest,
  type FieldPath,
  gvkOf,
  type KubeObject,
  quoteGo,
  type Status,
  unknownFieldText,
} from "@celadon/kube";
import type { Draft } from "../kinds/draft.ts";
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
  if (typeof value === "object" && value !== null && (kind === undefined || kind === "")) {
    const shown = JSON.stringify(value);
    throw new StatusError(unrecognized(resource, `Object 'Kind' is missing in '${shown}'`, shown));
  }
  const gvk = gvkOf((value ?? {}) as object);
  if (typeof apiVersion === "string" && (gvk.group !== resource.group || gvk.version !== resource.version)) {
    const given = apiVersionText(gvk);
    const text = `the API version in the data (${given}) does not match the expected API version (${resource.apiVersion})`;
    throw new StatusError(badRequest(text));
  }
  const decoded = version.decode(value as JsonObject);
  if (!("unknown" in decoded)) throw new StatusError(decoded);
  if (decoding.fieldValidation !== "Ignore" && (duplicates.length > 0 || decoded.unknown.length > 0)) {
    refuseOrWarn(resource, duplicates, decoded.unknown, decoding);
  }
  const draft = decoded.object as unknown as Draft;
  draft.metadata ??= {};
  return draft;
}

function refuseOrWarn(
  resource: ServedResource,
  duplicates: readonly string[],
  unknown: readonly FieldPath[],
  decoding: Decoding,
): void {
  const texts = [...duplicates.map((path) => `duplicate field ${quoteGo(path)}`), ...unknown.map(unknownFieldText)];
  if (decoding.fieldValidation !== "Strict") {
    for (const text of texts) decoding.warn(text);
    return;
  }
  const { kind, version } = resource;
  const reason = `strict decoding error: ${texts.join(", ")}`;
  throw new StatusError(badRequest(`${kind} in version ${quoteGo(version)} cannot be handled as a ${kind}: ${reason}`));
}

function unrecognized({ kind }: ServedResource, reason: string, text: string): Status {
  const summary = text.length > 30 ? `${text.slice(0, 30)} ...` : text;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${reason} (${summary})`);
}
