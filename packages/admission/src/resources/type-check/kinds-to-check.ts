// The kinds a policy's expressions are type checked for: those its rules name. Upstream gives up on wildcards and subresources and after
// ten kinds of a rule; the kinds it leaves out are listed apart.

import { compareStrings } from "@celadon/base";
import type { GroupVersionKind, GroupVersionResource } from "@celadon/kube";
import type { Maybe, SchemaSource } from "../../hosts.ts";
import type { NamedRuleWithOperations, Policy } from "../../policy.ts";
import { answerOf } from "./answer-of.ts";

const MAX_KINDS = 10;

/** A resource with the kinds its subresources carry. */
export interface CheckedResource extends GroupVersionResource {
  readonly kind: string;
  readonly subresources: ReadonlyMap<string, GroupVersionKind>;
}

/** The schemas and resources of type checking. */
export interface TypeSource extends SchemaSource {
  /** Every resource; without it, rules with wildcards and subresources are not checked. */
  served?(): Maybe<readonly CheckedResource[]>;
}

export interface KindsToCheck {
  /** The kinds that the API server checks, in its order. */
  readonly kinds: readonly GroupVersionKind[];
  /** The kinds that it does not check. */
  readonly beyond: readonly GroupVersionKind[];
}

export async function kindsToCheck(policy: Policy, source: TypeSource): Promise<KindsToCheck> {
  const rules = policy.spec.matchConstraints?.resourceRules ?? [];
  const kinds = await namedKinds(rules, source);
  const served = (await answerOf(() => source.served?.())) ?? [];
  const beyond = new Map<string, GroupVersionKind>();
  for (const rule of rules) for (const kind of matchedKinds(rule, served)) beyond.set(keyOf(kind), kind);
  for (const key of kinds.keys()) beyond.delete(key);
  return { kinds: sorted(kinds.values()), beyond: sorted(beyond.values()) };
}

// Kinds are counted per rule, the same kind every time it comes; the tenth ends it all.
async function namedKinds(
  rules: readonly NamedRuleWithOperations[],
  source: TypeSource,
): Promise<Map<string, GroupVersionKind>> {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    let count = 0;
    for (const resource of namedResources(rule)) {
      for (const { group, version, kind } of (await answerOf(() => source.kinds(resource))) ?? []) {
        const gvk = { group, version, kind };
        found.set(keyOf(gvk), gvk);
        count++;
        if (count === MAX_KINDS) return found;
      }
    }
  }
  return found;
}

function namedResources({
  apiGroups = [],
  apiVersions = [],
  resources = [],
}: NamedRuleWithOperations): GroupVersionResource[] {
  if ([...apiGroups, ...apiVersions].some((name) => name.includes("*"))) return [];
  const plain = resources.filter((name) => !/[*/]/.test(name)).sort(compareStrings);
  return [...apiGroups]
    .sort(compareStrings)
    .flatMap((group) =>
      [...apiVersions]
        .sort(compareStrings)
        .flatMap((version) => plain.map((resource) => ({ group, version, resource }))),
    );
}

/** Every kind a request that the rule matches may carry. */
function matchedKinds(
  { apiGroups = [], apiVersions = [], resources = [] }: NamedRuleWithOperations,
  served: readonly CheckedResource[],
): GroupVersionKind[] {
  const fits = (list: readonly string[], name: string): boolean => list.includes("*") || list.includes(name);
  return served
    .filter(({ group, version }) => fits(apiGroups, group) && fits(apiVersions, version))
    .flatMap(({ group, version, resource, kind, subresources }) =>
      resources.flatMap((pattern) => {
        const [name = "", subresource] = pattern.split("/", 2);
        if (name !== "*" && name !== resource) return [];
        const own = { group, version, kind };
        if (subresource === undefined) return [own];
        if (subresource === "*") return [own, ...subresources.values()];
        const found = subresources.get(subresource);
        return found === undefined ? [] : [found];
      }),
    );
}

function sorted(kinds: Iterable<GroupVersionKind>): GroupVersionKind[] {
  return [...kinds].sort(
    (a, b) =>
      compareStrings(a.group, b.group) || compareStrings(a.version, b.version) || compareStrings(a.kind, b.kind),
  );
}

function keyOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}
