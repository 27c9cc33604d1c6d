// An outcome as the JSON that machines get. Documented in docs/reference/output.md: fields are added, never changed.

import { refusalText } from "@celadon/admission";
import type { Selection } from "@celadon/admission/webhook";
import { dataPathText } from "@celadon/cel/explain";
import { appliedOf, type Outcome, type Problem } from "@celadon/simulator";
import { requestSubject } from "./names.ts";
import { startOf } from "./place.ts";
import { problemPlace, type Reviewed } from "./reviewed.ts";

export function reviewedJson(reviewed: Reviewed): Record<string, unknown> {
  const { manifest, outcome } = reviewed;
  const place = startOf(manifest);
  return {
    ...(place && { file: place.file, line: place.line }),
    object: requestSubject(outcome.request),
    operation: outcome.request.operation,
    ...(outcome.request.subresource && { subresource: outcome.request.subresource }),
    user: outcome.request.userInfo?.username ?? "",
    allowed: outcome.allowed,
    ...(outcome.status && { status: outcome.status }),
    problems: outcome.problems.map((problem) => problemJson(reviewed, problem)),
    warnings: outcome.warnings,
    auditAnnotations: outcome.auditAnnotations,
    policies: policiesJson(outcome),
    webhooks: outcome.webhooks.map(webhookJson),
    ...(outcome.certificate && { certificate: outcome.certificate }),
    assumptions: outcome.assumptions,
  };
}

function problemJson(reviewed: Reviewed, problem: Problem): Record<string, unknown> {
  const { system, level, message, returned, reason, by, path, value, oldValue } = problem;
  const blamed = reviewed.blame.get(problem);
  const at = blamed ?? (path && { root: "object", path });
  const place = problemPlace(reviewed, problem);
  return {
    system,
    level,
    message,
    returned,
    ...(reason !== undefined && { reason }),
    ...(by && { by }),
    ...(at && at.path.length > 0 && { path: dataPathText(at) }),
    ...(value !== undefined && { value }),
    ...(oldValue !== undefined && { oldValue }),
    ...(place && { place }),
  };
}

function policiesJson({ policies }: Outcome): Record<string, unknown>[] {
  return policies.verdicts.policies.map((one) => {
    const { applied, refusals } = appliedOf(one);
    return {
      policy: one.policy.name,
      applied,
      ...(refusals.length > 0 && { refusals }),
      ...(one.outcome === "error" && { error: one.message }),
      ...(one.outcome === "matched" && {
        bindings: one.bindings.map((binding) => ({
          binding: binding.binding.name,
          outcome: binding.outcome,
          ...(binding.outcome === "error" && { error: binding.message }),
          ...(binding.outcome === "evaluated" && { costs: binding.evaluations.map(({ costs }) => costs) }),
        })),
      }),
    };
  });
}

function webhookJson(selection: Selection): Record<string, unknown> {
  const { configuration, webhook, mutating } = selection.webhook;
  return {
    configuration,
    webhook: webhook.name,
    type: mutating ? "mutating" : "validating",
    called: selection.outcome === "call",
    ...(selection.outcome === "refused" && { refusal: refusalText(selection.refusal) }),
    ...(selection.outcome === "rejected" && { error: selection.status.message }),
  };
}
