// Matching: which policies and bindings apply to a request, and for the others what excluded it.

import { thrownText } from "@celadon/base";
import type { GroupVersionKind, GroupVersionResource } from "@celadon/kube";
import type { CompiledBinding, CompiledPolicy, CompiledRules } from "./compile/compile.ts";
import type { RequestContext } from "./evaluate/context.ts";
import type { CompiledMatch } from "./match/match-resources.ts";
import { type MatchOutcome, matchResources, needsNamespaceLabels } from "./match/match-resources.ts";
import type { Refusal } from "./match/refusal.ts";
import type { Binding, ValidatingAdmissionPolicyBinding } from "./policy.ts";
import { isNamespaceKind } from "./request.ts";
import type { Entry } from "./set/snapshot.ts";

type NotMatched<B extends Binding> =
  | { readonly binding: CompiledBinding<B>; readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly binding: CompiledBinding<B>; readonly outcome: "error"; readonly message: string };

/** A binding that matched, or what became of it. */
export type MatchedBinding<B extends Binding> =
  | NotMatched<B>
  | { readonly binding: CompiledBinding<B>; readonly outcome: "matched" };

/** A policy that matched with its bindings, or what became of it. */
export type Matched<C extends CompiledRules = CompiledPolicy, B extends Binding = ValidatingAdmissionPolicyBinding> =
  | { readonly policy: C; readonly outcome: "refused"; readonly refusal: Refusal }
  | { readonly policy: C; readonly outcome: "error"; readonly message: string }
  | {
      readonly policy: C;
      readonly outcome: "matched";
      readonly resource: GroupVersionResource;
      readonly kind: GroupVersionKind;
      readonly bindings: readonly MatchedBinding<B>[];
    };

/** Whether matching these entries reads the labels of the request's namespace. */
export function needsNamespace(
  entries: readonly Entry<CompiledRules, Binding>[],
  { request }: RequestContext,
): boolean {
  const needs = (match: CompiledMatch | undefined): boolean =>
    match !== undefined && needsNamespaceLabels(match, request);
  return entries.some(
    ({ policy, bindings }) => needs(policy.match) || bindings.some((binding) => needs(binding.match)),
  );
}

/** Matches a policy and its bindings against a request. If `needsNamespace` is true, the namespace must have been loaded. */
export function match<C extends CompiledRules, B extends Binding>(
  { policy, bindings }: Entry<C, B>,
  context: RequestContext,
): Matched<C, B> {
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

export function matchBinding<B extends Binding>(
  binding: CompiledBinding<B>,
  context: RequestContext,
): MatchedBinding<B> {
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

/** A mapper that fails leaves open whether the request matches: an error. */
export function matchOne(compiled: CompiledMatch, context: RequestContext): MatchOutcome {
  let outcome = context.matches.get(compiled);
  if (outcome === undefined) context.matches.set(compiled, (outcome = matchNow(compiled, context)));
  return outcome;
}

function matchNow(compiled: CompiledMatch, context: RequestContext): MatchOutcome {
  try {
    return matchResources(compiled, context.request, () => context.namespaceLabels(), context.hosts.resources);
  } catch (thrown) {
    return { matched: "error", message: thrownText(thrown) };
  }
}
