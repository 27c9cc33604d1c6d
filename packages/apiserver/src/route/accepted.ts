// The types that a route accepts and offers, checked before anything else is done for a request.

import { failure } from "@celadon/kube/status";
import { mediaType } from "../codec/body.ts";
import { OFFERED, STREAMED } from "../codec/forms.ts";
import { JSON_TYPE } from "../wire/accept.ts";
import { unsupportedMediaType } from "../wire/answers.ts";
import type { Sent } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";

/** The types of lists and watches. */
export const LISTED: readonly string[] = [...OFFERED, ...STREAMED];
/** Clients write its version in several ways. */
const OPENAPI_PROTOBUF = "application/com.github.proto-openapi.spec.";

/** The types that a route offers, before an answer gets the form that a client prefers. Patterns but the widest match nothing. */
export function checkAccepted(call: Sent, offered: readonly string[]): void {
  const accept = call.header("accept") ?? "";
  if (accept === "" || offered.includes(accept)) return;
  const types = accept.split(",").map((clause) => clause.replace(/;.*/s, "").trim());
  if (types.includes("*/*") || types.some((type) => offered.includes(type))) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${offered.join(", ")}`;
  throw new StatusError(failure("NotAcceptable", message, {}));
}

/** The documents of OpenAPI; their index is answered to everybody. */
export function checkOpenApiAccepted(parts: readonly string[], call: Sent): void {
  const isIndex = parts[1] === "v3" && parts.length === 2;
  const accept = call.header("accept") ?? "";
  if (!isIndex && !accept.includes(OPENAPI_PROTOBUF)) checkAccepted(call, [JSON_TYPE, "application/*"]);
}

/** A route that accepts JSON checks the type of a body even without a body. */
export function checkConsumed(call: Sent): void {
  const type = mediaType(call);
  if (type !== "" && type !== JSON_TYPE) throw new StatusError(unsupportedMediaType([JSON_TYPE]));
}
