// match: which policies and bindings a request is for. What did not match says what refused it.

import type { CompiledBinding } from "./compile.ts";
import type { RequestContext } from "./context.ts";
import { failureText } from "./hosts.ts";
import type { CompiledMatch } from "./match/match-resources.ts";
import { type MatchOutcome, matchResources, needsNamespaceLabels } from "./match/match-resources.ts";
import type { PolicyEntry } from "./policy-set.ts";
import { isNamespaceKind } from "./request.ts";
import type { BindingOutcome, PolicyOutcome } from "./verdict.ts";

/** A policy that matched, and its bindings that did; those that did not are outcomes already. */
export type Matched =
  | Exclude<PolicyOutcome, { outcome: "matched" }>
  | (Omit<Extract<PolicyOutcome, { outcome: "matched" }>, "bindings"> & {
      readonly bindings: readonly (
        | Extract<BindingOutcome, { outcome: "refused" | "error" }>
        | { binding: CompiledBinding; outcome: "matched" }
      )[];
    });

/** Whether matching these entries will look at the labels of the request's namespace. */
export function needsNamespace(entries: readonly PolicyEntry[], { request }: RequestContext): boolean {
  const needs = (match: CompiledMatch | undefined): boolean =>
    match !== undefined && needsNamespaceLabels(match, request);
  return entries.some(
    ({ policy, bindings }) => needs(policy.match) || bindings.some((binding) => needs(binding.match)),
  );
}

/** The namespace must have been loaded where `needsNamespace` says so. */
export function match({ policy, bindings }: PolicyEntry, context: RequestContext): Matched {
  if (policy.match === undefined) {
    return { policy, outcome: "error", message: "policy contained no match constraints, a required field" };
  }
  const outcome = matchOne(policy.match, context);
  if (outcome.matched === false) return { policy, outcome: "refused", refusal: outcome.refusal };
  if (outcome.matched === "error") return { policy, outcome: "error", message: outcome.message };
  const { resource, kind } = outcome;
  return {
    policy,
    outcome: "matched",
    resource,
    kind,
    bindings: bindings.map((binding) => matchBinding(binding, context)),
  };
}

function matchBinding(
  binding: CompiledBinding,
  context: RequestContext,
): Extract<BindingOutcome, { outcome: "refused" | "error" }> | { binding: CompiledBinding; outcome: "matched" } {
  const { namespace } = binding;
  if (namespace !== undefined && (namespace !== context.request.namespace || isNamespaceKind(context.request.kind))) {
    return { binding, outcome: "refused", refusal: { by: "bindingNamespace", namespace } };
  }
  if (binding.match === undefined) return { binding, outcome: "matched" };
  const outcome = matchOne(binding.match, context);
  if (outcome.matched === true) return { binding, outcome: "matched" };
  if (outcome.matched === false) return { binding, outcome: "refused", refusal: outcome.refusal };
  return { binding, outcome: "error", message: outcome.message };
}

// A mapper that fails leaves open whether the request matches: a configuration error.
function matchOne(compiled: CompiledMatch, context: RequestContext): MatchOutcome {
  try {
    return matchResources(compiled, context.request, () => context.namespaceLabels(), context.hosts.resources);
  } catch (thrown) {
    return { matched: "error", message: failureText(thrown) };
  }
}
