// Decides requests without problems, which are most requests, without keeping results. Policies with nothing but validations are evaluated
// first, without keeping results; if a policy has a problem, `admitEntries` evaluates it again and reports it.

import { evaluateMatched } from "./admit.ts";
import { hasApplied, isSilent } from "./decide/verdict.ts";
import { RequestContext } from "./evaluate/context.ts";
import { hasOnlyValidations, validationsHold } from "./evaluate/evaluate.ts";
import { type Hosts, isPromise } from "./hosts.ts";
import { match, matchBinding, matchOne } from "./match.ts";
import type { AdmissionRequest } from "./request.ts";
import type { PolicyEntry } from "./set/policy-set.ts";

/** For each entry whether it applied to the request; undefined as soon as one has something to say: a failure, an audit annotation. */
export async function applySilently(
  request: AdmissionRequest,
  entries: readonly PolicyEntry[],
  hosts: Hosts = {},
): Promise<readonly boolean[] | undefined> {
  const context = new RequestContext(request, hosts);
  const loading = context.loadNamespace();
  if (isPromise(loading)) await loading;
  const applied: boolean[] = [];
  for (const entry of entries) {
    const simple = hasOnlyValidations(entry.policy);
    const applies = simple ? holdsSilently(entry, context) : await evaluatedSilently(entry, context);
    if (applies === undefined) return undefined;
    applied.push(applies);
  }
  return applied;
}

function holdsSilently({ policy, bindings }: PolicyEntry, context: RequestContext): boolean | undefined {
  if (policy.match === undefined) return undefined;
  const matched = matchOne(policy.match, context);
  if (matched.matched === "error") return undefined;
  if (!matched.matched) return false;
  let applies = false;
  for (const binding of bindings) {
    const { outcome } = matchBinding(binding, context);
    if (outcome === "error") return undefined;
    if (outcome === "matched") applies = true;
  }
  if (!applies) return false;
  const { resource, kind } = matched;
  const objects = context.objects(kind);
  const namespace = context.namespaceObject();
  if (isPromise(objects) || typeof objects === "string" || "status" in namespace) return undefined;
  try {
    const holds = validationsHold(policy, { context, resource, kind, objects, params: null, namespace });
    return holds && !context.authorization.waiting ? true : undefined;
  } catch {
    // An error is a failure of the policy.
    return undefined;
  }
}

async function evaluatedSilently(entry: PolicyEntry, context: RequestContext): Promise<boolean | undefined> {
  const matched = match(entry, context);
  const outcome = matched.outcome === "matched" ? await evaluateMatched(matched, context) : matched;
  return "aborted" in outcome || !isSilent(outcome) ? undefined : hasApplied(outcome);
}
