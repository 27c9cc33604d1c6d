// Bodies of built-in kinds: decoded through the Go types, then defaults. Errors are those of the API server's decoder.

import type { KubeObject } from "@celadon/kube";
import { applyDefaults } from "@celadon/kube/defaults";
import type { Status } from "@celadon/kube/status";
import {
  type Decoded,
  type DecodedBody,
  type DecodeKind,
  decode,
  decodeBody,
  decodeErrorText,
  storedForm,
  strictText,
  wasEmpty,
} from "@celadon/kube/types";
import { bodyRefusal } from "@celadon/kube/validation";
import type { Minor } from "@celadon/kube/versions";
import type { Draft } from "@celadon/write";
import type { ServedResource } from "../kinds/resource.ts";
import { StatusError } from "../wire/status-error.ts";
import { convertBuiltin } from "./builtin-conversion.ts";
import type { Codec, Decoding } from "./codec.ts";

export function builtinCodec(resource: ServedResource): Codec {
  const { apiVersion, kind, storage, minor } = resource;
  const own: DecodeKind = { apiVersion, kind };
  const isStorageVersion = storage.apiVersion === apiVersion;
  const withStatus = defaultStatus(storage, minor);
  const fromStorage = (object: KubeObject): KubeObject =>
    isStorageVersion ? object : (convertBuiltin(object, own) as KubeObject);
  let kept: ReturnType<typeof storedForm> | undefined;
  const toStorage = (object: KubeObject): KubeObject => {
    kept ??= storedForm(storage.apiVersion, storage.kind, minor);
    return kept(
      readBack(withStatus(isStorageVersion ? object : applyDefaults(convertBuiltin(object, storage), minor))),
    );
  };
  return {
    resource,
    isStorageVersion,
    decodeJson: (text, decoding) =>
      readBuiltin(own, decodeBody(text, own, { keepEmpty: true, minor }), text, decoding, minor),
    decode: (value, decoding) => readBuiltin(own, decodeValue(own, value, minor), "", decoding, minor),
    fromStorage,
    toStorage,
    stored: (object) => fromStorage(toStorage(object)),
  };
}

/** Sets the defaults of an object that is read from the store, which follow from fields set when it was created. */
function readBack(object: KubeObject): KubeObject {
  return object.kind === "Job" ? withTemplateLabels(object) : object;
}

/** A Job without labels has the labels of its template, including generated ones. */
function withTemplateLabels(object: KubeObject): KubeObject {
  const { template } = (object.spec ?? {}) as { template?: { metadata?: { labels?: Record<string, string> } } };
  const labels = template?.metadata?.labels;
  if (labels === undefined || Object.keys(object.metadata?.labels ?? {}).length > 0) return object;
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** Defaults of a status come when the object is read back, after admission: a claim without a phase is pending. */
function defaultStatus({ apiVersion, kind }: DecodeKind, minor: Minor | undefined): (object: KubeObject) => KubeObject {
  const { status } = applyDefaults({ apiVersion, kind, status: {} }, minor) as { status?: Record<string, unknown> };
  const defaults = Object.entries(status ?? {});
  if (defaults.length === 0) return (object) => object;
  return (object) => {
    const own = (object.status ?? {}) as Record<string, unknown>;
    const missing = defaults.filter(([field]) => own[field] === undefined);
    return missing.length === 0 ? object : { ...object, status: { ...Object.fromEntries(missing), ...own } };
  };
}

function decodeValue(expected: DecodeKind, value: unknown, minor: Minor | undefined): DecodedBody {
  const { apiVersion, kind } = (value ?? {}) as { apiVersion?: unknown; kind?: unknown };
  const of = {
    apiVersion: typeof apiVersion === "string" && apiVersion !== "" ? apiVersion : expected.apiVersion,
    kind: typeof kind === "string" && kind !== "" ? kind : expected.kind,
  };
  const decoded: Decoded | undefined = decode(of, value, { keepEmpty: true, again: true, minor });
  if (decoded !== undefined) return { ...decoded, kind: of };
  const error = { code: "unknown_kind", path: ["kind"], minor, ...of } as const;
  return { kind: of, object: undefined, strict: [], error, errors: [error] };
}

/** A body that is no object of its kind. */
export class UndecodableError extends StatusError {
  readonly body: DecodedBody;

  constructor(status: Status, body: DecodedBody) {
    super(status);
    this.body = body;
  }

  /** The problem, without the expected kind. */
  get reason(): string {
    const { error, strict } = this.body;
    if (error !== undefined) return decodeErrorText(error);
    return strict.length > 0 ? `strict decoding error: ${strict.map(strictText).join(", ")}` : this.message;
  }
}

/** The decoded object with defaults, or the refusal. `text` is the body, where there is one to quote. */
export function readBuiltin(
  expected: DecodeKind,
  body: DecodedBody,
  text: string,
  decoding: Decoding,
  minor?: Minor,
): Draft {
  const { refusal, warnings } = bodyRefusal(text, expected, body, decoding.fieldValidation, decoding.repeated);
  for (const warning of warnings) decoding.warn(warning);
  if (refusal !== undefined) throw new UndecodableError(refusal, body);
  const draft = applyDefaults(body.object, minor) as Draft;
  draft.metadata ??= {};
  // An empty list resets the owners of fields, where an absent one leaves them as they are.
  const { metadata } = body.object as { metadata?: object };
  if (metadata !== undefined && wasEmpty(metadata, "managedFields")) draft.metadata.managedFields = [];
  return draft;
}
