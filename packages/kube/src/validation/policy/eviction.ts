// Evictions: requests to remove a pod, if disruption budgets allow it.

import type { Eviction } from "../../api/generated/policy-v1.ts";
import { badRequest, invalidObject } from "../../status.ts";
import { ValidatedField } from "../field.ts";
import { type AnyActionRules, actionRules } from "../rules.ts";

const IGNORE_ERRORS = "ignoreStoreReadErrorWithClusterBreakingPotential";

export const eviction: AnyActionRules = actionRules<Eviction>({
  kind: { group: "policy", kind: "Eviction" },
  refuse(object, { name = "" }) {
    if ((object.metadata?.name ?? "") !== name) {
      return badRequest("name in URL does not match name in Eviction object");
    }
    if (!object.deleteOptions?.[IGNORE_ERRORS]) return undefined;
    const at = ValidatedField.root().child("deleteOptions", IGNORE_ERRORS);
    at.invalid(true, "can not be set for pod eviction, try after removing the option");
    return invalidObject({ group: "policy", kind: "Eviction" }, name, at.errors);
  },
});
