// Whether a webhook is called for a request, and in which version: excluded kinds, selectors, rules, then match conditions. A
// webhook that is not called has the reason. Upstream: apiserver pkg/admission/plugin/webhook/generic.

import type { GroupVersionKind, GroupVersionResource } from "@celadon/kube";
import { forbidden, internalError, type Status } from "@celadon/kube/status";
import type { RequestContext, VersionedObjects } from "../evaluate/context.ts";
import { evaluateConditions } from "../evaluate/evaluate.ts";
import { needsNamespaceLabels } from "../match/match-resources.ts";
import type { Refusal } from "../match/refusal.ts";
import { matchOne } from "../match.ts";
import type { CompiledWebhook } from "./webhook-set.ts";

/** A webhook to call, and its request. */
export interface Invocation {
  readonly webhook: CompiledWebhook;
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
  readonly objects: VersionedObjects;
}

/** Whether a webhook is called for a request, and why not. */
export type WebhookSelection =
  | { readonly outcome: "call"; readonly webhook: CompiledWebhook; readonly invocation: Invocation }
  | { readonly outcome: "refused"; readonly webhook: CompiledWebhook; readonly refusal: Refusal }
  /** The request ends here, under every failurePolicy. */
  | {
      readonly outcome: "rejected";
      readonly webhook: CompiledWebhook;
      readonly status: Status;
      /** The number of the match condition that failed. */
      readonly failedCondition?: number;
    };

/** Kinds that would lock everybody out if a webhook could refuse them. */
const EXEMPT: ReadonlySet<string> = new Set([
  "ValidatingWebhookConfiguration",
  "MutatingWebhookConfiguration",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "MutatingAdmissionPolicy",
  "MutatingAdmissionPolicyBinding",
]);

export async function selectWebhook(webhook: CompiledWebhook, context: RequestContext): Promise<WebhookSelection> {
  const { request } = context;
  const { group, kind } = request.kind;
  const refused = (refusal: Refusal): WebhookSelection => ({ outcome: "refused", webhook, refusal });
  const rejected = (status: Status): WebhookSelection => ({ outcome: "rejected", webhook, status });

  if (!webhook.static && group === "admissionregistration.k8s.io" && EXEMPT.has(kind)) {
    return refused({ by: "exempt", resource: `${request.resource.resource}.${group}` });
  }
  const match = webhook.rules.match!;
  // A policy without rules is about everything, a webhook about nothing.
  if (match.rules.length === 0) return refused({ by: "resourceRules", parts: [] });
  if (needsNamespaceLabels(match, request)) await context.loadNamespace();
  const matched = matchOne(match, context);
  if (matched.matched === false) return refused(matched.refusal);
  if (matched.matched === "error") return rejected(matched.status ?? internalError(matched.message));

  const objects = await context.objects(matched.kind);
  if (typeof objects === "string") return rejected(internalError(objects));
  const { resource, kind: matchedKind } = matched;
  const conditions = await evaluateWithAnswers(webhook, context, { resource, kind: matchedKind, objects });
  if (conditions.matched === false) return refused(conditions.refusal);
  if (conditions.matched === "error") {
    const status = forbidden(request.resource, request.name ?? "", conditions.message);
    return { outcome: "rejected", webhook, status, failedCondition: conditions.index };
  }
  return { outcome: "call", webhook, invocation: { webhook, resource, kind: matchedKind, objects } };
}

/** Evaluated again until the authorizer has answered every check. */
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
