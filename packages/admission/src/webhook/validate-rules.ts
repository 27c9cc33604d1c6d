// Errors of resource rules, as the API server tells them for webhooks and policies alike.

import { type FieldError, type FieldPath, invalidValue, JsonShown, notSupported, requiredValue } from "@celadon/kube";
import type { WebhookRule } from "./configuration.ts";

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

export function validateRule(rule: WebhookRule, path: FieldPath): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const errors = [
    ...checkList(operations, path.child("operations"), "operations"),
    ...operations.flatMap((operation, i) =>
      OPERATIONS.includes(operation)
        ? []
        : [notSupported(path.child("operations").index(i), new JsonShown(operation), OPERATIONS)],
    ),
    ...checkList(apiGroups, path.child("apiGroups"), "API groups"),
    ...checkList(apiVersions, path.child("apiVersions"), "API versions"),
    ...apiVersions.flatMap((version, i) => (version === "" ? [requiredValue(path.child("apiVersions").index(i))] : [])),
    ...checkResources(resources, path.child("resources")),
  ];
  if (scope !== undefined && !SCOPES.includes(scope)) {
    errors.push(notSupported(path.child("scope"), new JsonShown(scope), SCOPES));
  }
  return errors;
}

/** There is something, and a star is alone. */
function checkList(values: readonly string[], path: FieldPath, what: string): FieldError[] {
  if (values.length === 0) return [requiredValue(path)];
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalidValue(path, values, `if '*' is present, must not specify other ${what}`)];
}

/** Overlaps are found only with what stands before, and the last entry without a slash decides whether one is a plain name. */
function checkResources(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors = resources.length === 0 ? [requiredValue(path)] : [];
  const allSubresources = new Set<string>();
  const allResources = new Set<string>();
  let plain = false;
  for (const [i, entry] of resources.entries()) {
    if (entry === "") {
      errors.push(requiredValue(path.index(i)));
      continue;
    }
    const slash = entry.indexOf("/");
    if (slash < 0) {
      plain = entry !== "*";
      continue;
    }
    const [resource, subresource] = [entry.slice(0, slash), entry.slice(slash + 1)];
    if (allSubresources.has(resource)) errors.push(overlap(path.index(i), entry, `${resource}/*`));
    if (allResources.has(subresource)) errors.push(overlap(path.index(i), entry, `*/${subresource}`));
    if (subresource === "*") allSubresources.add(resource);
    if (resource === "*") allResources.add(subresource);
  }
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (plain && resources.includes("*")) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidValue(path, resources, detail));
  }
  return errors;
}

function overlap(path: FieldPath, entry: string, wider: string): FieldError {
  return invalidValue(path, entry, `if '${wider}' is present, must not specify ${entry}`);
}
