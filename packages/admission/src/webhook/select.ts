// Whether a webhook is to be called for a request, and in which version: kinds never asked about, selectors, rules, then match
// conditions. What is not called says what refused it. Upstream: apiserver pkg/admission/plugin/webhook/generic.

import {
  apiVersionOf,
  forbidden,
  type GroupVersionKind,
  type GroupVersionResource,
  internalError,
  type Status,
} from "@celadon/kube";
import type { RequestContext, VersionedObjects } from "../context.ts";
import { evaluateConditions } from "../evaluate.ts";
import { needsNamespaceLabels } from "../match/match-resources.ts";
import type { Refusal } from "../match/refusal.ts";
import { matchOne } from "../match.ts";
import type { CompiledWebhook } from "./webhook-set.ts";

/** A webhook that is to be called: what it is told of. */
export interface Invocation {
  readonly webhook: CompiledWebhook;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly objects: VersionedObjects;
}

export type Selection =
  | { readonly outcome: "call"; readonly webhook: CompiledWebhook; readonly invocation: Invocation }
  | { readonly outcome: "refused"; readonly webhook: CompiledWebhook; readonly refusal: Refusal }
  /** The request ends here, whatever the webhook's failurePolicy. */
  | { readonly outcome: "rejected"; readonly webhook: CompiledWebhook; readonly status: Status };

/** Kinds that would lock everybody out if a webhook could refuse them. */
const EXEMPT: ReadonlySet<string> = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

export async function selectWebhook(webhook: CompiledWebhook, context: RequestContext): Promise<Selection> {
  const { request } = context;
  const { group, kind } = request.kind;
  const refused = (refusal: Refusal): Selection => ({ outcome: "refused", webhook, refusal });
  const rejected = (status: Status): Selection => ({ outcome: "rejected", webhook, status });

  if (!webhook.static && group === "admissionregistration.k8s.io" && EXEMPT.has(kind)) {
    return refused({ by: "exempt", resource: `${request.resource.resource}.${group}` });
  }
  const match = webhook.rules.match!;
  // A policy without rules is about everything, a webhook about nothing.
  if (match.rules.length === 0) return refused({ by: "resourceRules", parts: [] });
  if (needsNamespaceLabels(match, request)) await context.loadNamespace();
  const matched = matchOne(match, context);
  if (matched.matched === false) return refused(matched.refusal);
  if (matched.matched === "error") return rejected(matchError(matched.message, context));

  const objects = await context.objects(matched.kind);
  if (typeof objects === "string") return rejected(internalError(objects));
  const { resource, kind: matchedKind } = matched;
  const conditions = await evaluateWithAnswers(webhook, context, { resource, kind: matchedKind, objects });
  if (conditions.matched === false) return refused(conditions.refusal);
  if (conditions.matched === "error")
    return rejected(forbidden(request.resource, request.name ?? "", conditions.message));
  return { outcome: "call", webhook, invocation: { webhook, resource, kind: matchedKind, objects } };
}

/** The status behind a matcher's text: that of the namespace it did not get, an internal error otherwise. */
function matchError(message: string, context: RequestContext): Status {
  const labels = context.namespaceLabels();
  if ("status" in labels && labels.status.message === message) return labels.status;
  return internalError(message.replace(/^Internal error occurred: /, ""));
}

/** Evaluated again until the authorizer has answered everything that was asked of it. */
async function evaluateWithAnswers(
  { rules }: CompiledWebhook,
  context: RequestContext,
  input: Omit<Invocation, "webhook">,
): Promise<ReturnType<typeof evaluateConditions>> {
  if (rules.conditions.length === 0) return { matched: true, cost: 0 };
  const full = { context, ...input, params: null, namespace: { value: null, full: null } };
  context.observer?.begin();
  for (;;) {
    const outcome = evaluateConditions(rules, full);
    if (!context.authorization.waiting) return outcome;
    await context.authorization.settle();
    context.observer?.restart();
  }
}

/** One line about a selection, for explanations. */
export function invocationText({ webhook, kind }: Invocation): string {
  return `webhook '${webhook.webhook.name}' is called with ${apiVersionOf(kind)} ${kind.kind}`;
}
