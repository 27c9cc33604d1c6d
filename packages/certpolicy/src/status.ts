// The writes of a controller: the Ready condition of a policy, the Approved or Denied condition of a request, and the events that go with
// them. The clock is the host's.

import { pushAll, thrownText } from "@celadon/base";
import { type FieldError, fieldErrorText } from "@celadon/kube/errors";
import { aggregate } from "./evaluate/result.ts";
import type { Plugin, Readiness } from "./plugin.ts";
import type { CertificateCondition, CertificateRequest, CertificateRequestPolicy } from "./resource.ts";
import type { CertificateReview } from "./review.ts";

/** An event that a controller would record. */
export interface Event {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: "Synced" | "SyncedFailed";
  readonly message: string;
}

/** The status that a controller writes for a policy. */
export type PolicyStatus =
  | { readonly condition: CertificateCondition; readonly event: Event; readonly requeueAfterSeconds?: number }
  /** Nothing is written, and the controller tries again. */
  | { readonly error: string };

/** The Ready condition of a policy. Only plugins can make it false. */
export async function policyStatus(
  policy: CertificateRequestPolicy,
  plugins: readonly Plugin[],
  now: string,
): Promise<PolicyStatus> {
  let ready = true;
  let requeue: number | undefined;
  const errors: FieldError[] = [];
  for (const plugin of plugins) {
    const answer = await ask(plugin, policy);
    if (answer === undefined) continue;
    if ("error" in answer) {
      const name = policy.metadata?.name ?? "";
      return { error: `failed to evaluate ready state of CertificateRequestPolicy "${name}": ${answer.error}` };
    }
    ready &&= answer.ready;
    const after = answer.requeueAfterSeconds ?? 0;
    if (after > 0 && (requeue === undefined || after < requeue)) requeue = after;
    pushAll(errors, answer.errors ?? []);
  }
  // Without any error the reference formats a nil.
  const reasons = errors.length === 0 ? "%!s(<nil>)" : aggregate(errors.map(fieldErrorText));
  const message = ready
    ? "CertificateRequestPolicy is ready for approval evaluation"
    : `CertificateRequestPolicy is not ready for approval evaluation: ${reasons}`;
  const status = ready ? "True" : "False";
  const reason = ready ? "Ready" : "NotReady";
  const old = (policy.status?.conditions ?? []).find(({ type }) => type === "Ready");
  return {
    condition: {
      type: "Ready",
      status,
      reason,
      message,
      observedGeneration: policy.metadata?.generation ?? 0,
      // Kept while the status is unchanged.
      lastTransitionTime: old?.status === status ? (old.lastTransitionTime ?? null) : now,
    },
    event: { type: ready ? "Normal" : "Warning", reason, action: "Synced", message },
    ...(requeue === undefined ? {} : { requeueAfterSeconds: requeue }),
  };
}

async function ask(plugin: Plugin, policy: CertificateRequestPolicy): Promise<Readiness | undefined> {
  try {
    return await plugin.ready?.(policy);
  } catch (error) {
    return { error: thrownText(error) };
  }
}

/** The status that a controller writes for a request. */
export interface RequestStatus {
  readonly condition?: CertificateCondition;
  readonly event: Event;
  readonly requeueAfterSeconds?: number;
  /** The review failed and is to be tried again. */
  readonly error?: string;
}

/** Approved and denied are final: such a request is never reviewed again. */
export function isDecided(request: CertificateRequest): boolean {
  return (request.status?.conditions ?? []).some(
    ({ type, status }) => (type === "Approved" || type === "Denied") && status === "True",
  );
}

/** Turns a review's result into the status of a request. */
export function requestStatus(review: CertificateReview, now: string): RequestStatus {
  switch (review.result) {
    case "Approved":
    case "Denied": {
      const { result, message } = review;
      const condition = {
        type: result,
        status: "True",
        reason: "policy.cert-manager.io",
        message,
        lastTransitionTime: now,
      };
      return { condition, event: event(result === "Approved" ? "Normal" : "Warning", result, "Synced", message) };
    }
    case "Unprocessed":
      return {
        event: event("Normal", "Unprocessed", "Synced", "Request is not applicable for any policy so ignoring"),
      };
    case "Error": {
      const message = "approver-policy failed to review the request and will retry";
      return { event: event("Warning", "EvaluationError", "SyncedFailed", message), error: review.error };
    }
    default: {
      // A host's own review may answer anything.
      const message =
        "Policy returned an unknown result. This is a bug. Please check the approver-policy logs and file an issue";
      return { event: event("Warning", "UnknownResponse", "SyncedFailed", message), requeueAfterSeconds: 5 };
    }
  }
}

function event(type: Event["type"], reason: string, action: Event["action"], message: string): Event {
  return { type, reason, action, message };
}
