// From a client's body or a stored object to the object that is validated: metadata decoded, unknown fields pruned, nulls dropped, defaults
// filled in.

import { isRecord, type JsonObject, jsonKind, pushAll, quoteGo } from "@celadon/base";
import { gvkOf, unknownFieldText } from "@celadon/kube";
import { type FieldPath, fieldErrorText, fieldPath } from "@celadon/kube/errors";
import { badRequest, requestEntityTooLarge, type Status } from "@celadon/kube/status";
import { DecodeFailure } from "../decode.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { isTooDeep, TOO_DEEP } from "../value/depth.ts";
import { decodeMetadata, decodeMetadataLeniently } from "./decode-metadata.ts";
import { coerceEmbedded } from "./embedded.ts";
import { dropNulls, fillDefaults, TooManyDefaults } from "./fill-defaults.ts";
import { prune } from "./prune.ts";

/** The treatment of unknown fields: refused, dropped with a warning, or dropped. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

export interface DecodeContext {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: JsonSchema | undefined;
  /** Whether nothing is pruned, as in definitions from before schemas were structural. */
  readonly preserveUnknownFields?: boolean;
}

/** Characters of JSON that defaults may add to a client's object: no store accepts so much, and kube-apiserver answers with all of it. */
const MOST_DEFAULTS = 8 * 1024 * 1024;

/** An object as it was read: pruned and with defaults. */
export interface DecodedObject {
  readonly object: JsonObject;
  /** The dropped fields. */
  readonly unknown: readonly FieldPath[];
}

/** An object as a client sent it, or as it was merged from an applied configuration. */
export function decodeObject(
  given: JsonObject,
  context: DecodeContext,
  origin: "client" | "merge" = "client",
): DecodedObject | Status {
  const wrong = unreadable(given, context);
  if (wrong) return wrong;
  try {
    return decode(given, context, origin);
  } catch (thrown) {
    if (thrown instanceof TooManyDefaults) return requestEntityTooLarge(thrown.message);
    if (!(thrown instanceof DecodeFailure)) throw thrown;
    return cannotBeHandled(context, thrown.message);
  }
}

function cannotBeHandled({ kind, version }: Pick<DecodeContext, "kind" | "version">, reason: string): Status {
  return badRequest(`${kind} in version ${quoteGo(version)} cannot be handled as a ${kind}: ${reason}`);
}

/** The error for something that is not an object, or is nested too deeply. */
export function unreadable(given: unknown, context: Pick<DecodeContext, "kind" | "version">): Status | undefined {
  if (!isRecord(given)) return cannotBeHandled(context, `an object is wanted, not ${jsonKind(given)}`);
  return isTooDeep(given) ? cannotBeHandled(context, TOO_DEEP) : undefined;
}

/** An object as a store holds it: values that do not fit the schema any more are dropped silently. */
export function decodeStored(given: JsonObject, context: DecodeContext): JsonObject {
  return decode(given, context, "store").object;
}

/** An object as a webhook converted it: values that do not fit the schema are dropped silently, and no defaults are filled in. */
export function decodeConverted(given: JsonObject, context: DecodeContext): JsonObject {
  return decode(given, context, "conversion").object;
}

function decode(
  given: JsonObject,
  context: DecodeContext,
  origin: "client" | "merge" | "store" | "conversion",
): DecodedObject {
  const { schema, group, kind } = context;
  const stored = origin === "store" || origin === "conversion";
  const unknown: FieldPath[] = [];
  let object = given;
  if (Object.hasOwn(given, "metadata")) {
    const decoded = stored ? decodeMetadataLeniently(given.metadata) : decodeMetadata(given.metadata);
    pushAll(
      unknown,
      decoded.unknown.map((path) => fieldPath("metadata").below(path)),
    );
    object = { ...given, metadata: decoded.metadata };
  }
  const gvk = gvkOf(given as { apiVersion?: unknown; kind?: unknown });
  // Objects of another kind pass through here too, and are refused later.
  if (gvk.group !== group || gvk.kind !== kind || schema === undefined) return { object, unknown };
  if (!context.preserveUnknownFields) {
    const pruned: FieldPath[] = [];
    object = prune(object, schema, true, pruned) as JsonObject;
    pushAll(unknown, pruned);
    // A merged object is not read again: a null that was applied stays, and is validated.
    if (origin !== "merge") object = dropNulls(object, schema) as JsonObject;
  }
  const coerced = coerceEmbedded(object, schema, stored);
  if (!("unknown" in coerced)) throw new DecodeFailure(fieldErrorText(coerced), coerced.path);
  pushAll(unknown, coerced.unknown);
  if (origin === "conversion") return { object: coerced.value as JsonObject, unknown };
  object = fillDefaults(coerced.value, schema, stored ? undefined : MOST_DEFAULTS) as JsonObject;
  return { object, unknown };
}

export function strictError(kind: string, version: string, unknown: readonly FieldPath[]): Status {
  const fields = unknown.map(unknownFieldText).join(", ");
  return cannotBeHandled({ kind, version }, `strict decoding error: ${fields}`);
}
