// The requests that the API server must send: the union of what policies match, as webhook entries that do not grow with the number of
// policies. An entry may match more than a policy does, never less: the policies themselves decide what matches.

import type { NamedRuleWithOperations } from "@celadon/admission/policy";
import { compareStrings } from "@celadon/base";
import { boundedRules, fitting, isTooLarge, MOST_TUPLES } from "./entry-budget.ts";
import { classPath, type PolicyClass } from "./policy-class.ts";
import type { PolicyGroup } from "./policy-objects.ts";

/** The part of a policy that an entry needs. */
export interface MatchedPolicy {
  /** Kind and name. */
  readonly key: string;
  readonly group: PolicyGroup;
  readonly generation: number;
  /** When it was created. */
  readonly since: string;
  readonly class: PolicyClass;
  readonly rules: readonly NamedRuleWithOperations[];
  /** Bindings of a namespace cannot apply to cluster-scoped objects. */
  readonly namespacedOnly: boolean;
}

export const policyKey = (kind: string, name: string): string => `${kind} ${name}`;

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** An entry for all policies of a class. */
export interface EntryShape {
  readonly class: PolicyClass;
  readonly rules: readonly Rule[];
}

/** The entries of a configuration, and the classes of policies that have no place in it. */
export interface EntryPlan {
  readonly shapes: readonly EntryShape[];
  /** By their paths. */
  readonly omitted: ReadonlySet<string>;
}

/** In a fixed order, so that nothing is written when nothing changed. */
export function entryShapes(policies: readonly MatchedPolicy[]): EntryPlan {
  const omitted = new Set<string>();
  const entries = new Map<string, OpenEntry>();
  for (const policy of policies) {
    const path = classPath(policy.class);
    const tuples = tuplesOf(policy);
    if (tuples === undefined) omitted.add(path);
    if (tuples === undefined || tuples.length === 0) continue;
    let entry = entries.get(path);
    if (entry === undefined) {
      entries.set(path, (entry = { class: policy.class, since: policy.since, tuples: new Map(), isWide: false }));
    }
    if (policy.since < entry.since) entry.since = policy.since;
    join(entry.tuples, entry.isWide ? tuples.map((tuple) => wide(tuple, entry.class)) : tuples);
    if (!entry.isWide && entry.tuples.size > MOST_TUPLES) widen(entry);
  }
  const candidates = [...entries].map(([path, entry]) => ({ ...entry, path, rules: rulesWithin(entry) }));
  const kept = fitting(candidates);
  for (const candidate of candidates) if (!kept.has(candidate)) omitted.add(candidate.path);
  const shapes = [...kept]
    .sort((a, b) => compareClasses(a.class, b.class))
    .map(({ class: of, rules }) => ({ class: of, rules }));
  return { shapes, omitted };
}

/** An entry that policies are added to. */
interface OpenEntry {
  readonly class: PolicyClass;
  since: string;
  tuples: Map<string, Tuple>;
  /** Whether it covers all groups and resources of its versions. */
  isWide: boolean;
}

function rulesWithin(entry: OpenEntry): readonly Rule[] {
  const rules = rulesOf(withoutCovered([...entry.tuples.values()]));
  if (entry.isWide || !isTooLarge(rules)) return rules;
  widen(entry);
  return rulesOf(withoutCovered([...entry.tuples.values()]));
}

function widen(entry: OpenEntry): void {
  const { tuples } = entry;
  entry.isWide = true;
  entry.tuples = new Map();
  join(
    entry.tuples,
    [...tuples.values()].map((tuple) => wide(tuple, entry.class)),
  );
}

/** If objects come as they were sent, the version need not be named either. */
function wide(tuple: Tuple, { matchPolicy }: PolicyClass): Tuple {
  const version = matchPolicy === "Exact" ? "*" : tuple.version;
  return { ...tuple, group: "*", version, resource: "*/*" };
}

/** Policies that run again when others changed the object run first. */
function compareClasses(a: PolicyClass, b: PolicyClass): number {
  return compareStrings(a.reinvocationPolicy, b.reinvocationPolicy) || compareStrings(classPath(a), classPath(b));
}

/** One group, version, resource and scope, with its operations. */
interface Tuple {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly scope: string;
  readonly operations: Set<string>;
}

/** Undefined where they are too many. */
function tuplesOf({ class: of, rules, namespacedOnly }: MatchedPolicy): readonly Tuple[] | undefined {
  return boundedRules(rules, of.matchPolicy === "Exact")?.flatMap((rule) => {
    const scope = rule.scope ?? "*";
    if (namespacedOnly && scope === "Cluster") return [];
    const operations = operationsOf(rule, of.review === "mutate");
    if (operations.length === 0) return [];
    return rule.apiGroups.flatMap((group) =>
      rule.apiVersions.flatMap((version) =>
        rule.resources.map((resource) => ({
          group,
          version,
          resource,
          scope: namespacedOnly ? "Namespaced" : scope,
          operations: new Set(operations),
        })),
      ),
    );
  });
}

/** There is nothing to mutate in a DELETE. */
function operationsOf({ operations = [] }: NamedRuleWithOperations, mutates: boolean): readonly string[] {
  if (!mutates) return operations;
  const all = operations.flatMap((operation) => (operation === "*" ? ["CREATE", "UPDATE", "CONNECT"] : [operation]));
  return all.filter((operation) => operation !== "DELETE");
}

function join(into: Map<string, Tuple>, tuples: readonly Tuple[]): void {
  for (const tuple of tuples) {
    const key = [tuple.group, tuple.version, tuple.resource, tuple.scope].join(" ");
    const known = into.get(key);
    if (known === undefined) into.set(key, tuple);
    else for (const operation of tuple.operations) known.operations.add(operation);
  }
}

/** Drops the entries that a wildcard covers. */
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

/** `*` is everything without a subresource, `* / *` everything, `pods/*` pods and their subresources. */
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
