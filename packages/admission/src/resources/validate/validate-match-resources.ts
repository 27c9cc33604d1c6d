// A policy's matchConstraints and a binding's matchResources.

import { pushAll } from "@celadon/base";
import { type FieldError, type FieldPath, JsonShown, notSupported, requiredValue } from "@celadon/kube/errors";
import { validateLabelSelector } from "@celadon/kube/selectors";
import type { Emulation } from "@celadon/kube/versions";
import type { MatchResources } from "../../policy.ts";
import { validateNamedRule } from "./validate-rule.ts";

const MATCH_POLICIES = ["Equivalent", "Exact"];

export function validateMatchResources(
  resources: MatchResources | undefined,
  path: FieldPath,
  by?: Emulation,
): FieldError[] {
  if (resources === undefined) return [];
  const { matchPolicy, resourceRules = [], excludeResourceRules = [] } = resources;
  const errors: FieldError[] = [];
  if (matchPolicy === undefined) errors.push(requiredValue(path.child("matchPolicy")));
  else if (!MATCH_POLICIES.includes(matchPolicy)) {
    errors.push(notSupported(path.child("matchPolicy"), new JsonShown(matchPolicy), MATCH_POLICIES));
  }
  for (const name of ["namespaceSelector", "objectSelector"] as const) {
    const selector = resources[name];
    if (selector === undefined) errors.push(requiredValue(path.child(name)));
    else pushAll(errors, validateLabelSelector(selector, path.child(name), by));
  }
  resourceRules.forEach(
    (rule, i) => void pushAll(errors, validateNamedRule(rule, path.child("resourceRules").index(i))),
  );
  excludeResourceRules.forEach(
    (rule, i) => void pushAll(errors, validateNamedRule(rule, path.child("excludeResourceRules").index(i))),
  );
  return errors;
}
