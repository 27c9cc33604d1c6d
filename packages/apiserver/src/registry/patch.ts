// PATCH: the four kinds of patches, each a way to make the next object from the current one.

import { isRecord } from "@celadon/base";
import { Double } from "@celadon/cel";
import {
  badRequest,
  failure,
  Invalid,
  invalidObject,
  invalidValue,
  type KubeObject,
  notFound,
  quoteGo,
  requestEntityTooLarge,
} from "@celadon/kube";
import { goJsonError } from "@celadon/kube/read";
import { jsonType } from "@celadon/kube/types";
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, JSON_PATCH_LIMIT, readJsonPatch } from "@celadon/merge";
import { mediaType, parseStrictly, parseText, textOf } from "../codec/body.ts";
import { UndecodableError } from "../codec/builtin-codec.ts";
import type { Codec, Decoding } from "../codec/codec.ts";
import { toJson } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import { repeatedFields } from "../codec/repeated-fields.ts";
import { managerName, type WriteOptions, writeOptions } from "../codec/write-options.ts";
import type { Draft } from "../kinds/draft.ts";
import { gvkOfResource } from "../kinds/resource.ts";
import { JSON_TYPE } from "../wire/accept.ts";
import { unsupportedMediaType } from "../wire/answers.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import type { Exchange } from "./exchange.ts";
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
  return change(services, handler, exchange, output, { options, allowCreate: isApply, uid: undefined, next });
}

/** Of built-in kinds; those of definitions name what they accept. */
const UNSUPPORTED = failure("UnsupportedMediaType", "415: Unsupported Media Type", {});

export interface Patch {
  readonly options: WriteOptions;
  readonly isApply: boolean;
  /** The patched object; an apply may make one from nothing. */
  next(live: KubeObject | undefined): Draft;
}

/** The patch of a request, ready to be applied to objects of the codec's kind. */
export async function makePatch(services: Services, exchange: Exchange, codec: Codec): Promise<Patch> {
  const { call, query, resource, subresource, notes } = exchange;
  const type = mediaType(call);
  const accepted = patchTypes(resource.storage.custom);
  if (!accepted.includes(type)) {
    const status = resource.storage.custom ? unsupportedMediaType(accepted) : UNSUPPORTED;
    throw new StatusError(status);
  }
  const text = textOf(await call.body());
  const isApply = type === APPLY_PATCH;
  const options = writeOptions(query, "PatchOptions", isApply);
  const manager = { name: managerName(options.fieldManager, call.header("user-agent")), resource, subresource };
  const decoding: Decoding = { ...options, warn: (warning) => notes.warn(warning) };
  const next = isApply
    ? applied(services, text, manager, options.force, decoding)
    : patched(services, codec, type, text, manager, decoding);
  return { options, isApply, next };
}

function patchTypes(custom: boolean): readonly string[] {
  return custom ? [JSON_PATCH, MERGE_PATCH, APPLY_PATCH] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH];
}

type Manager = Parameters<Services["ownership"]["update"]>[2];
type Next = (live: KubeObject | undefined) => Draft;

function applied(services: Services, text: string, manager: Manager, force: boolean, decoding: Decoding): Next {
  const { value: configuration, repeated } = readConfiguration(text);
  return (live) => {
    const draft = services.ownership.apply(live, configuration, manager, force);
    if (repeated === undefined || decoding.fieldValidation === "Ignore") return draft;
    if (decoding.fieldValidation === "Strict") {
      throw new StatusError(badRequest(`error strict decoding YAML: ${repeated}`));
    }
    decoding.warn(repeated);
    return draft;
  };
}

/** What is applied has to be a map; nothing at all is an empty one. */
function readConfiguration(text: string): ReturnType<typeof parseStrictly> {
  if (["", "null", "~"].includes(text.trim())) return { value: {} };
  const read = parseStrictly(text);
  if (isRecord(read.value)) return read;
  const why = `json: cannot unmarshal ${jsonType(read.value)} into Go value of type map[string]interface {}`;
  throw new StatusError(badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`));
}

function patched(
  services: Services,
  codec: Codec,
  type: string,
  text: string,
  manager: Manager,
  decoding: Decoding,
): Next {
  const value = parsePatch(text);
  const work = mechanism(type, value, text, codec);
  const repeated = decoding.fieldValidation === "Ignore" ? [] : repeatedIn(text, type);
  return (live) => {
    if (live === undefined) throw new StatusError(notFound(codec.resource, ""));
    const result = work(live);
    const isStrategic = type === STRATEGIC_PATCH;
    const shown = (): string => (isStrategic ? goText(value) : toJson(result));
    refuseRepeated(shown, repeated, decoding);
    return services.ownership.update(live, decodePatched(result, codec, decoding, shown, isStrategic), manager);
  };
}

function parsePatch(text: string): unknown {
  try {
    return parseText(text, JSON_TYPE);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new StatusError(badRequest(`error decoding patch: ${goJsonError(text) ?? error.status.message}`));
  }
}

function mechanism(type: string, value: unknown, text: string, codec: Codec): (live: KubeObject) => unknown {
  switch (type) {
    case JSON_PATCH: {
      if (value !== null && !Array.isArray(value)) throw undecodable(value, "[]handlers.jsonPatchOp");
      const operations = readJsonPatch(value, text);
      if (operations instanceof Invalid)
        throw new StatusError(badRequest(`error decoding patch: ${operations.message}`));
      if (operations.length > JSON_PATCH_LIMIT) {
        const problem = `The allowed maximum operations in a JSON patch is ${JSON_PATCH_LIMIT}, got ${operations.length}`;
        throw new StatusError(requestEntityTooLarge(problem));
      }
      return (live) => {
        const result = applyJsonPatch(live, operations);
        if (result instanceof Invalid) throw new StatusError(unprocessable());
        return result;
      };
    }
    case MERGE_PATCH:
      if (value !== null && !isRecord(value)) throw undecodable(value, "map[string]interface {}");
      return (live) => {
        const result = applyMergePatch(live as Record<string, unknown>, value);
        if (result instanceof Invalid) throw new StatusError(badRequest(result.message));
        return result;
      };
    default:
      return (live) => {
        const result = applyStrategicPatch(live, value as Record<string, unknown>, gvkOfResource(codec.resource));
        if (isFailure(result)) throw new StatusError(result);
        return result;
      };
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

function undecodable(value: unknown, type: string): StatusError {
  const kind = Array.isArray(value)
    ? "array"
    : value instanceof Double
      ? "number"
      : isRecord(value)
        ? "object"
        : typeof value;
  const name = kind === "boolean" ? "bool" : kind;
  return new StatusError(
    badRequest(`error decoding patch: json: cannot unmarshal ${name} into Go value of type ${type}`),
  );
}

/** Fields that the patch has twice: the last one counts, unless that is too loose for the client. */
function refuseRepeated(shown: () => string, repeated: readonly string[], decoding: Decoding): void {
  if (repeated.length === 0) return;
  if (decoding.fieldValidation === "Strict") {
    const problem = invalidValue("patch", shown(), `strict decoding error: ${repeated.join(", ")}`);
    throw new StatusError(invalidObject({ group: "", kind: "" }, "", [problem]));
  }
  for (const text of repeated) decoding.warn(text);
}

function repeatedIn(text: string, type: string): readonly string[] {
  const prefix = type === JSON_PATCH ? "json patch " : "";
  return repeatedFields(text).map((path) => `${prefix}duplicate field ${quoteGo(path)}`);
}

/** What a patch made is an object only if it can be read as one. */
function decodePatched(
  value: unknown,
  codec: Codec,
  decoding: Decoding,
  shown: () => string,
  isStrategic: boolean,
): Draft {
  try {
    return codec.decode(value, decoding);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const problem = invalidValue("patch", shown(), reasonOf(error, isStrategic));
    throw new StatusError(invalidObject({ group: "", kind: "" }, "", [problem]));
  }
}

/** Strategic patches are put together from maps, and what does not fit is told in the words of that. */
function reasonOf(thrown: StatusError, isStrategic: boolean): string {
  if (!(thrown instanceof UndecodableError)) return thrown.status.message ?? "";
  const { error } = thrown.body;
  if (!isStrategic || error?.code !== "wrong_type") return thrown.reason;
  const found = GO_KINDS[error.found] ?? (error.found.startsWith("number ") ? "float64" : error.found);
  if (error.wanted.startsWith("map[")) return `cannot restore map from ${found}`;
  if (error.wanted.startsWith("[]")) return `cannot restore slice from ${found}`;
  if (/^\w+\.[A-Z]/.test(error.wanted)) return `cannot restore struct from: ${found}`;
  return error.wanted === "string" ? `cannot convert ${found} to string` : `unrecognized type: ${error.wanted}`;
}

const GO_KINDS: Readonly<Record<string, string>> = { number: "int64", array: "slice", object: "map" };

/** As Go prints maps: `map[a:1 b:[x y]]`. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(" ")}]`;
  if (value === null) return "<nil>";
  if (!isRecord(value) || value instanceof Double) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, member]) => `${key}:${goText(member)}`).join(" ")}]`;
}
