// request → match → bind → evaluate → decide → report, for one request and a policy set.

import { thrownText } from "@celadon/base";
import { checkRequest } from "./check-request.ts";
import type { CompiledPolicy } from "./compile/compile.ts";
import { bindParams, type Params, paramScope } from "./decide/bind.ts";
import { decide } from "./decide/decide.ts";
import { type AdmissionReport, report } from "./decide/report.ts";
import type { BindingOutcome, PolicyOutcome, Verdicts } from "./decide/verdict.ts";
import { type AdmitOptions, RequestContext, type VersionedObjects } from "./evaluate/context.ts";
import { type Evaluation, evaluatePolicy } from "./evaluate/evaluate.ts";
import { type Hosts, isPromise, type Maybe } from "./hosts.ts";
import { type Matched, match, needsNamespace } from "./match.ts";
import type { AdmissionRequest } from "./request.ts";
import { candidatesIn } from "./set/candidates.ts";
import type { FoundEntries } from "./set/policy-index.ts";
import type { PolicyEntry, PolicySet } from "./set/policy-set.ts";

/**
 * Evaluates the policies of a set for a request. If a host fails, failurePolicy decides and nothing is thrown. Throws a TypeError that
 * names the missing member if the request is incomplete.
 */
export async function admit(
  request: AdmissionRequest,
  policies: PolicySet,
  hosts: Hosts = {},
  options: AdmitOptions = {},
): Promise<AdmissionReport> {
  checkRequest(request);
  return admitFound(request, policies.find(request, hosts.resources), hosts, options);
}

/** The same for policies that were found already. A host that finds none need not call it. */
export async function admitFound(
  request: AdmissionRequest,
  found: FoundEntries<PolicyEntry>,
  hosts: Hosts = {},
  options: AdmitOptions = {},
): Promise<AdmissionReport> {
  if (found.isEmpty) return NOTHING_TO_SAY;
  const context = new RequestContext(request, hosts, options);
  const entries = candidatesIn(found, context);
  return admitIn(context, isPromise(entries) ? await entries : entries);
}

/** The same for policies chosen by the caller, such as all of them for an explanation of why one did not match. */
export async function admitEntries(
  request: AdmissionRequest,
  entries: readonly PolicyEntry[],
  hosts: Hosts = {},
  options: AdmitOptions = {},
): Promise<AdmissionReport> {
  return admitIn(new RequestContext(request, hosts, options), entries);
}

/** The results alone, for a caller that decides about parts of them. */
export function evaluateEntries(
  request: AdmissionRequest,
  entries: readonly PolicyEntry[],
  hosts: Hosts = {},
): Promise<Verdicts> {
  return verdictsIn(new RequestContext(request, hosts), entries);
}

async function admitIn(context: RequestContext, entries: readonly PolicyEntry[]): Promise<AdmissionReport> {
  if (entries.length === 0) return NOTHING_TO_SAY;
  const verdicts = await verdictsIn(context, entries);
  return report(context.request, decide(verdicts), verdicts);
}

async function verdictsIn(context: RequestContext, entries: readonly PolicyEntry[]): Promise<Verdicts> {
  if (needsNamespace(entries, context)) await context.loadNamespace();
  const outcomes: PolicyOutcome[] = [];
  for (const entry of entries) {
    const matched = match(entry, context);
    const asked = matched.outcome === "matched" ? evaluateMatched(matched, context) : matched;
    const outcome = isPromise(asked) ? await asked : asked;
    if ("aborted" in outcome) {
      outcomes.push(outcome.policy);
      return { policies: outcomes, aborted: outcome.aborted };
    }
    outcomes.push(outcome);
  }
  return { policies: outcomes };
}

const NOTHING_TO_SAY: AdmissionReport = {
  allowed: true,
  warnings: [],
  auditAnnotations: {},
  failures: [],
  verdicts: { policies: [] },
};

type MatchedPolicy = Extract<Matched, { outcome: "matched" }>;
interface Aborted {
  readonly policy: PolicyOutcome;
  readonly aborted: NonNullable<Verdicts["aborted"]>;
}

// Written with callbacks where a host answers at once: most do, and then nothing waits.
export function evaluateMatched(matched: MatchedPolicy, context: RequestContext): Maybe<PolicyOutcome | Aborted> {
  const { policy } = matched;
  const scope = policy.paramKind === undefined ? NO_SCOPE : paramScope(policy.paramKind, context.hosts.params);
  if (isPromise(scope) || policy.paramKind !== undefined) return evaluateWithParams(matched, context, scope);
  return evaluateBindings(matched, context, undefined);
}

const NO_SCOPE = { scope: undefined };

async function evaluateWithParams(
  matched: MatchedPolicy,
  context: RequestContext,
  asked: ReturnType<typeof paramScope>,
): Promise<PolicyOutcome | Aborted> {
  const scope = await asked;
  if ("error" in scope) return { policy: matched.policy, outcome: "error", message: scope.error };
  return evaluateBindings(matched, context, scope.scope);
}

/** Evaluates the bindings from index `from` on; the verdicts of those before it are known. */
function evaluateBindings(
  matched: MatchedPolicy,
  context: RequestContext,
  scope: "Namespaced" | "Cluster" | undefined,
  from = 0,
  done: BindingOutcome[] = [],
): Maybe<PolicyOutcome | Aborted> {
  for (let i = from; i < matched.bindings.length; i++) {
    const entry = matched.bindings[i]!;
    if (entry.outcome !== "matched") {
      done.push(entry);
      continue;
    }
    const outcome = evaluateBinding(matched, entry.binding, context, scope);
    if (isPromise(outcome)) {
      return outcome.then((settled) => {
        if ("aborted" in settled) return { policy: outcomeOf(matched, done), aborted: settled.aborted };
        done.push(settled);
        return evaluateBindings(matched, context, scope, i + 1, done);
      });
    }
    if ("aborted" in outcome) return { policy: outcomeOf(matched, done), aborted: outcome.aborted };
    done.push(outcome);
  }
  return outcomeOf(matched, done);
}

function outcomeOf({ policy, resource, kind }: MatchedPolicy, bindings: readonly BindingOutcome[]): PolicyOutcome {
  return { policy, outcome: "matched", resource, kind, bindings };
}

type BindingResult = BindingOutcome | { readonly aborted: Aborted["aborted"] };
type Binding = BindingOutcome["binding"];

function evaluateBinding(
  matched: MatchedPolicy,
  binding: Binding,
  context: RequestContext,
  scope: "Namespaced" | "Cluster" | undefined,
): Maybe<BindingResult> {
  const { hosts, request } = context;
  context.observer?.begin();
  const bound = bindParams(matched.policy.paramKind, scope, binding.paramRef, request.namespace ?? "", hosts.params);
  const objects = context.objects(matched.kind);
  const namespace = request.namespace ? context.loadNamespace() : undefined;
  if (!isPromise(bound) && !isPromise(objects) && !isPromise(namespace)) {
    const outcome = evaluateTuples(matched, binding, context, bound, objects);
    return context.authorization.waiting ? repeat(matched, binding, context, bound, objects) : outcome;
  }
  return Promise.all([bound, objects, namespace]).then(([params, versions]) => {
    const outcome = evaluateTuples(matched, binding, context, params, versions);
    return context.authorization.waiting ? repeat(matched, binding, context, params, versions) : outcome;
  });
}

// Once more with every answer the authorizer has given meanwhile, until nothing is left to ask.
async function repeat(
  matched: MatchedPolicy,
  binding: Binding,
  context: RequestContext,
  bound: Params,
  objects: VersionedObjects | string,
): Promise<BindingResult> {
  for (;;) {
    await context.authorization.settle();
    context.share(undefined);
    context.observer?.restart();
    const outcome = evaluateTuples(matched, binding, context, bound, objects);
    if (!context.authorization.waiting) return outcome;
  }
}

function evaluateTuples(
  { policy, resource, kind }: MatchedPolicy,
  binding: Binding,
  context: RequestContext,
  bound: Params,
  objects: VersionedObjects | string,
): BindingResult {
  if ("error" in bound) {
    const { error, missing } = bound;
    return { binding, outcome: "error", message: error, ...(missing && { missing }) };
  }
  const { params } = bound;
  if (typeof objects === "string" && params.length > 0) {
    return { binding, outcome: "error", message: `failed to convert object version: ${objects}` };
  }
  const namespace = context.namespaceObject();
  if ("status" in namespace) return { aborted: namespace.status };
  if (params.length === 0 || typeof objects === "string")
    return { binding, outcome: "refused", refusal: { by: "paramRef" } };
  const evaluations: Evaluation[] = [];
  for (const param of params) {
    evaluations.push(evaluateSafely(policy, { context, resource, kind, objects, params: param, namespace }));
  }
  return { binding, outcome: "evaluated", params, evaluations };
}

// The engine turns what hosts throw into errors of expressions. Should anything else go wrong, failurePolicy answers for it.
function evaluateSafely(policy: CompiledPolicy, input: Parameters<typeof evaluatePolicy>[1]): Evaluation {
  try {
    return evaluatePolicy(policy, input);
  } catch (thrown) {
    const message = `internal error: ${thrownText(thrown)}`;
    const action = policy.failurePolicy === "Ignore" ? "admit" : "deny";
    return {
      refusal: undefined,
      decisions: [{ action, evaluation: "error", source: "validation", index: 0, message }],
      auditAnnotations: [],
      costs: { matchConditions: 0, validations: 0, auditAnnotations: 0 },
    };
  }
}
