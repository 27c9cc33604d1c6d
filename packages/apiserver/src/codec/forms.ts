// The form in which objects are shown: whole, as a table, or their metadata alone. Chosen by the Accept header.

import { quoteGo } from "@celadon/base";
import { badRequest } from "@celadon/kube/status";
import { type AcceptedType, JSON_TYPE, PROTOBUF_TYPE, parseAccept, typeOf, YAML_TYPE } from "../wire/accept.ts";
import { notAcceptable } from "../wire/answers.ts";
import type { Sent } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";

export type IncludeObject = "None" | "Metadata" | "Object";

export type Form =
  | { readonly form: "object" }
  | { readonly form: "partial"; readonly version: string; readonly list: boolean }
  | { readonly form: "table"; readonly version: string; readonly include: IncludeObject };

export interface Negotiated {
  readonly form: Form;
  readonly type: ObjectType;
}

export type ObjectType = typeof JSON_TYPE | typeof YAML_TYPE | typeof PROTOBUF_TYPE;

const WHOLE: Form = { form: "object" };
const PLAIN: Negotiated = { form: WHOLE, type: JSON_TYPE };
/** Types in which objects are answered. */
export const OFFERED: readonly ObjectType[] = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE];
const STREAM_TYPES = [JSON_TYPE, PROTOBUF_TYPE] as const;
/** Types in which a watch is answered. */
export const STREAMED: readonly string[] = STREAM_TYPES.map((type) => `${type};stream=watch`);

/**
 * Throws a StatusError when nothing fits. Objects are stored as JSON, so a client that accepts both gets that; metadata is taken out of the
 * object in any case, and comes in the form that is named first.
 */
export function negotiate(call: Sent, query: URLSearchParams, stream = false, wholeOnly = false): Negotiated {
  const header = call.header("accept");
  if (header === undefined || header === JSON_TYPE || header === "*/*") return PLAIN;
  let binary: Negotiated | undefined;
  for (const clause of parseAccept(header)) {
    const type = typeOf(clause, stream ? STREAM_TYPES : OFFERED);
    const form = type === undefined ? undefined : formOf(clause, query);
    if (wholeOnly && form?.form !== "object") continue;
    if (form === undefined || (form.form === "table" && type === PROTOBUF_TYPE)) continue;
    if (type === PROTOBUF_TYPE && form.form === "object") {
      binary ??= { form, type };
      continue;
    }
    return { form, type: type as Negotiated["type"] };
  }
  if (binary !== undefined) return binary;
  throw new StatusError(notAcceptable(stream ? STREAMED : OFFERED));
}

function formOf({ as, group, version }: AcceptedType, query: URLSearchParams): Form | undefined {
  if (as === "") return WHOLE;
  if (group !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  if (as === "PartialObjectMetadata") return { form: "partial", version, list: false };
  if (as === "PartialObjectMetadataList") return { form: "partial", version, list: true };
  if (as !== "Table") return undefined;
  return { form: "table", version, include: includeObject(query.get("includeObject") ?? "") };
}

function includeObject(text: string): IncludeObject {
  if (text === "None" || text === "Object" || text === "Metadata") return text;
  if (text === "") return "Metadata";
  const problem = `Invalid value: ${quoteGo(text)}: must be 'Metadata', 'Object', 'None', or empty`;
  throw new StatusError(badRequest(`Unable to convert to Table as requested: includeObject: ${problem}`));
}
