// The expectation of a test about an object: the verdict of the resource, or for a match condition whether it matches.

import { type JsonPath, valueAt } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { ObjectVerdict } from "../verdicts/review-all.ts";

/** `expect` of a case. */
export function expectationOf(resource: KubeObject, path: JsonPath, verdict: ObjectVerdict): unknown {
  if (isCondition(path)) {
    const matched = isMatched(resource, path, verdict);
    if (path[0] !== "webhooks") return { matched };
    const called = calledOf(resource, verdict);
    if (matched) return { webhooks: { called } };
    return { ...(called.length === 0 && { matched: false }), webhooks: { notCalled: [webhookName(resource, path)] } };
  }
  if (resource.kind === "CertificateRequestPolicy") return certificateVerdict(verdict);
  const name = nameOf(resource);
  const own = verdict.problems.filter(({ by }) => by?.name === name);
  const denied = own.find(({ level }) => level === "deny");
  if (denied === undefined) return "allow";
  return { verdict: own.some(({ by }) => by?.error === true) ? "error" : "deny", message: denied.message };
}

/** Whether the policy was evaluated for the object, or the webhook is called for it. */
export function isMatched(resource: KubeObject, path: JsonPath, verdict: ObjectVerdict): boolean {
  switch (resource.kind) {
    case "ValidatingAdmissionPolicy":
      return verdict.truths.has(nameOf(resource));
    case "MutatingAdmissionPolicy":
      return verdict.mutations.has(nameOf(resource));
    default:
      return calledOf(resource, verdict).includes(webhookName(resource, path));
  }
}

/** Webhooks of a configuration that are called. */
function calledOf(resource: KubeObject, { webhooks }: ObjectVerdict): unknown[] {
  const isMutating = resource.kind === "MutatingWebhookConfiguration";
  return webhooks.flatMap(({ outcome, webhook }) =>
    outcome === "call" && webhook.configuration === nameOf(resource) && webhook.mutating === isMutating
      ? [webhook.webhook.name]
      : [],
  );
}

function isCondition(path: JsonPath): boolean {
  return path.at(-3) === "matchConditions";
}

function webhookName(resource: KubeObject, path: JsonPath): unknown {
  return valueAt(resource, [...path.slice(0, 2), "name"]);
}

const RESULTS = { Approved: "approve", Denied: "deny", Unprocessed: "unprocessed", Error: "error" } as const;

function certificateVerdict({ certificate }: ObjectVerdict): string {
  return certificate === undefined ? "allow" : RESULTS[certificate.result];
}
