// A refusal on its way to the client: thrown by handlers, turned into an answer in one place.

import { thrownText } from "@celadon/base";
import { internalError, type Status } from "@celadon/kube/status";

/** A Status that ends the request. */
export class StatusError extends Error {
  readonly status: Status;

  constructor(status: Status) {
    super(status.message ?? "");
    this.name = "StatusError";
    this.status = status;
  }
}

/** The Status for anything thrown; an unexpected error is an internal one. */
export function statusOf(thrown: unknown): Status {
  if (thrown instanceof StatusError) return thrown.status;
  return internalError(thrownText(thrown));
}
