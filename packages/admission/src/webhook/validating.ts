// The validating dispatcher: selects all webhooks one after the other, then calls the selected ones at once. The first denial to
// arrive is the answer. Upstream: apiserver pkg/admission/plugin/webhook/validating/dispatcher.go.

import { pushAll, quoteGo } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { internalError, type Status, timeout } from "@celadon/kube/status";
import type { PatchOperation } from "@celadon/merge";
import { headerTexts } from "../decide/warnings.ts";
import { RequestContext } from "../evaluate/context.ts";
import type { Hosts } from "../hosts.ts";
import type { AdmissionRequest } from "../request.ts";
import { AuditNotes, failedOpenKey } from "./audit.ts";
import { type CallOutcome, callWebhook } from "./call.ts";
import { selectWebhook, type WebhookSelection } from "./select.ts";
import type { DispatchOptions, WebhookHosts } from "./transport.ts";
import type { CompiledWebhook } from "./webhook-set.ts";

/** A webhook that was called, and its result. */
export interface CallReport {
  readonly webhook: CompiledWebhook;
  readonly outcome: CallOutcome;
  /** A failed call that failurePolicy ignored. */
  readonly failedOpen: boolean;
  /** The duration of the call; 0 without a clock. */
  readonly seconds: number;
  /** The object after a mutating webhook, in the version of the request. */
  readonly patched?: PatchedObject;
}

export interface PatchedObject {
  readonly operations: readonly PatchOperation[];
  readonly before: KubeObject;
  readonly after: KubeObject;
}

/** The decision of webhooks about a request. */
export interface DispatchReport {
  readonly allowed: boolean;
  readonly status?: Status;
  /** Texts of the Warning header. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Every webhook that was considered, in order; for those that were not called, the part that excluded them. */
  readonly selections: readonly WebhookSelection[];
  readonly calls: readonly CallReport[];
}

export const TIMED_OUT: Status = timeout("request did not complete within requested timeout", 0);

/** The webhooks that would be called, in their order and versions, and what excluded the others. Nothing is called. */
export async function selectWebhooks(
  request: AdmissionRequest,
  webhooks: readonly CompiledWebhook[],
  hosts: Hosts = {},
  options: DispatchOptions = {},
): Promise<readonly WebhookSelection[]> {
  const context = new RequestContext(request, hosts, options);
  const selections: WebhookSelection[] = [];
  for (const webhook of webhooks) selections.push(await selectWebhook(webhook, context));
  return selections;
}

/** Calls the validating webhooks that match a request, and decides by their answers. */
export async function dispatchValidating(
  request: AdmissionRequest,
  webhooks: readonly CompiledWebhook[],
  hosts: WebhookHosts,
  options: DispatchOptions = {},
): Promise<DispatchReport> {
  const context = new RequestContext(request, hosts, options);
  const selections: WebhookSelection[] = [];
  const none = { warnings: [], auditAnnotations: {}, calls: [] };
  let rejected: Status | undefined;
  for (const webhook of webhooks) {
    const selection = await selectWebhook(webhook, context);
    selections.push(selection);
    if (selection.outcome === "rejected") rejected ??= selection.status;
    if (rejected !== undefined && !options.goOn) break;
  }
  // No webhook is called if one of them cannot be decided on.
  if (rejected !== undefined) return { allowed: false, status: rejected, selections, ...none };
  const invocations = selections.flatMap((selection) =>
    selection.outcome === "call" && hosts.transport.knows?.(selection.webhook) !== false ? [selection.invocation] : [],
  );
  if (invocations.length === 0) return { allowed: true, selections, ...none };
  if (isOver(options)) return { allowed: false, status: TIMED_OUT, selections, ...none };

  let first: Status | undefined;
  const calls = await Promise.all(
    invocations.map(async (invocation): Promise<CallReport> => {
      const started = options.now?.() ?? 0;
      const outcome = await callWebhook(request, invocation, hosts, options);
      const seconds = ((options.now?.() ?? 0) - started) / 1000;
      const status = statusOf(outcome, invocation.webhook);
      first ??= status;
      const failedOpen = outcome.outcome === "failed" && status === undefined;
      return { webhook: invocation.webhook, outcome, failedOpen, seconds };
    }),
  );
  const { warnings, auditAnnotations } = notesOf(calls);
  return {
    allowed: first === undefined,
    ...(first && { status: first }),
    warnings,
    auditAnnotations,
    selections,
    calls,
  };
}

export const isOver = (options: DispatchOptions): boolean => (options.remainingSeconds?.() ?? 1) <= 0;

/** The Status a call's outcome ends the request with, if it does. */
export function statusOf(outcome: CallOutcome, { webhook }: CompiledWebhook): Status | undefined {
  switch (outcome.outcome) {
    case "allowed":
      return undefined;
    case "denied":
    case "rejected":
      return outcome.status;
    case "failed":
      if (webhook.failurePolicy === "Ignore") return undefined;
      return internalError(`failed calling webhook ${quoteGo(webhook.name)}: ${outcome.reason}`);
  }
}

function notesOf(calls: readonly CallReport[]): Pick<DispatchReport, "warnings" | "auditAnnotations"> {
  const notes = new AuditNotes();
  const warnings: string[] = [];
  for (const [i, { webhook, outcome, failedOpen }] of calls.entries()) {
    if (failedOpen) notes.add(failedOpenKey(false, 0, i), webhook.webhook.name);
    if (!("answer" in outcome)) continue;
    notes.addAll(webhook.webhook.name, outcome.answer.auditAnnotations);
    pushAll(warnings, outcome.answer.warnings);
  }
  return { warnings: headerTexts(warnings), auditAnnotations: notes.toObject() };
}
