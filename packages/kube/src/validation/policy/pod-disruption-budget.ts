// PodDisruptionBudgets: how many pods of an application may be missing.

import type { PodDisruptionBudget, PodDisruptionBudgetSpec } from "../../api/generated/policy-v1.ts";
import { conditions } from "../checks/conditions.ts";
import { atMost100Percent, intOrPercent } from "../checks/int-or-percent.ts";
import { labelSelector } from "../checks/selectors.ts";
import type { ValidatedField } from "../field.ts";
import { type AnyKindRules, kindRules, SPEC, STATUS } from "../rules.ts";
import { shownAs } from "../show/internal.ts";

const COUNTS = ["disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"] as const;

export const podDisruptionBudget: AnyKindRules = kindRules<PodDisruptionBudget>({
  kind: { group: "policy", kind: "PodDisruptionBudget" },
  resource: "poddisruptionbudgets",
  namespaced: true,
  unconditionalUpdate: false,
  drops: [STATUS],
  keeps: [STATUS],
  generation: [SPEC],
  validate: (object, at) => budget(object.spec ?? {}, at.child("spec")),
  validateUpdate: (object, _old, at) => budget(object.spec ?? {}, at.child("spec")),
  subresources: {
    status: {
      keeps: [SPEC],
      validateUpdate(object, _old, at) {
        const status = object.status ?? {};
        conditions(status.conditions, at.child("status", "conditions"));
        for (const field of COUNTS) at.child("status", field).notNegative(status[field]);
      },
    },
  },
});

function budget(spec: PodDisruptionBudgetSpec, at: ValidatedField): void {
  const { minAvailable, maxUnavailable } = spec;
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = shownAs("policy.PodDisruptionBudgetSpec", spec);
    at.invalid(shown, "minAvailable and maxUnavailable cannot be both set");
  }
  for (const field of ["minAvailable", "maxUnavailable"] as const) {
    if (spec[field] === undefined) continue;
    intOrPercent(spec[field], at.child(field));
    atMost100Percent(spec[field], at.child(field));
  }
  labelSelector(spec.selector, at.child("selector"));
  at.child("unhealthyPodEvictionPolicy").mayBeOneOf(spec.unhealthyPodEvictionPolicy, [
    "AlwaysAllow",
    "IfHealthyBudget",
  ]);
}
