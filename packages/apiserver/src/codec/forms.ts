// The form in which objects are shown: whole, as a table, or their metadata alone. Chosen by what the client accepts.

import { type Accepted, JSON_TYPE, PROTOBUF_TYPE, parseAccept, typeOf, YAML_TYPE } from "../wire/accept.ts";
import { notAcceptable } from "../wire/answers.ts";
import type { Call } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";

export type IncludeObject = "None" | "Metadata" | "Object";

export type Form =
  | { readonly form: "object" }
  | { readonly form: "partial"; readonly version: string }
  | { readonly form: "table"; readonly version: string; readonly include: IncludeObject };

export interface Negotiated {
  readonly form: Form;
  readonly type: typeof JSON_TYPE | typeof YAML_TYPE;
}

const WHOLE: Form = { form: "object" };
const PLAIN: Negotiated = { form: WHOLE, type: JSON_TYPE };
const OFFERED = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE] as const;
const STREAMED = [JSON_TYPE, PROTOBUF_TYPE] as const;

/** Throws a StatusError when nothing fits. Protobuf is taken for JSON where the client accepts both. */
export function negotiate(call: Call, query: URLSearchParams, stream = false): Negotiated {
  const header = call.header("accept");
  if (header === undefined || header === JSON_TYPE || header === "*/*") return PLAIN;
  for (const clause of parseAccept(header)) {
    const type = typeOf(clause, stream ? [JSON_TYPE] : [JSON_TYPE, YAML_TYPE]);
    if (type === undefined) continue;
    const form = formOf(clause, query);
    if (form !== undefined) return { form, type: type as Negotiated["type"] };
  }
  throw new StatusError(notAcceptable(stream ? STREAMED : OFFERED));
}

function formOf({ as, group, version }: Accepted, query: URLSearchParams): Form | undefined {
  if (as === "") return WHOLE;
  if (group !== "meta.k8s.io" || (version !== "v1" && version !== "v1beta1")) return undefined;
  if (as === "PartialObjectMetadata" || as === "PartialObjectMetadataList") return { form: "partial", version };
  if (as !== "Table") return undefined;
  const include = query.get("includeObject");
  return { form: "table", version, include: include === "None" || include === "Object" ? include : "Metadata" };
}
