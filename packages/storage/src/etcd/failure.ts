// The meaning of etcd's errors for users of the store. etcd says the reason in the message, as its own clients read it.

import { StoreError } from "../error.ts";
import { CallFailure, STATUS } from "./connection.ts";

/** The action after a failed call. */
export type Remedy =
  /** The answer is final. */
  | "throw"
  /** Another member may do better; the request was not carried out, or may be carried out twice. */
  | "elsewhere"
  /** The token is no longer valid. */
  | "authenticate";

/** Refused before anything was done. "server stopped" is not among them: that write may be in the log already. */
const NOT_DONE = ["etcdserver: no leader", "etcdserver: too many requests"];

/** The token expired, or users and roles changed since it was given. */
const TOKEN_IS_OLD = ["invalid auth token", "revision of auth store is old"];

/** The member does not answer, or not as a part of the cluster. */
export function isDown({ status }: CallFailure): boolean {
  return status === STATUS.unavailable || status === STATUS.deadlineExceeded;
}

export function remedyOf(failure: CallFailure, isRead: boolean): Remedy {
  if (failure.status === STATUS.unauthenticated) return "authenticate";
  if (isAboutToken(failure.message)) return "authenticate";
  if (failure.isTooLong) return "throw";
  if (!isDown(failure) && !failure.message.includes("too many requests")) return "throw";
  if (isRead || !failure.isSent || NOT_DONE.some((text) => failure.message.includes(text))) return "elsewhere";
  return "throw";
}

export function isAboutToken(message: string): boolean {
  return TOKEN_IS_OLD.some((text) => message.includes(text));
}

export function storeFailure(failure: CallFailure, isRead: boolean, revision?: number): StoreError {
  const { message, status } = failure;
  if (message.includes("required revision has been compacted")) {
    return new StoreError("compacted", `revision ${revision ?? ""} was compacted`, { cause: failure });
  }
  if (message.includes("required revision is a future revision")) {
    return new StoreError("future_revision", `revision ${revision ?? ""} does not exist yet`, { cause: failure });
  }
  if (message.includes("database space exceeded")) {
    // The write that first exceeds the quota is refused and applied.
    const message = "etcd has no space left: its quota is exceeded";
    return new StoreError("no_space", message, { cause: failure, outcomeUnknown: !isRead });
  }
  if (failure.isTooLong) {
    const more = { cause: failure, outcomeUnknown: !isRead };
    return new StoreError("too_large", `etcd's answer is too large: ${message}`, more);
  }
  if (message.includes("request is too large") || message.includes("too many operations")) {
    return new StoreError("too_large", `etcd rejected the transaction: ${message}`, { cause: failure });
  }
  if (status === STATUS.permissionDenied || status === STATUS.unauthenticated || isAboutUsers(message)) {
    return new StoreError("denied", `etcd rejected the user: ${message}`, { cause: failure });
  }
  const outcomeUnknown = !isRead && failure.isSent && remedyOf(failure, false) === "throw";
  return new StoreError("unavailable", `etcd is not available: ${message}`, { cause: failure, outcomeUnknown });
}

/** Whether the error is that the lease was granted before. */
export function leaseExists(cause: unknown): boolean {
  return cause instanceof CallFailure && cause.message.includes("lease already exists");
}

function isAboutUsers(message: string): boolean {
  return message.includes("authentication failed") || message.includes("user name is empty");
}
