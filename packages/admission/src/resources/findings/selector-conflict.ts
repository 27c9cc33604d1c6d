// Label selectors that no set of labels can meet, alone or together.

import { Invalid } from "@celadon/kube/errors";
import { type LabelSelectorObject, type Requirement, toLabelSelector } from "@celadon/kube/selectors";

/** A key that labels would have to have two values of; undefined when there may be such labels. */
export function conflictingKey(...selectors: readonly (LabelSelectorObject | undefined)[]): string | undefined {
  const byKey = new Map<string, Requirement[]>();
  for (const object of selectors) {
    const selector = object === undefined ? undefined : toLabelSelector(object);
    if (selector === undefined || selector instanceof Invalid) continue;
    for (const requirement of selector.requirements) {
      byKey.set(requirement.key, [...(byKey.get(requirement.key) ?? []), requirement]);
    }
  }
  for (const [key, requirements] of byKey) if (!canHold(requirements)) return key;
  return undefined;
}

function canHold(requirements: readonly Requirement[]): boolean {
  let allowed: readonly string[] | undefined;
  let mustExist = false;
  const refused = new Set<string>();
  let mustNotExist = false;
  for (const { operator, values } of requirements) {
    if (operator === "in" || operator === "=" || operator === "==") {
      allowed = allowed === undefined ? values : allowed.filter((value) => values.includes(value));
      mustExist = true;
    } else if (operator === "notin" || operator === "!=") for (const value of values) refused.add(value);
    else if (operator === "exists") mustExist = true;
    else if (operator === "!") mustNotExist = true;
  }
  if (mustExist && mustNotExist) return false;
  return allowed === undefined || allowed.some((value) => !refused.has(value));
}
