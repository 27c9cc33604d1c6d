// The policies of a set that a request may be for, without those that apply only in other namespaces. The others would be excluded by their
// namespaceSelector, or by those of all their bindings: they have no part in the answer. Where something may fail before that is known (the
// namespace, the mapper), nothing is left out.

import type { Labels } from "@celadon/kube/selectors";
import { namespaceTokens } from "../by-namespace/namespace-demand.ts";
import type { CompiledRules } from "../compile/compile.ts";
import type { RequestContext } from "../evaluate/context.ts";
import { isPromise, type Maybe } from "../hosts.ts";
import { equivalentsOf, kindOf } from "../match/equivalents.ts";
import type { Binding } from "../policy.ts";
import type { FoundEntries } from "./policy-index.ts";
import type { Entry } from "./snapshot.ts";

/** `find` of the snapshot comes first, because most requests are for no policy at all. */
export function candidatesIn<C extends CompiledRules, B extends Binding>(
  found: FoundEntries<Entry<C, B>>,
  context: RequestContext,
): Maybe<readonly Entry<C, B>[]> {
  const { namespace, resource } = context.request;
  // For a Namespace, selectors match the labels it will have, and mutation may still change them.
  if (!namespace || resource.resource === "namespaces") return found.all();
  if (!found.isSelective || !knowsKinds(context)) return found.all();
  const loaded = context.loadNamespace();
  const chosen = (): readonly Entry<C, B>[] => {
    const labels = labelsIn(context);
    if (labels === undefined) return found.all();
    const tokens = namespaceTokens(namespace, labels);
    return found.in(tokens).map((entry) => withBindingsIn(entry, tokens));
  };
  return isPromise(loaded) ? loaded.then(chosen) : chosen();
}

function withBindingsIn<C extends CompiledRules, B extends Binding>(
  entry: Entry<C, B>,
  tokens: readonly string[],
): Entry<C, B> {
  const { policy, bindingsByNamespace } = entry;
  return bindingsByNamespace?.isSelective ? { policy, bindings: bindingsByNamespace.in(tokens) } : entry;
}

function labelsIn(context: RequestContext): Labels | undefined {
  try {
    const found = context.namespaceLabels();
    return "labels" in found ? found.labels : undefined;
  } catch {
    return undefined;
  }
}

/** A policy that matches a resource of an unknown kind is an error, with or without bindings. */
function knowsKinds({ request, hosts }: RequestContext): boolean {
  const { resources } = hosts;
  if (resources === undefined) return true;
  try {
    return equivalentsOf(request, resources).every(
      (equivalent) => kindOf(equivalent, request.subresource ?? "", resources) !== undefined,
    );
  } catch {
    return false;
  }
}
