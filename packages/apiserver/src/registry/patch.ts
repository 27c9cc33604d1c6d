// PATCH: the four kinds of patches, each a way to make the next object from the current one.

import {
  badRequest,
  failure,
  Invalid,
  invalidObject,
  invalidValue,
  type KubeObject,
  notFound,
  requestEntityTooLarge,
} from "@celadon/kube";
import { applyJsonPatch, applyMergePatch, applyStrategicPatch, JSON_PATCH_LIMIT, readJsonPatch } from "@celadon/merge";
import { mediaType, parseText, textOf } from "../codec/body.ts";
import type { Codec, Decoding } from "../codec/codec.ts";
import { toJson } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import { managerName, type WriteOptions, writeOptions } from "../codec/write-options.ts";
import type { Draft } from "../kinds/draft.ts";
import { gvkOfResource } from "../kinds/resource.ts";
import { JSON_TYPE, YAML_TYPE } from "../wire/accept.ts";
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
  if (!accepted.includes(type)) throw new StatusError(unsupportedMediaType(accepted));
  const text = textOf(await call.body());
  const isApply = type === APPLY_PATCH;
  const options = writeOptions(query, "PatchOptions", isApply);
  const manager = { name: managerName(options.fieldManager, call.header("user-agent")), resource, subresource };
  const decoding: Decoding = { ...options, warn: (warning) => notes.warn(warning) };
  const next = isApply
    ? applied(services, text, manager, options.force)
    : patched(services, codec, type, text, manager, decoding);
  return { options, isApply, next };
}

function patchTypes(custom: boolean): readonly string[] {
  return custom ? [JSON_PATCH, MERGE_PATCH, APPLY_PATCH] : [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH, APPLY_PATCH];
}

type Manager = Parameters<Services["ownership"]["update"]>[2];
type Next = (live: KubeObject | undefined) => Draft;

function applied(services: Services, text: string, manager: Manager, force: boolean): Next {
  const configuration = parseText(text, YAML_TYPE);
  return (live) => services.ownership.apply(live, configuration, manager, force);
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
  const work = mechanism(type, value, codec);
  return (live) => {
    if (live === undefined) throw new StatusError(notFound(codec.resource, ""));
    const result = work(live);
    return services.ownership.update(live, decodePatched(result, codec, decoding), manager);
  };
}

function parsePatch(text: string): unknown {
  try {
    return parseText(text, JSON_TYPE);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new StatusError(badRequest(`error decoding patch: ${error.status.message}`));
  }
}

function mechanism(type: string, value: unknown, codec: Codec): (live: KubeObject) => unknown {
  switch (type) {
    case JSON_PATCH: {
      const operations = readJsonPatch(value);
      if (operations instanceof Invalid)
        throw new StatusError(badRequest(`error decoding patch: ${operations.message}`));
      if (operations.length > JSON_PATCH_LIMIT) {
        const text = `The allowed maximum operations in a JSON patch is ${JSON_PATCH_LIMIT}, got ${operations.length}`;
        throw new StatusError(requestEntityTooLarge(text));
      }
      return (live) => {
        const result = applyJsonPatch(live, operations);
        if (result instanceof Invalid) throw new StatusError(unprocessable(result.message));
        return result;
      };
    }
    case MERGE_PATCH:
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

function unprocessable(message: string): ReturnType<typeof failure> {
  const text = `the server rejected our request due to an error in our request`;
  return failure("Invalid", text, { causes: [{ reason: "UnexpectedServerResponse", message }] });
}

/** What a patch made is an object only if it can be read as one. */
function decodePatched(value: unknown, codec: Codec, decoding: Decoding): Draft {
  try {
    return codec.decode(value, decoding);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const problem = invalidValue("patch", toJson(value), error.status.message ?? "");
    throw new StatusError(invalidObject({ group: "", kind: "" }, "", [problem]));
  }
}
