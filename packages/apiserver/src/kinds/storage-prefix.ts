// The prefix of a resource's objects in the store. Custom resources have prefixes of their own: a colon is in no API group, so no
// definition, with any names, can reach the objects of a built-in resource.

const REGISTRY = "/registry/";

export function builtinPrefix(group: string, plural: string): string {
  return `${REGISTRY}${group === "" ? "core" : group}/${plural}/`;
}

export function customPrefix(group: string, plural: string): string {
  return `${REGISTRY}custom:${group}/${plural}/`;
}

/** The prefix of custom resources before they had their own. */
export function formerCustomPrefix(group: string, plural: string): string {
  return `${REGISTRY}${group}/${plural}/`;
}
