// PATCH: the four kinds of patches, each a way to make the next object from the current one.

import { formatGoValue, isRecord, quoteGo, toJson } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { Invalid, invalidValue } from "@celadon/kube/errors";
import { badRequest, failure, invalidObject, notFound } from "@celadon/kube/status";
import { conversionErrorText, decode, jsonType, strictText } from "@celadon/kube/types";
import { repeatedKeysText } from "@celadon/kube/validation";
import { applyJsonPatch, applyMergePatch, applyStrategicPatch } from "@celadon/merge";
import type { Draft } from "@celadon/write";
import { mediaType, parseStrictly, sortedKeys, textOf } from "../codec/body.ts";
import { UndecodableError } from "../codec/builtin-codec.ts";
import type { Codec, Decoding } from "../codec/codec.ts";
import { negotiate } from "../codec/forms.ts";
import { managerName, type WriteOptions, writeOptions } from "../codec/write-options.ts";
import { gvkOfResource, type ServedResource } from "../kinds/resource.ts";
import { unsupportedMediaType } from "../wire/answers.ts";
import type { Answer, Sent } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange, Notes } from "./exchange.ts";
import { readMergePatch, readOperations, readStrategicPatch } from "./patch-body.ts";
import type { Services } from "./services.ts";
import { change } from "./update.ts";

export const JSON_PATCH = "application/json-patch+json";
export const MERGE_PATCH = "application/merge-patch+json";
export const STRATEGIC_PATCH = "application/strategic-merge-patch+json";
export const APPLY_PATCH = "application/apply-patch+yaml";

export async function patch(services: Services, exchange: Exchange): Promise<Answer> {
  const handler = services.handler(exchange.resource);
  const output = negotiate(exchange.call, exchange.query);
  const { options, isApply, next } = await makePatch(services, exchange, handler.codec);
  const allowCreate = isApply && exchange.subresource === "";
  return change(services, handler, exchange, output, { options, allowCreate, uid: undefined, next });
}

/** The error for built-in kinds; definitions name the types that they accept. */
const UNSUPPORTED = failure("UnsupportedMediaType", "415: Unsupported Media Type", {});

export interface Patch {
  readonly options: WriteOptions;
  readonly isApply: boolean;
  /** The patched object; an apply may make one from nothing. */
  next(live: KubeObject | undefined): Draft;
}

type Owning = Pick<Services, "ownership">;

/** The patch of a request, ready to be applied to objects of the codec's kind. */
export async function makePatch(services: Owning, exchange: Exchange, codec: Codec): Promise<Patch> {
  const { call, query, resource, subresource, notes } = exchange;
  const type = patchType(call, resource);
  const text = textOf(await call.body());
  const isApply = type === APPLY_PATCH;
  const options = writeOptions(query, "PatchOptions", isApply);
  const manager = { name: managerName(options.fieldManager, call.header("user-agent")), resource, subresource };
  const decoding: Decoding = { ...options, warn: (warning) => notes.warn(warning) };
  const next = isApply
    ? applied(services, readConfiguration(text, notes), manager, options.force, decoding)
    : patched(services, codec, () => mechanism(type, text, codec, decoding.fieldValidation, notes), manager, decoding);
  return { options, isApply, next };
}

/** The type of the patch. Throws a StatusError for types that the resource does not accept. */
export function patchType(call: Sent, { storage }: ServedResource): string {
  const type = mediaType(call);
  const accepted = patchTypes(storage.custom);
  if (accepted.includes(type)) return type;
  throw new StatusError(storage.custom ? unsupportedMediaType(accepted) : UNSUPPORTED);
}

function patchTypes(custom: boolean): readonly string[] {
  return custom ? [JSON_PATCH, MERGE_PATCH, APPLY_PATCH] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH];
}

type Manager = Parameters<Services["ownership"]["update"]>[2];
type Next = (live: KubeObject | undefined) => Draft;

function applied(
  services: Owning,
  { value: configuration, repeated }: ReturnType<typeof parseStrictly>,
  manager: Manager,
  force: boolean,
  decoding: Decoding,
): Next {
  return (live) => {
    const draft = services.ownership.apply(live, configuration, manager, force);
    if (repeated.length === 0 || decoding.fieldValidation === "Ignore") return draft;
    if (decoding.fieldValidation === "Strict") {
      const problem = `error converting YAML to JSON: ${repeatedKeysText(repeated)}`;
      throw new StatusError(badRequest(`error strict decoding YAML: ${problem}`));
    }
    for (const line of repeated) decoding.warn(line);
    return draft;
  };
}

/** Reads the configuration of an apply, which is a map; nothing at all is an empty one. */
function readConfiguration(text: string, notes: Notes): ReturnType<typeof parseStrictly> {
  if (["", "null", "~"].includes(text.trim())) return { value: {}, repeated: [] };
  const read = parseStrictly(text);
  notes.received(read.value);
  if (isRecord(read.value)) return read;
  const why = `json: cannot unmarshal ${jsonType(read.value)} into Go value of type map[string]interface {}`;
  throw new StatusError(badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`));
}

function patched(services: Owning, codec: Codec, read: () => Work, manager: Manager, decoding: Decoding): Next {
  let work: Work | undefined;
  return (live) => {
    // An object that does not exist is reported before a patch that cannot be read.
    if (live === undefined) throw new StatusError(notFound(codec.resource, ""));
    work ??= read();
    return services.ownership.update(live, decodePatched(live, codec, work, decoding), manager);
  };
}

/** A patch that was read. */
interface Work {
  /** A result that is to be quoted has its members as the library writes them. */
  apply(live: KubeObject, isQuoted?: boolean): unknown;
  /** The findings of strict decoding in the patch itself. */
  readonly strict: readonly string[];
  /** The value of a strategic patch, which a refusal quotes; other patches are quoted by their result. */
  readonly strategic?: Record<string, unknown>;
}

function mechanism(
  type: string,
  text: string,
  codec: Codec,
  validation: Decoding["fieldValidation"],
  notes: Notes,
): Work {
  switch (type) {
    case JSON_PATCH: {
      const { value, strict } = readOperations(text, validation);
      notes.received(value);
      const apply = (live: KubeObject, isQuoted?: boolean): unknown => {
        const result = applyJsonPatch(live, value, { isSorted: isQuoted === true });
        if (result instanceof Invalid) throw new StatusError(unprocessable());
        return result;
      };
      return { apply, strict };
    }
    case MERGE_PATCH: {
      const { value, strict } = readMergePatch(text, validation);
      notes.received(value);
      const apply = (live: KubeObject): unknown => {
        const result = applyMergePatch(live as Record<string, unknown>, value, { isSorted: true });
        if (result instanceof Invalid) throw new StatusError(badRequest(result.message));
        return result;
      };
      return { apply, strict };
    }
    default: {
      const { value, strict } = readStrategicPatch(text, validation);
      notes.received(value);
      const apply = (live: KubeObject): unknown => {
        const result = applyStrategicPatch(live, value, gvkOfResource(codec.resource));
        if (isFailure(result)) throw new StatusError(result);
        return result;
      };
      return { apply, strict, strategic: value };
    }
  }
}

function isFailure(value: unknown): value is ReturnType<typeof failure> {
  const { kind, status } = value as { kind?: unknown; status?: unknown };
  return kind === "Status" && status === "Failure";
}

/** Upstream does not tell which operation failed. */
function unprocessable(): ReturnType<typeof failure> {
  return failure("Invalid", "the server rejected our request due to an error in our request", {});
}

/** Reads a patched object. */
function decodePatched(live: KubeObject, codec: Codec, work: Work, decoding: Decoding): Draft {
  const value = work.apply(live);
  const strict = [...work.strict];
  const refused = (reason: string): StatusError => {
    const shown =
      work.strategic === undefined ? escapedJson(work.apply(inOrder(live), true)) : formatGoValue(work.strategic);
    return new StatusError(invalidObject({ group: "", kind: "" }, "", [invalidValue("patch", shown, reason)]));
  };
  const read = work.strategic === undefined ? decodeJson : decodeStrategic;
  const fieldValidation = decoding.fieldValidation === "Ignore" ? "Ignore" : "Warn";
  let draft: Draft;
  try {
    draft = read(value, codec, { fieldValidation, warn: (found) => strict.push(found) });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw refused(error instanceof UndecodableError ? error.reason : (error.status.message ?? ""));
  }
  if (decoding.fieldValidation === "Strict" && strict.length > 0) {
    throw refused(`strict decoding error: ${strict.join(", ")}`);
  }
  for (const found of strict) decoding.warn(found);
  return draft;
}

/** The object with its members as the server encodes them: built-in kinds in the order of their types. */
function inOrder(object: KubeObject): KubeObject {
  const { apiVersion = "", kind = "" } = object;
  return (decode({ apiVersion, kind }, object)?.object as KubeObject | undefined) ?? (sortedKeys(object) as KubeObject);
}

/** JSON in which no character means anything in HTML. */
function escapedJson(value: unknown): string {
  return toJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function decodeJson(value: unknown, codec: Codec, decoding: Decoding): Draft {
  const { resource } = codec;
  if (!resource.storage.custom && isRecord(value) && !value.apiVersion)
    return decodeInternal(value, resource, decoding);
  return codec.decode(value, decoding);
}

/** Without a version an object is read as the server's internal type, in which fields have no names of JSON: nothing is left of it. */
function decodeInternal(value: object, { apiVersion, kind }: ServedResource, decoding: Decoding): Draft {
  if (decoding.fieldValidation !== "Ignore") {
    for (const field of Object.keys(value).sort()) {
      if (field !== "apiVersion" && field !== "kind") decoding.warn(`unknown field ${quoteGo(field)}`);
    }
  }
  return { apiVersion, kind, metadata: {} };
}

/**
 * Strategic patches are decoded through maps: into the type of the resource, even if they name another kind, with the errors of that
 * conversion.
 */
function decodeStrategic(value: unknown, codec: Codec, decoding: Decoding): Draft {
  const { apiVersion, kind, minor } = codec.resource;
  const given = { ...(value as object), apiVersion, kind };
  const converted = decode({ apiVersion, kind }, given, { merged: true, keepEmpty: true, minor });
  if (converted === undefined) return codec.decode(value, decoding);
  const { object, strict, error } = converted;
  if (error !== undefined) throw new StatusError(badRequest(conversionErrorText(error)));
  if (decoding.fieldValidation !== "Ignore") for (const found of strict.map(strictText).sort()) decoding.warn(found);
  return codec.decode(object, { ...decoding, fieldValidation: "Ignore" });
}
