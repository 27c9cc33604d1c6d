// The first half of the chain: mutating policies, then mutating webhooks, and both once more if the object changed. Upstream:
// apiserver pkg/admission/reinvocation.go, pkg/endpoints/handlers/fieldmanager/admission.go.

import { type KubeObject, metadataOf } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import { readManagedFields } from "@celadon/merge";
import { headerTexts } from "../decide/warnings.ts";
import type { MutatingPolicyEntry } from "../mutating/compile.ts";
import { mutateEntries, mutateFound } from "../mutating/dispatch.ts";
import type { MutatingPolicyReport } from "../mutating/verdict.ts";
import { Reinvocation } from "../reinvocation.ts";
import type { AdmissionRequest } from "../request.ts";
import type { FoundEntries } from "../set/policy-index.ts";
import { dispatchMutating, type MutatingReport } from "../webhook/mutating.ts";
import type { Chain, ChainOptions } from "./chain.ts";
import { webhookHostsOf } from "./webhook-hosts.ts";

/** The parts that mutate requests. */
export type MutationChain = Omit<Chain, "policies">;

/** One pass over all mutating policies and webhooks. Webhooks are not called if a policy denied the request. */
export interface MutatingPass {
  readonly round: 0 | 1;
  readonly policies: MutatingPolicyReport;
  readonly webhooks?: MutatingReport;
}

/** The object after mutating policies and webhooks, with the report of each pass. */
export interface MutatedRequest {
  /** The object as validation gets it; null if the request has none. */
  readonly object: KubeObject | null;
  readonly status?: Status;
  readonly passes: readonly MutatingPass[];
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** For audit levels from Request on: the patches themselves. */
  readonly patchAnnotations: Readonly<Record<string, string>>;
}

/** The mutating policies that a request may be for, as `mutatorsOf` finds them. */
export type Mutators =
  | { readonly found: FoundEntries<MutatingPolicyEntry> }
  | { readonly entries: readonly MutatingPolicyEntry[] };

/** Finds the mutating policies of a request, once for all its passes. Undefined if nothing mutates it, as most requests. */
export function mutatorsOf(request: AdmissionRequest, chain: MutationChain, everyPolicy = false): Mutators | undefined {
  const { hosts, mutatingPolicies, webhooks } = chain;
  const isDelete = request.operation === "DELETE";
  if (isDelete && webhooks.mutating.length === 0) return undefined;
  if (everyPolicy) {
    const entries = mutatingPolicies.entries();
    return entries.length === 0 && webhooks.mutating.length === 0 ? undefined : { entries };
  }
  const found = mutatingPolicies.find(request, hosts.resources);
  return found.isEmpty && webhooks.mutating.length === 0 ? undefined : { found };
}

/** The first half of the chain: runs all mutating policies and webhooks, and reinvokes those that request it. */
export async function mutateRequest(
  request: AdmissionRequest,
  chain: MutationChain,
  options: ChainOptions = {},
  mutators: Mutators | undefined = mutatorsOf(request, chain, options.everyPolicy),
): Promise<MutatedRequest> {
  if (mutators === undefined) return unchanged(request);
  const reinvocation = new Reinvocation();
  const passes: MutatingPass[] = [];
  let { object = null } = request;
  let status: Status | undefined;
  do {
    reinvocation.begin();
    const pass = await mutatePass({ ...request, object }, mutators, chain, options, reinvocation);
    passes.push(pass);
    object = (pass.webhooks ?? pass.policies).object;
    status = pass.policies.status ?? pass.webhooks?.status;
  } while (status === undefined && reinvocation.needed);
  const restored = withManagedFieldsOf(request.object ?? null, object);
  return {
    object: restored.object,
    ...(status && { status }),
    passes,
    warnings: headerTexts([...passes.flatMap(({ webhooks }) => webhooks?.warnings ?? []), ...restored.warnings]),
    auditAnnotations: firstOf(passes, ({ webhooks }) => webhooks?.auditAnnotations),
    patchAnnotations: firstOf(passes, ({ webhooks }) => webhooks?.patchAnnotations),
  };
}

function unchanged({ object = null }: AdmissionRequest): MutatedRequest {
  return { object, passes: [], warnings: [], auditAnnotations: {}, patchAnnotations: {} };
}

async function mutatePass(
  request: AdmissionRequest,
  mutators: Mutators,
  chain: MutationChain,
  options: ChainOptions,
  reinvocation: Reinvocation,
): Promise<MutatingPass> {
  const { hosts, webhooks } = chain;
  const policies =
    "entries" in mutators
      ? await mutateEntries(request, mutators.entries, hosts, options, reinvocation)
      : await mutateFound(request, mutators.found, hosts, options, reinvocation);
  const { round } = reinvocation;
  if (policies.status !== undefined && !options.goOn) return { round, policies };
  const { object } = policies;
  const asked = await dispatchMutating(
    { ...request, object },
    webhooks.mutating,
    webhookHostsOf(hosts),
    options,
    reinvocation,
  );
  return { round, policies, webhooks: asked };
}

/** An annotation keeps the first value it got. */
function firstOf(
  passes: readonly MutatingPass[],
  read: (pass: MutatingPass) => Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  return Object.assign({}, ...passes.map(read).reverse()) as Record<string, string>;
}

const INVALID_MANAGED_FIELDS =
  ".metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests:";

/** Managed fields that can no longer be read are restored, with a warning. */
function withManagedFieldsOf(
  before: KubeObject | null,
  after: KubeObject | null,
): { readonly object: KubeObject | null; readonly warnings: readonly string[] } {
  if (before === null || after === null || before === after) return { object: after, warnings: [] };
  const { managedFields } = metadataOf(after);
  const managers = readManagedFields(managedFields);
  if (!("message" in managers)) return { object: after, warnings: [] };
  const { managedFields: _, ...metadata } = metadataOf(after);
  const old = metadataOf(before).managedFields;
  return {
    object: { ...after, metadata: { ...metadata, ...(old !== undefined && { managedFields: old }) } } as KubeObject,
    warnings: [`${INVALID_MANAGED_FIELDS} ${managers.message}`],
  };
}
