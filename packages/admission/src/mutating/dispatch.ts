// One pass of mutating policies over a request: every policy, binding and param at its turn, each on the object as the previous ones left
// it. A mutation that fails does not stop those after it. Upstream: apiserver pkg/admission/plugin/policy/mutating/dispatcher.go.

import { semanticEqual, thrownText } from "@celadon/base";
import { type GroupVersionKind, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { forbidden, internalError, type Status } from "@celadon/kube/status";
import { type MergeType, TOO_DEEP } from "@celadon/merge";
import { checkRequest } from "../check-request.ts";
import { objectName } from "../decide/report.ts";
import { type AdmitOptions, RequestContext, type VersionedObjects } from "../evaluate/context.ts";
import { type EvaluationInput, evaluateConditions } from "../evaluate/evaluate.ts";
import { Reinvocation } from "../reinvocation.ts";
import type { AdmissionRequest } from "../request.ts";
import { candidatesIn } from "../set/candidates.ts";
import type { FoundEntries } from "../set/policy-index.ts";
import type { MutatingPolicyEntry, MutatingPolicySet } from "./compile.ts";
import type { MutatingHosts } from "./hosts.ts";
import { applyMutation, evaluateMutation, notReady } from "./mutate.ts";
import { selectPolicies } from "./select.ts";
import type {
  Invocation,
  InvocationResult,
  MutatingFailure,
  MutatingPolicyReport,
  MutationResult,
  NotInvoked,
} from "./verdict.ts";

const PLUGIN = "MutatingAdmissionPolicy";

/** Asks the policies of a set. The pass has begun; without a reinvocation it is the only one. */
export async function mutate(
  request: AdmissionRequest,
  policies: MutatingPolicySet,
  hosts: MutatingHosts = {},
  options: AdmitOptions = {},
  reinvocation: Reinvocation = new Reinvocation(),
): Promise<MutatingPolicyReport> {
  checkRequest(request);
  return mutateFound(request, policies.find(request, hosts.resources), hosts, options, reinvocation);
}

/** The same for policies that were found already. */
export async function mutateFound(
  request: AdmissionRequest,
  found: FoundEntries<MutatingPolicyEntry>,
  hosts: MutatingHosts,
  options: AdmitOptions,
  reinvocation: Reinvocation,
): Promise<MutatingPolicyReport> {
  if (request.operation === "DELETE" || found.isEmpty) return nothing(request);
  const context = new RequestContext(request, hosts, options);
  return mutateIn(context, await candidatesIn(found, context), hosts, reinvocation);
}

/** The same for policies chosen by the caller. There is nothing to mutate in a DELETE. */
export async function mutateEntries(
  request: AdmissionRequest,
  entries: readonly MutatingPolicyEntry[],
  hosts: MutatingHosts = {},
  options: AdmitOptions = {},
  reinvocation: Reinvocation = new Reinvocation(),
): Promise<MutatingPolicyReport> {
  if (request.operation === "DELETE") return nothing(request);
  return mutateIn(new RequestContext(request, hosts, options), entries, hosts, reinvocation);
}

async function mutateIn(
  context: RequestContext,
  entries: readonly MutatingPolicyEntry[],
  hosts: MutatingHosts,
  reinvocation: Reinvocation,
): Promise<MutatingPolicyReport> {
  const { request } = context;
  if (entries.length === 0) return nothing(request);
  const { invocations, notInvoked } = await selectPolicies(entries, context);
  const pass = new Pass(context, hosts, reinvocation);
  try {
    const status = invocations.length === 0 ? undefined : await pass.run(invocations);
    return pass.report(notInvoked, status);
  } catch (thrown) {
    // A mutation may nest an object deeper than anything can walk. The object stays as it came.
    if (!(thrown instanceof RangeError)) throw thrown;
    return { ...nothing(request), allowed: false, status: internalError(TOO_DEEP) };
  }
}

function nothing({ object = null }: AdmissionRequest): MutatingPolicyReport {
  return { allowed: true, object, changed: false, failures: [], invocations: [], notInvoked: [] };
}

class Pass {
  readonly #context: RequestContext;
  readonly #hosts: MutatingHosts;
  readonly #reinvocation: Reinvocation;
  readonly #results: InvocationResult[] = [];
  /** The objects in every version that a policy matched, as mutations left them. */
  readonly #versions = new Map<string, { objects: VersionedObjects; kind: GroupVersionKind; dirty: boolean }>();
  #object: KubeObject | null;

  constructor(context: RequestContext, hosts: MutatingHosts, reinvocation: Reinvocation) {
    this.#context = context;
    this.#hosts = hosts;
    this.#reinvocation = reinvocation;
    this.#object = context.request.object ?? null;
  }

  /** A Status ends the request. */
  async run(invocations: readonly Invocation[]): Promise<Status | undefined> {
    const runs = this.#reinvocation.plugin(PLUGIN);
    runs.begin(this.#object);
    const status = await this.#runAll(invocations);
    runs.end(this.#object);
    return status;
  }

  async #runAll(invocations: readonly Invocation[]): Promise<Status | undefined> {
    const context = this.#context;
    if (context.request.namespace) await context.loadNamespace();
    const namespace = context.namespaceObject();
    if ("status" in namespace) return namespace.status;
    const runs = this.#reinvocation.plugin(PLUGIN);
    let last: { objects: VersionedObjects; kind: GroupVersionKind; dirty: boolean } | undefined;
    for (const invocation of invocations) {
      const { policy, kind } = invocation;
      const written = policy.policy.spec.mutations?.length ?? 0;
      if (policy.mutations.length !== written) {
        const text = `expected ${written} compiled evaluators for policy ${policy.name}, got ${policy.mutations.length}`;
        return internalError(text);
      }
      const versioned = await this.#versioned(kind);
      if (typeof versioned === "string") return internalError(versioned);
      const inputOf = (): EvaluationInput => ({ ...invocation, context, objects: versioned.objects, namespace });
      const conditions = await this.#conditions(invocation, inputOf);
      if (conditions !== undefined && conditions.outcome !== undefined) {
        this.#note(invocation, conditions);
        continue;
      }
      const { cost: conditionsCost = 0 } = conditions ?? {};
      const id = idOf(invocation);
      if (!runs.mayRun(id)) {
        this.#note(invocation, { outcome: "not again", cost: conditionsCost });
        continue;
      }
      const before = versioned.objects.object;
      const mutations: MutationResult[] = [];
      for (let index = 0; index < policy.mutations.length; index++) {
        last = versioned;
        const { object } = versioned.objects;
        if (object === null) continue;
        const result = await this.#mutateOnce(invocation, index, inputOf, object);
        mutations.push(result);
        if (result.status !== undefined) {
          const { round } = runs;
          this.#results.push({ ...invocation, round, outcome: "ran", mutations, changed: false, conditionsCost });
          return result.status;
        }
        if (result.outcome === "error") continue;
        versioned.objects = { ...versioned.objects, object: result.after };
        versioned.dirty = true;
      }
      const changed = !semanticEqual(before, versioned.objects.object);
      if (changed) runs.changed();
      if (policy.policy.spec.reinvocationPolicy === "IfNeeded") runs.ran(id);
      this.#results.push({
        ...invocation,
        round: runs.round,
        outcome: before === null ? "no object" : "ran",
        mutations,
        changed,
        conditionsCost,
      });
    }
    if (last === undefined || last.objects.object === null || !last.dirty) return undefined;
    runs.changed();
    return this.#writeBack(last.objects.object, last.kind);
  }

  async #versioned(
    kind: GroupVersionKind,
  ): Promise<{ objects: VersionedObjects; kind: GroupVersionKind; dirty: boolean } | string> {
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    const known = this.#versions.get(key);
    if (known !== undefined) return known;
    const objects = await this.#context.objects(kind);
    if (typeof objects === "string") return objects;
    const versioned = { objects, kind, dirty: false };
    this.#versions.set(key, versioned);
    return versioned;
  }

  /** Undefined without any; no outcome if all hold. */
  async #conditions(invocation: Invocation, inputOf: () => EvaluationInput): Promise<Noted | undefined> {
    const { policy } = invocation;
    if (policy.conditions.length === 0) return undefined;
    const outcome = await this.#settled(() => evaluateConditions(policy, inputOf()));
    const { cost } = outcome;
    if (outcome.matched === false) return { outcome: "refused", refusal: outcome.refusal, cost };
    if (outcome.matched === true) return { cost };
    return { outcome: "error", error: outcome.message, failedCondition: outcome.index, cost };
  }

  async #mutateOnce(
    invocation: Invocation,
    index: number,
    inputOf: () => EvaluationInput,
    object: KubeObject,
  ): Promise<MutationResult> {
    const { policy, kind } = invocation;
    const { patchType } = policy.mutations[index]!;
    const base = { index, patchType, before: object };
    const failed = (thrown: unknown): Pick<MutationResult, "outcome" | "error" | "after"> => {
      return { outcome: "error", error: thrown instanceof RangeError ? TOO_DEEP : thrownText(thrown), after: object };
    };
    let type: MergeType | "none" | undefined;
    try {
      type = await this.#hosts.mergeType?.(kind);
    } catch (thrown) {
      return { ...base, ...failed(thrown), cost: 0 };
    }
    // Before anything is evaluated.
    if (type === undefined) return { ...base, ...ended(notReady(kind), object), cost: 0 };
    const evaluated = await this.#settled(() => evaluateMutation(policy, index, inputOf()));
    const { cost } = evaluated;
    if ("status" in evaluated) return { ...base, ...ended(evaluated.status, object), cost };
    if ("error" in evaluated) return { ...base, outcome: "error", after: object, ...evaluated };
    const { patch } = evaluated;
    try {
      const target = { object, kind, own: this.#context.request.kind, type };
      const applied = await applyMutation(patch, target, this.#hosts);
      return { ...base, ...("status" in applied ? ended(applied.status, object) : applied), patch, cost };
    } catch (thrown) {
      return { ...base, ...failed(thrown), patch, cost };
    }
  }

  /** Once more with every answer the authorizer has given meanwhile, until nothing is left to ask. */
  async #settled<T>(evaluate: () => T): Promise<T> {
    const { authorization, observer } = this.#context;
    observer?.begin();
    for (;;) {
      const result = evaluate();
      if (!authorization.waiting) return result;
      await authorization.settle();
      observer?.restart();
    }
  }

  #note(invocation: Invocation, { outcome, cost, refusal, error, failedCondition }: Noted): void {
    this.#results.push({
      ...invocation,
      round: this.#reinvocation.round,
      outcome: outcome ?? "ran",
      ...(refusal && { refusal }),
      ...(error !== undefined && { error }),
      ...(failedCondition !== undefined && { failedCondition }),
      mutations: [],
      changed: false,
      conditionsCost: cost,
    });
  }

  /** Only the version that was used last is written back, as upstream. */
  async #writeBack(object: KubeObject, kind: GroupVersionKind): Promise<Status | undefined> {
    const { request, hosts } = this.#context;
    if (sameKind(kind, request.kind)) {
      this.#object = object;
      return undefined;
    }
    try {
      if (hosts.converter === undefined) throw new Error("no converter back to the version of the request");
      this.#object = await hosts.converter.convert(object, request.kind);
      return undefined;
    } catch (thrown) {
      return internalError(`failed to convert object: ${thrownText(thrown)}`);
    }
  }

  report(notInvoked: readonly NotInvoked[], status: Status | undefined): MutatingPolicyReport {
    const { request } = this.#context;
    const failures = status === undefined ? failuresOf(notInvoked, this.#results) : endingFailure(this.#results);
    const denial = status ?? denialStatus(request, failures);
    return {
      allowed: denial === undefined,
      ...(denial && { status: denial }),
      object: this.#object,
      changed: !semanticEqual(request.object ?? null, this.#object),
      failures,
      invocations: this.#results,
      notInvoked,
    };
  }
}

type Noted = Partial<Pick<InvocationResult, "outcome" | "refusal" | "error" | "failedCondition">> & {
  readonly cost: number;
};

const sameKind = (a: GroupVersionKind, b: GroupVersionKind): boolean =>
  a.kind === b.kind && a.version === b.version && a.group === b.group;

/** The identity of an invocation between the passes. */
function idOf({ policy, binding, params }: Invocation): string {
  const param = params === null ? "" : `${namespaceOf(params)}/${nameOf(params)}`;
  return `${policy.name}\n${binding.name}\n${param}`;
}

/** A mutation that ends the request. */
function ended(status: Status, object: KubeObject): Pick<MutationResult, "outcome" | "error" | "after" | "status"> {
  return { outcome: "error", error: status.message ?? "", after: object, status };
}

/** The failure that ended the request, where a mutation did: then it alone counts. */
function endingFailure(results: readonly InvocationResult[]): readonly MutatingFailure[] {
  const result = results.at(-1);
  const mutation = result?.mutations.at(-1);
  if (result === undefined || mutation?.status === undefined) return [];
  const { index, error = "" } = mutation;
  return [{ ...ofPolicy(result), source: "mutation", index, message: error, enforced: true, returned: true }];
}

const ofPolicy = ({
  policy,
  binding,
  params,
}: Invocation): Pick<MutatingFailure, "policy" | "binding" | "params" | "missingParams"> => ({
  policy: policy.name,
  binding: binding.name,
  ...(params !== null && { params: paramText(params) }),
  ...(policy.paramKind !== undefined &&
    binding.paramRef === undefined && { missingParams: { cause: "no paramRef" } as const }),
});

/** Errors of configuration come first. */
function failuresOf(
  notInvoked: readonly NotInvoked[],
  results: readonly InvocationResult[],
): readonly MutatingFailure[] {
  const found: Omit<MutatingFailure, "returned">[] = [];
  for (const invoked of notInvoked) {
    if (!("error" in invoked)) continue;
    const what = invoked.binding === undefined ? "policy" : "binding";
    found.push({
      policy: invoked.policy.name,
      ...(invoked.binding && { binding: invoked.binding.name }),
      ...(invoked.missing && { missingParams: invoked.missing }),
      source: "configuration",
      index: 0,
      message: `failed to configure ${what}: ${invoked.error}`,
      enforced: invoked.policy.failurePolicy !== "Ignore",
    });
  }
  for (const result of results) {
    const { policy, error, failedCondition: index = 0 } = result;
    const base = { ...ofPolicy(result), enforced: policy.failurePolicy !== "Ignore" };
    if (error !== undefined) found.push({ ...base, source: "matchConditions", index, message: error });
    for (const mutation of result.mutations) {
      if (mutation.error === undefined) continue;
      found.push({ ...base, source: "mutation", index: mutation.index, message: mutation.error });
    }
  }
  const first = found.find(({ enforced }) => enforced);
  return found.map((failure) => ({ ...failure, returned: failure === first }));
}

function paramText(params: KubeObject): string {
  const namespace = namespaceOf(params);
  return namespace === "" ? nameOf(params) : `${namespace}/${nameOf(params)}`;
}

export function mutatingDenialText({ policy, binding, message }: MutatingFailure): string {
  return binding === undefined
    ? `policy ${JSON.stringify(policy)} denied request: ${message}`
    : `policy '${policy}' with binding '${binding}' denied request: ${message}`;
}

/** The first failure's message as it is, and all of them as causes. The code is 403 for every reason. */
function denialStatus(request: AdmissionRequest, failures: readonly MutatingFailure[]): Status | undefined {
  const denying = failures.filter(({ enforced }) => enforced);
  const [first] = denying;
  if (first === undefined) return undefined;
  const status = forbidden(request.resource, objectName(request), "");
  return {
    ...status,
    message: mutatingDenialText(first),
    ...(first.source !== "configuration" && { reason: "Invalid" }),
    details: { ...status.details, causes: denying.map((failure) => ({ message: mutatingDenialText(failure) })) },
  };
}
