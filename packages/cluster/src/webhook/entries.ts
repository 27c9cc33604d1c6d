// Which requests the API server must send: the union of what policies match, as webhook entries that do not grow with
// the number of policies. An entry may match more than a policy does, never less: the policies themselves decide what
// matches.

import type { NamedRuleWithOperations } from "@celadon/admission";
import { compareStrings } from "@celadon/kube";
import { classPath, type PolicyClass } from "./policy-class.ts";

/** What an entry needs to know of a policy. */
export interface MatchedPolicy {
  readonly class: PolicyClass;
  readonly rules: readonly NamedRuleWithOperations[];
  /** Bindings of a namespace cannot apply to cluster-scoped objects. */
  readonly namespacedOnly: boolean;
}

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

/** In a fixed order, so that nothing is written when nothing changed. */
export function entryShapes(policies: readonly MatchedPolicy[]): readonly EntryShape[] {
  const entries = new Map<string, { readonly class: PolicyClass; readonly tuples: Map<string, Tuple> }>();
  for (const policy of policies) {
    const tuples = tuplesOf(policy);
    if (tuples.length === 0) continue;
    const path = classPath(policy.class);
    let entry = entries.get(path);
    if (entry === undefined) entries.set(path, (entry = { class: policy.class, tuples: new Map() }));
    join(entry.tuples, tuples);
  }
  return [...entries.values()]
    .sort((a, b) => compareClasses(a.class, b.class))
    .map((entry) => ({ class: entry.class, rules: rulesOf(withoutCovered([...entry.tuples.values()])) }));
}

/** What is to run again when others changed the object runs first. */
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

function tuplesOf({ class: { review }, rules, namespacedOnly }: MatchedPolicy): readonly Tuple[] {
  return rules.flatMap((rule) => {
    const scope = rule.scope ?? "*";
    if (namespacedOnly && scope === "Cluster") return [];
    const operations = operationsOf(rule, review === "mutate");
    if (operations.length === 0) return [];
    return (rule.apiGroups ?? []).flatMap((group) =>
      (rule.apiVersions ?? []).flatMap((version) =>
        (rule.resources ?? []).map((resource) => ({
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
