// Denials and errors of webhooks, and notes about webhooks that were not called.

import { expressionPath } from "@celadon/admission/explain";
import { type DispatchReport, statusOf, type WebhookSelection } from "@celadon/admission/webhook";
import type { Problem, ProblemSource } from "./outcome.ts";
import { statusProblem } from "./problems.ts";

type DispatchedWebhooks = Pick<DispatchReport, "selections" | "calls">;

/** Webhooks that could not be decided on, that denied, or that failed. The first is the returned one. */
export function webhookProblems({ selections, calls }: DispatchedWebhooks): Problem[] {
  const refusals = [
    ...selections.flatMap((selection) =>
      selection.outcome === "rejected"
        ? [{ webhook: selection.webhook, status: selection.status, error: true, condition: conditionOf(selection) }]
        : [],
    ),
    ...calls.flatMap(({ webhook, outcome }) => {
      const status = statusOf(outcome, webhook);
      if (status === undefined) return [];
      return [{ webhook, status, error: outcome.outcome !== "denied", condition: undefined }];
    }),
  ];
  return refusals.map(({ webhook: { configuration, mutating, webhook }, status, error, condition }, i) => {
    const kind = mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
    const by = { kind, name: configuration, binding: webhook.name, ...condition, error };
    return { ...statusProblem(status, "webhook", by), returned: i === 0 };
  });
}

/** The match condition that failed, and where it is written. */
function conditionOf({
  webhook,
  failedCondition,
}: Extract<WebhookSelection, { outcome: "rejected" }>): Pick<ProblemSource, "path" | "expression"> | undefined {
  const { owner, conditions } = webhook.rules;
  const condition = failedCondition === undefined ? undefined : conditions[failedCondition];
  if (failedCondition === undefined || condition === undefined) return undefined;
  return { path: expressionPath("matchCondition", failedCondition, owner.webhook), expression: condition.text };
}

/** For webhooks selected in two passes, the pass that would call them. */
export function selectedOnce(reports: readonly DispatchedWebhooks[]): readonly WebhookSelection[] {
  const found = new Map<string, WebhookSelection>();
  for (const selection of reports.flatMap(({ selections }) => selections)) {
    const { id } = selection.webhook;
    if (found.get(id)?.outcome !== "call") found.set(id, selection);
  }
  return [...found.values()];
}

/** Only the webhook knows its patch. */
export function unknownPatches(reports: readonly DispatchedWebhooks[]): readonly string[] {
  const called = new Set(reports.flatMap(({ calls }) => calls.map(({ webhook }) => webhook.id)));
  return selectedOnce(reports).flatMap(({ outcome, webhook }) =>
    outcome === "call" && !called.has(webhook.id)
      ? [`webhook "${webhook.webhook.name}" is not called, so its changes to the object are unknown`]
      : [],
  );
}
