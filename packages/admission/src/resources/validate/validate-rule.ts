// Rules of matchConstraints and matchResources, webhooks' among them. Upstream: kubernetes
// pkg/apis/admissionregistration/validation.

import {
  duplicateValue,
  type FieldError,
  type FieldPath,
  invalidValue,
  JsonShown,
  notSupported,
  requiredValue,
} from "@celadon/kube/errors";
import { checkPathSegmentName } from "@celadon/kube/names";
import type { NamedRuleWithOperations } from "../../policy.ts";

const OPERATIONS = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const SCOPES = ["*", "Cluster", "Namespaced"];

export function validateNamedRule(rule: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  (rule.resourceNames ?? []).forEach((name, i) => {
    const at = path.child("resourceNames").index(i);
    for (const problem of checkPathSegmentName(name)) errors.push(invalidValue(at, name, problem));
    if (seen.has(name)) errors.push(duplicateValue(at, name));
    seen.add(name);
  });
  return [...errors, ...validateRule(rule, path)];
}

/** The part that rules of webhooks have as well. */
export function validateRule(rule: Omit<NamedRuleWithOperations, "resourceNames">, path: FieldPath): FieldError[] {
  const { scope } = rule;
  return [
    ...operationErrors(rule.operations ?? [], path.child("operations")),
    ...wildcardList(rule.apiGroups ?? [], path.child("apiGroups"), "API groups"),
    ...wildcardList(rule.apiVersions ?? [], path.child("apiVersions"), "API versions"),
    ...emptyElements(rule.apiVersions ?? [], path.child("apiVersions")),
    ...resourceErrors(rule.resources ?? [], path.child("resources")),
    ...(scope === undefined || SCOPES.includes(scope)
      ? []
      : [notSupported(path.child("scope"), new JsonShown(scope), SCOPES)]),
  ];
}

function operationErrors(operations: readonly string[], path: FieldPath): FieldError[] {
  const errors = wildcardList(operations, path, "operations");
  operations.forEach((operation, i) => {
    if (!OPERATIONS.includes(operation)) errors.push(notSupported(path.index(i), new JsonShown(operation), OPERATIONS));
  });
  return errors;
}

function wildcardList(values: readonly string[], path: FieldPath, what: string): FieldError[] {
  if (values.length === 0) return [requiredValue(path)];
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalidValue(path, values, `if '*' is present, must not specify other ${what}`)];
}

function emptyElements(values: readonly string[], path: FieldPath): FieldError[] {
  return values.flatMap((value, i) => (value === "" ? [requiredValue(path.index(i))] : []));
}

// Only entries before the current one are checked, and the last entry without a subresource decides whether there is a bare
// resource: the order of a list decides whether it is accepted.
function resourceErrors(resources: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [requiredValue(path)] : [];
  const allSubresourcesOf = new Set<string>();
  const subresourceOfAll = new Set<string>();
  let bare = false;
  resources.forEach((entry, i) => {
    if (entry === "") {
      errors.push(requiredValue(path.index(i)));
      return;
    }
    const slash = entry.indexOf("/");
    if (slash === -1) {
      bare = entry !== "*";
      return;
    }
    const resource = entry.slice(0, slash);
    const subresource = entry.slice(slash + 1);
    const present = (pattern: string): FieldError =>
      invalidValue(path.index(i), entry, `if '${pattern}' is present, must not specify ${entry}`);
    if (allSubresourcesOf.has(resource)) errors.push(present(`${resource}/*`));
    if (subresourceOfAll.has(subresource)) errors.push(present(`*/${subresource}`));
    if (subresource === "*") allSubresourcesOf.add(resource);
    if (resource === "*") subresourceOfAll.add(subresource);
  });
  if (resources.length > 1 && resources.includes("*/*")) {
    errors.push(invalidValue(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (bare && resources.includes("*")) {
    errors.push(
      invalidValue(path, resources, "if '*' is present, must not specify other resources without subresources"),
    );
  }
  return errors;
}
