// A request to the in-memory cluster, and its answer.

import type { Status } from "@celadon/kube/status";
import type { User } from "./handler.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";
import type { PatchType, Ref } from "./scenario.ts";

export interface Call {
  readonly verb: "create" | "update" | "patch" | "delete" | "deletecollection" | "connect" | "get";
  readonly ref: Ref;
  readonly subresource?: string;
  readonly body?: Json;
  readonly patchType?: PatchType;
  readonly dryRun?: boolean;
  readonly user?: User;
  readonly query?: Readonly<Record<string, Json>>;
  readonly options?: JsonObject;
  readonly labelSelector?: string;
  /** The body is what server-side apply made, owners and all. */
  readonly applied?: boolean;
}

/** An answer as a client sees it, and its entry in the audit log. */
export interface Answer {
  readonly code: number;
  /** An object, or a Status. */
  readonly body?: JsonObject | Status;
  /** For answers that are not JSON. */
  readonly text?: string;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The place that a request points to. */
export interface Place {
  readonly namespace: string;
  readonly name: string;
}

export function succeeded(code: number, body: JsonObject, more: Partial<Answer> = {}): Answer {
  return { code, body, warnings: [], auditAnnotations: {}, ...more };
}

export function failed(status: Status, more: Partial<Answer> = {}): Answer {
  return { code: status.code ?? 500, body: status, warnings: [], auditAnnotations: {}, ...more };
}

export function isStatus(value: unknown): value is Status {
  return isObject(value) && value.kind === "Status" && value.apiVersion === "v1";
}
