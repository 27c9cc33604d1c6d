// The demands of a policy or binding on the namespace it applies in, as tokens that an index can look up. A token is `key=value` for a
// label the namespace must have, or `/name` for its name.

import { Invalid } from "@celadon/kube/errors";
import type { Labels } from "@celadon/kube/selectors";
import type { CompiledBinding, CompiledRules } from "../compile/compile.ts";
import type { CompiledMatch } from "../match/match-resources.ts";
import type { Binding } from "../policy.ts";

/** The namespace must have at least one token of each list. Without lists, any namespace will do. */
export type NamespaceDemand = readonly (readonly string[])[];

const ANY_NAMESPACE: NamespaceDemand = [];

/** The tokens of a namespace. */
export function namespaceTokens(namespace: string, labels: Labels): readonly string[] {
  const tokens = [nameToken(namespace)];
  for (const key of Object.keys(labels)) tokens.push(`${key}=${labels[key]}`);
  return tokens;
}

// Keys of labels are not empty.
function nameToken(namespace: string): string {
  return `/${namespace}`;
}

/** The demands of match constraints. A selector that cannot be read demands nothing: it is an error where the rules match. */
function matchDemand({ namespaceSelector, lists }: CompiledMatch): NamespaceDemand {
  const demand = lists?.namespaces === undefined ? [] : [lists.namespaces.map(nameToken)];
  if (namespaceSelector instanceof Invalid) return demand;
  for (const { key, operator, values } of namespaceSelector.requirements) {
    if (operator === "=" || operator === "==" || operator === "in")
      demand.push(values.map((value) => `${key}=${value}`));
  }
  return demand;
}

export function bindingDemand({ match, namespace }: CompiledBinding<Binding>): NamespaceDemand {
  const demand = match === undefined ? ANY_NAMESPACE : matchDemand(match);
  return namespace === undefined ? demand : [[nameToken(namespace)], ...demand];
}

/** A policy applies where both its own constraints and those of a binding hold. */
export function entryDemand({
  policy,
  bindings,
}: {
  readonly policy: CompiledRules;
  readonly bindings: readonly CompiledBinding<Binding>[];
}): NamespaceDemand {
  if (policy.match === undefined) return ANY_NAMESPACE;
  const demand = matchDemand(policy.match);
  if (mayFail(policy)) return demand;
  const tokens = new Set<string>();
  for (const binding of bindings) {
    const shortest = bindingDemand(binding).toSorted((a, b) => a.length - b.length)[0];
    if (shortest === undefined) return demand;
    for (const token of shortest) tokens.add(token);
  }
  return [...demand, [...tokens]];
}

/** Whether a policy that matches may be an error by itself, so that it counts even if none of its bindings applies. */
function mayFail({ match, paramKind }: CompiledRules): boolean {
  if (match === undefined || paramKind !== undefined) return true;
  return match.namespaceSelector instanceof Invalid || match.objectSelector instanceof Invalid;
}
