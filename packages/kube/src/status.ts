// Status: how the API says that a request failed, with the messages, reasons and codes the API server gives.

import { quoteGo } from "@celadon/base";
import { errorListText, type FieldError, fieldErrorBody } from "./field-error.ts";
import { type GroupKind, type GroupResource, groupKindText, groupResourceText } from "./gvk.ts";
import { MAX_ERRORS_TEXT, MAX_FIELD_ERRORS } from "./limits.ts";

/** A cause of a failure: a field and its error. */
export interface StatusCause {
  /** A field error type, or another machine-readable word. */
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The subject of a failure, and its causes. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** A kind for Invalid, a resource for everything else. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The API server's answer when there is no object to return: an error, or success. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Reasons with the HTTP code each is sent with. */
export const STATUS_CODES = {
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  AlreadyExists: 409,
  Conflict: 409,
  Gone: 410,
  Invalid: 422,
  ServerTimeout: 500,
  StoreReadError: 500,
  Timeout: 504,
  TooManyRequests: 429,
  BadRequest: 400,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  InternalError: 500,
  Expired: 410,
  ServiceUnavailable: 503,
} as const;

/** Why a request failed, for programs. */
export type StatusReason = keyof typeof STATUS_CODES;

/** A failure with any message; the constructors below give the messages the API server gives. */
export function failure(
  reason: StatusReason | undefined,
  message: string,
  details?: StatusDetails,
  code?: number,
): Status {
  const sent = code ?? (reason === undefined ? 500 : STATUS_CODES[reason]);
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code: sent,
  };
}

/** The answer to what worked and has no object. */
export function success(details?: StatusDetails): Status {
  const base = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" } as const;
  return details === undefined ? base : { ...base, details };
}

/** The answer when there is no such object. */
export function notFound(resource: GroupResource, name: string): Status {
  return failure("NotFound", `${groupResourceText(resource)} ${quoteGo(name)} not found`, about(resource, name));
}

/** The answer when an object of that name exists. */
export function alreadyExists(resource: GroupResource, name: string): Status {
  return failure(
    "AlreadyExists",
    `${groupResourceText(resource)} ${quoteGo(name)} already exists`,
    about(resource, name),
  );
}

/** No unique name could be generated. */
export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds: number): Status {
  const message = `${groupResourceText(resource)} ${quoteGo(name)} already exists, the server was not able to generate a unique name for the object`;
  return failure("AlreadyExists", message, { ...about(resource, name), ...retry(retryAfterSeconds) });
}

/** The answer to a client that is not known. */
export function unauthorized(message: string): Status {
  return failure("Unauthorized", message === "" ? "not authorized" : message);
}

/** The answer when something is not allowed. */
export function forbidden(resource: GroupResource, name: string, cause: string): Status {
  const what = groupResourceText(resource);
  const message =
    what === "" ? `forbidden: ${cause}` : `${name === "" ? what : `${what} ${quoteGo(name)}`} is forbidden: ${cause}`;
  return failure("Forbidden", message, about(resource, name));
}

/** The answer when the object was changed meanwhile. */
export function conflict(resource: GroupResource, name: string, cause: string): Status {
  const message = `Operation cannot be fulfilled on ${groupResourceText(resource)} ${quoteGo(name)}: ${cause}`;
  return failure("Conflict", message, about(resource, name));
}

/** The answer when fields belong to another manager. */
export function applyConflict(causes: readonly StatusCause[], message: string): Status {
  return failure("Conflict", message, { causes });
}

/** An object that does not pass validation: one cause per field error, all of them in the message. */
export function invalidObject(kind: GroupKind, name: string, errors: readonly FieldError[]): Status {
  const { texts, causes, left } = listedErrors(errors);
  const start = `${groupKindText(kind)} ${quoteGo(name)} is invalid`;
  const message = errors.length === 0 ? start : `${start}: ${errorListText(texts, left)}`;
  return failure("Invalid", message, {
    ...about({ group: kind.group, resource: kind.kind }, name),
    ...(causes.length === 0 ? {} : { causes }),
  });
}

interface ListedErrors {
  readonly texts: ReadonlySet<string>;
  readonly causes: readonly StatusCause[];
  /** Errors that are not listed. */
  readonly left: number;
}

/** The texts and causes of errors, as many as an answer holds. */
function listedErrors(errors: readonly FieldError[]): ListedErrors {
  const texts = new Set<string>();
  const causes: StatusCause[] = [];
  let length = 0;
  for (const error of errors) {
    if (causes.length === MAX_FIELD_ERRORS || length > MAX_ERRORS_TEXT) break;
    const field = error.path.toString();
    const message = fieldErrorBody(error);
    texts.add(`${field}: ${message}`);
    causes.push({ reason: error.type, message, field });
    length += field.length + message.length;
  }
  return { texts, causes, left: errors.length - causes.length };
}

/** The answer to a request that cannot be understood. */
export function badRequest(message: string): Status {
  return failure("BadRequest", message);
}

/** The answer to a client that has to wait. */
export function tooManyRequests(message: string, retryAfterSeconds: number): Status {
  return failure("TooManyRequests", message, retry(retryAfterSeconds));
}

/** The answer while the server cannot serve. */
export function serviceUnavailable(message: string): Status {
  return failure("ServiceUnavailable", message);
}

/** The answer when the server could not finish, and the client may try again. */
export function serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): Status {
  const message = `The ${operation} operation against ${groupResourceText(resource)} could not be completed at this time, please try again.`;
  return failure("ServerTimeout", message, { ...about(resource, operation), ...retry(retryAfterSeconds) });
}

/** The answer when the server itself failed. */
export function internalError(message: string): Status {
  return failure("InternalError", `Internal error occurred: ${message}`, { causes: [{ message }] });
}

/** The answer when a request took too long. */
export function timeout(message: string, retryAfterSeconds: number): Status {
  return failure("Timeout", `Timeout: ${message}`, retry(retryAfterSeconds));
}

/** The answer to a body that is too large. */
export function requestEntityTooLarge(message: string): Status {
  return failure("RequestEntityTooLarge", `Request entity too large: ${message}`);
}

/** A resource version that is no longer kept. */
export function resourceExpired(message: string): Status {
  return failure("Expired", message);
}

// Go leaves empty fields out of the JSON.
function about(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(resource.group === "" ? {} : { group: resource.group }),
    ...(resource.resource === "" ? {} : { kind: resource.resource }),
  };
}

function retry(seconds: number): StatusDetails {
  return seconds === 0 ? {} : { retryAfterSeconds: seconds };
}
