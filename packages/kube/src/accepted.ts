// Answers the write of a resource as an API server does: as it would be stored, or why not, as data and as the Status it answers.

import { quoteGo } from "@celadon/base";
import type { FieldError } from "./field-error.ts";
import type { FieldPath } from "./field-path.ts";
import type { Status } from "./status.ts";
import type { Warning } from "./warning.ts";

/** A resource as the API server reads it, with its errors. */
export interface AcceptedResource<T> {
  /** The resource with defaults; undefined when it cannot be read. In force only without a status. */
  readonly resource?: T;
  /** The Status with which it is refused. */
  readonly status?: Status;
  /** The errors, field by field. */
  readonly errors: readonly FieldError[];
  /** The field at which reading ended. */
  readonly unreadable?: FieldPath;
  /** Fields its kind does not have. They are dropped. */
  readonly unknownFields: readonly FieldPath[];
  readonly warnings: readonly Warning[];
}

/** The resource if it was read and accepted. */
export function inForce<T>(accepted: AcceptedResource<T> | undefined): T | undefined {
  return accepted?.status === undefined ? accepted?.resource : undefined;
}

/** The message for a field that its kind does not have. */
export function unknownFieldText(path: FieldPath): string {
  return `unknown field ${quoteGo(path.toString())}`;
}
