// Bodies of built-in kinds: through the Go types, then defaults. What is wrong is said in the words of the API server's decoder.

import { badRequest, type Status } from "@celadon/kube";
import { applyDefaults } from "@celadon/kube/defaults";
import {
  type Decoded,
  type DecodedBody,
  type DecodeKind,
  decode,
  decodeBody,
  decodeErrorText,
  strictText,
} from "@celadon/kube/types";
import type { Draft } from "../kinds/draft.ts";
import type { ServedResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import { convertBuiltin } from "./builtin-conversion.ts";
import type { Codec, Decoding } from "./codec.ts";

export function builtinCodec(resource: ServedResource): Codec {
  const { apiVersion, kind, storage } = resource;
  const own: DecodeKind = { apiVersion, kind };
  const isStorageVersion = storage.apiVersion === apiVersion;
  return {
    resource,
    isStorageVersion,
    decodeJson: (text, decoding) => readBuiltin(own, decodeBody(text, own, { keepEmpty: true }), text, decoding),
    decode: (value, decoding) => readBuiltin(own, decodeValue(own, value), "", decoding),
    fromStorage: (object) => (isStorageVersion ? object : convertBuiltin(object, own)),
    toStorage: (object) => (isStorageVersion ? object : convertBuiltin(object, storage)),
  };
}

function decodeValue(expected: DecodeKind, value: unknown): DecodedBody {
  const { apiVersion, kind } = (value ?? {}) as { apiVersion?: unknown; kind?: unknown };
  const of = {
    apiVersion: typeof apiVersion === "string" && apiVersion !== "" ? apiVersion : expected.apiVersion,
    kind: typeof kind === "string" && kind !== "" ? kind : expected.kind,
  };
  const decoded: Decoded | undefined = decode(of, value, { keepEmpty: true });
  if (decoded !== undefined) return { ...decoded, kind: of };
  const error = { code: "unknown_kind", path: ["kind"], ...of } as const;
  return { kind: of, object: undefined, strict: [], error, errors: [error] };
}

/** The decoded object with defaults, or the refusal. `text` is the body, where there is one to quote. */
export function readBuiltin(expected: DecodeKind, body: DecodedBody, text: string, decoding: Decoding): Draft {
  const { object, error, strict, kind } = body;
  if (error !== undefined) throw new StatusError(undecodable(expected, kind, decodeErrorText(error), text));
  if (kind.kind !== expected.kind || kind.apiVersion !== expected.apiVersion) {
    throw new StatusError(otherKind(expected, kind));
  }
  if (strict.length > 0 && decoding.fieldValidation !== "Ignore") {
    const texts = strict.map(strictText);
    if (decoding.fieldValidation === "Strict") {
      throw new StatusError(undecodable(expected, kind, `strict decoding error: ${texts.join(", ")}`, text));
    }
    for (const warning of texts) decoding.warn(warning);
  }
  const draft = applyDefaults(object) as unknown as Draft;
  draft.metadata ??= {};
  return draft;
}

const SUMMARY = 30;

function undecodable(expected: DecodeKind, kind: DecodeKind, reason: string, text: string): Status {
  if (kind.kind !== "") {
    const version = kind.apiVersion.slice(kind.apiVersion.indexOf("/") + 1);
    return badRequest(`${kind.kind} in version "${version}" cannot be handled as a ${expected.kind}: ${reason}`);
  }
  const shown = text === "" ? "<empty>" : text.startsWith("{") ? text : Buffer.from(text).toString("hex");
  const summary = shown.length > SUMMARY ? `${shown.slice(0, SUMMARY)} ...` : shown;
  return badRequest(`the object provided is unrecognized (must be of type ${expected.kind}): ${reason} (${summary})`);
}

function otherKind(expected: DecodeKind, kind: DecodeKind): Status {
  const versionOf = (apiVersion: string): string => apiVersion.slice(apiVersion.indexOf("/") + 1);
  if (kind.kind === expected.kind) {
    return badRequest(
      `the API version in the data (${kind.apiVersion}) does not match the expected API version (${expected.apiVersion})`,
    );
  }
  const group = expected.apiVersion.includes("/") ? expected.apiVersion.split(/[./]/, 1)[0]! : "core";
  const conversion = `converting (${versionOf(kind.apiVersion)}.${kind.kind}) to (${group}.${expected.kind}): unknown conversion`;
  return undecodable(expected, kind, conversion, "");
}
