// Whether two resource rules can match the same request, and whether one matches everything the other does. If that
// cannot be decided, the answer is the one without a finding: they overlap, and neither covers the other.

import type { NamedRuleWithOperations } from "../../policy.ts";

type Rule = NamedRuleWithOperations;

/** `exact`: versions count. Otherwise a resource is hit through its other versions as well. */
export function canOverlap(a: Rule, b: Rule, exact: boolean): boolean {
  return (
    shares(a.operations, b.operations) &&
    shares(a.apiGroups, b.apiGroups) &&
    (!exact || shares(a.apiVersions, b.apiVersions)) &&
    sharesResource(a.resources ?? [], b.resources ?? []) &&
    sharesName(a.resourceNames ?? [], b.resourceNames ?? []) &&
    (isAny(a.scope) || isAny(b.scope) || a.scope === b.scope)
  );
}

/** Whether `outer` hits every request that `inner` hits. */
export function covers(outer: Rule, inner: Rule): boolean {
  return (
    includes(outer.operations, inner.operations) &&
    includes(outer.apiGroups, inner.apiGroups) &&
    includes(outer.apiVersions, inner.apiVersions) &&
    (inner.resources ?? []).every((resource) =>
      (outer.resources ?? []).some((pattern) => coversResource(pattern, resource)),
    ) &&
    ((outer.resourceNames ?? []).length === 0 ||
      ((inner.resourceNames ?? []).length > 0 &&
        (inner.resourceNames ?? []).every((name) => outer.resourceNames?.includes(name)))) &&
    (isAny(outer.scope) || outer.scope === inner.scope)
  );
}

function shares(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.some((text) => text === "*" || b.some((other) => other === "*" || other === text));
}

function includes(outer: readonly string[] = [], inner: readonly string[] = []): boolean {
  return outer.includes("*") || inner.every((text) => outer.includes(text));
}

function sharesResource(a: readonly string[], b: readonly string[]): boolean {
  return a.some((text) => b.some((other) => sameResources(text, other)));
}

// `pods/*` is pods as well as its subresources.
function sameResources(a: string, b: string): boolean {
  const [nameA, subA] = split(a);
  const [nameB, subB] = split(b);
  return (nameA === "*" || nameB === "*" || nameA === nameB) && (subA === "*" || subB === "*" || subA === subB);
}

function coversResource(outer: string, inner: string): boolean {
  const [name, sub] = split(outer);
  const [innerName, innerSub] = split(inner);
  return (name === "*" || name === innerName) && (sub === "*" || sub === innerSub);
}

function split(pattern: string): readonly [resource: string, subresource: string] {
  const slash = pattern.indexOf("/");
  return slash === -1 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
}

function sharesName(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((name) => b.includes(name));
}

function isAny(scope: string | undefined): boolean {
  return scope === undefined || scope === "*";
}
