// Which requests a cluster has to ask about: the union of what policies match, as webhook entries that do not grow with the number of
// policies. An entry may send more than a policy wants, never less: what really matches is decided by the policies themselves.

import type { NamedRuleWithOperations } from "@celadon/admission";
import { compareStrings } from "@celadon/kube";

export type FailurePolicy = "Fail" | "Ignore";

/** What an entry needs to know of a policy. */
export interface MatchedPolicy {
  readonly name: string;
  readonly failurePolicy: FailurePolicy;
  readonly matchPolicy: "Exact" | "Equivalent";
  readonly rules: readonly NamedRuleWithOperations[];
  /** Bindings of a namespace of their own cannot speak for what is in no namespace. */
  readonly namespacedOnly: boolean;
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

export interface EntryShape {
  readonly failurePolicy: FailurePolicy;
  readonly matchPolicy: "Exact" | "Equivalent";
  /** From 0; policies that name other versions of one resource cannot share an entry, because a call carries one version. */
  readonly lane: number;
  readonly rules: readonly Rule[];
}

/** In a fixed order, so that nothing is written when nothing changed. */
export function entryShapes(policies: readonly MatchedPolicy[]): readonly EntryShape[] {
  const lanes = new Map<string, Lane>();
  const sorted = [...policies].sort((a, b) => compareStrings(a.name, b.name));
  for (const policy of sorted) {
    const tuples = tuplesOf(policy);
    if (tuples.length === 0) continue;
    for (let lane = 0; ; lane++) {
      const key = `${policy.failurePolicy} ${policy.matchPolicy} ${lane}`;
      let found = lanes.get(key);
      if (found === undefined) {
        const { failurePolicy, matchPolicy } = policy;
        lanes.set(key, (found = { failurePolicy, matchPolicy, lane, tuples: new Map(), versions: new Map() }));
      }
      if (!fits(found, tuples)) continue;
      join(found, tuples);
      break;
    }
  }
  return [...lanes]
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([, { failurePolicy, matchPolicy, lane, tuples }]) => ({
      failurePolicy,
      matchPolicy,
      lane,
      rules: rulesOf(withoutCovered([...tuples.values()])),
    }));
}

/** One group, version, resource and scope, with its operations. */
interface Tuple {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly scope: string;
  readonly operations: Set<string>;
}

interface Lane {
  readonly failurePolicy: FailurePolicy;
  readonly matchPolicy: "Exact" | "Equivalent";
  readonly lane: number;
  readonly tuples: Map<string, Tuple>;
  /** By group and resource: the versions that are asked for. */
  readonly versions: Map<string, string>;
}

function tuplesOf({ rules, namespacedOnly }: MatchedPolicy): readonly Tuple[] {
  return rules.flatMap((rule) => {
    const scope = rule.scope ?? "*";
    if (namespacedOnly && scope === "Cluster") return [];
    return (rule.apiGroups ?? []).flatMap((group) =>
      (rule.apiVersions ?? []).flatMap((version) =>
        (rule.resources ?? []).map((resource) => ({
          group,
          version,
          resource,
          scope: namespacedOnly ? "Namespaced" : scope,
          operations: new Set(rule.operations ?? []),
        })),
      ),
    );
  });
}

/** Exact entries never convert, so that nothing in them is in the way of anything else. */
function fits({ matchPolicy, versions }: Lane, tuples: readonly Tuple[]): boolean {
  if (matchPolicy === "Exact") return true;
  return [...versionsOf(tuples)].every(([key, asked]) => (versions.get(key) ?? asked) === asked);
}

function join({ tuples: into, versions }: Lane, tuples: readonly Tuple[]): void {
  for (const [key, asked] of versionsOf(tuples)) versions.set(key, asked);
  for (const tuple of tuples) {
    const key = [tuple.group, tuple.version, tuple.resource, tuple.scope].join(" ");
    const known = into.get(key);
    if (known === undefined) into.set(key, { ...tuple, operations: new Set(tuple.operations) });
    else for (const operation of tuple.operations) known.operations.add(operation);
  }
}

/** By group and resource, the versions in order. Subresources are converted with their resource. */
function versionsOf(tuples: readonly Tuple[]): ReadonlyMap<string, string> {
  const sets = new Map<string, Set<string>>();
  for (const { group, version, resource } of tuples) {
    const key = `${group} ${resource.split("/")[0]}`;
    const set = sets.get(key) ?? new Set();
    set.add(version);
    sets.set(key, set);
  }
  return new Map([...sets].map(([key, set]) => [key, [...set].sort(compareStrings).join(",")]));
}

/** What a wildcard asks for anyway is not asked for again. */
function withoutCovered(tuples: readonly Tuple[]): readonly Tuple[] {
  const wide = tuples.filter(({ group, version, resource }) =>
    [group, version, resource].some((part) => part.includes("*")),
  );
  return tuples.filter((tuple) => !wide.some((other) => other !== tuple && covers(other, tuple)));
}

function covers(wide: Tuple, tuple: Tuple): boolean {
  const same = (a: string, b: string): boolean => a === "*" || a === b;
  return (
    same(wide.group, tuple.group) &&
    same(wide.version, tuple.version) &&
    same(wide.scope, tuple.scope) &&
    coversResource(wide.resource, tuple.resource) &&
    (wide.operations.has("*") || [...tuple.operations].every((operation) => wide.operations.has(operation)))
  );
}

/** `*` is everything without a subresource, `* / *` everything, `pods/*` pods and what is below. */
function coversResource(wide: string, resource: string): boolean {
  const [left, right = ""] = wide.split("/");
  const [name, below = ""] = resource.split("/");
  return (left === "*" || left === name) && (right === "*" || right === below);
}

/** Tuples that differ in their resource alone become one rule. */
function rulesOf(tuples: readonly Tuple[]): readonly Rule[] {
  const rules = new Map<
    string,
    { readonly tuple: Tuple; readonly operations: readonly string[]; readonly resources: string[] }
  >();
  for (const tuple of tuples) {
    const operations = tuple.operations.has("*") ? ["*"] : [...tuple.operations].sort(compareStrings);
    const key = [tuple.group, tuple.version, tuple.scope, ...operations].join(" ");
    const rule = rules.get(key) ?? { tuple, operations, resources: [] };
    rule.resources.push(tuple.resource);
    rules.set(key, rule);
  }
  return [...rules]
    .sort(([a], [b]) => compareStrings(a, b))
    .map(([, { tuple, operations, resources }]) => ({
      apiGroups: [tuple.group],
      apiVersions: [tuple.version],
      operations,
      resources: resources.sort(compareStrings),
      scope: tuple.scope,
    }));
}
