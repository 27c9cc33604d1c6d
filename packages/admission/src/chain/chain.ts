// One request through admission, in the order of the API server. There is no other place that knows this order:
//
//   decoded, with defaults → mutating policies → mutating webhooks → both once more if needed
//   → `finish`: what the server sets, validation by schema, rules and the kind's own → validating policies → validating webhooks
//
// The first refusal ends a request. Where everything that is wrong shall be seen, it goes on, and the first stays the answer.

import type { KubeObject, Status } from "@celadon/kube";
import { admit, admitEntries } from "../admit.ts";
import type { Maybe } from "../hosts.ts";
import type { MutatingPolicySet } from "../mutating/compile.ts";
import type { MutatingHosts } from "../mutating/hosts.ts";
import type { PolicySet } from "../policy-set.ts";
import type { Report } from "../report.ts";
import type { AdmissionRequest } from "../request.ts";
import { headerTexts } from "../warnings.ts";
import type { DispatchOptions, WebhookTransport } from "../webhook/transport.ts";
import { type DispatchReport, dispatchValidating } from "../webhook/validating.ts";
import type { WebhookSet } from "../webhook/webhook-set.ts";
import { type MutatedRequest, mutateRequest } from "./mutate-request.ts";
import { webhookHostsOf } from "./webhook-hosts.ts";

/** What the chain needs from the cluster. */
export interface ChainHosts extends MutatingHosts {
  /** How webhooks are reached; without it none is called. */
  readonly transport?: WebhookTransport;
  /** A fresh UUID for every call of a webhook. */
  uid?(): string;
}

/** What decides about a request: policies and webhooks of both kinds. */
export interface Chain {
  readonly mutatingPolicies: MutatingPolicySet;
  readonly policies: PolicySet;
  readonly webhooks: Pick<WebhookSet, "mutating" | "validating">;
  readonly hosts: ChainHosts;
}

/** How a request goes through the chain. */
export interface ChainOptions extends DispatchOptions {
  /** Ask every policy, also those an index leaves out, so that each says what refused the request. */
  readonly everyPolicy?: boolean;
}

/** What the kind itself makes of an object: set and reset by the server, and validated. */
export interface Finished {
  readonly object: KubeObject | null;
  /** The name the server gave it. */
  readonly name?: string;
  readonly status?: Status;
  readonly warnings?: readonly string[];
}

/** What the host does between mutation and validation: it sets fields of its own and validates the object. */
export type Finish = (object: KubeObject | null, mutated: MutatedRequest) => Maybe<Finished>;

/** The result of each step of a request, and the answer. */
export interface ChainReport {
  readonly allowed: boolean;
  readonly status?: Status;
  /** As it would be stored. */
  readonly object: KubeObject | null;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly patchAnnotations: Readonly<Record<string, string>>;
  readonly mutated: MutatedRequest;
  /** These are absent where the request ended before. */
  readonly finished?: Finished;
  readonly policies?: Report;
  readonly webhooks?: DispatchReport;
}

/** One request through mutation, the kind's own validation and validation, in the API server's order. */
export async function admitRequest(
  request: AdmissionRequest,
  chain: Chain,
  finish: Finish = (object) => ({ object }),
  options: ChainOptions = {},
): Promise<ChainReport> {
  const mutated = await mutateRequest(request, chain, options);
  const ends = (status: Status | undefined): boolean => status !== undefined && options.goOn !== true;
  if (ends(mutated.status)) return chainReport(mutated);
  const finished = await finish(mutated.object, mutated);
  if (ends(finished.status)) return chainReport(mutated, finished);
  const name = finished.name ?? request.name;
  const asked = { ...request, ...(name !== undefined && { name }), object: finished.object };
  const policies = await validatingPolicies(asked, chain, options);
  if (ends(policies.status)) return chainReport(mutated, finished, policies);
  const { validating } = chain.webhooks;
  const webhooks =
    validating.length === 0
      ? NO_WEBHOOKS
      : await dispatchValidating(asked, validating, webhookHostsOf(chain.hosts), options);
  return chainReport(mutated, finished, policies, webhooks);
}

const NO_WEBHOOKS: DispatchReport = { allowed: true, warnings: [], auditAnnotations: {}, selections: [], calls: [] };

function validatingPolicies(request: AdmissionRequest, chain: Chain, options: ChainOptions): Promise<Report> {
  const { policies, hosts } = chain;
  return options.everyPolicy
    ? admitEntries(request, policies.entries(), hosts, options)
    : admit(request, policies, hosts, options);
}

/** Only what ran before the first refusal is heard of. */
function chainReport(
  mutated: MutatedRequest,
  finished?: Finished,
  policies?: Report,
  webhooks?: DispatchReport,
): ChainReport {
  const stages: readonly (Heard | undefined)[] = [mutated, finished, policies, webhooks];
  const first = stages.findIndex((stage) => stage?.status !== undefined);
  const heard = (first === -1 ? stages : stages.slice(0, first + 1)).filter((stage) => stage !== undefined);
  const status = stages[first]?.status;
  return {
    allowed: status === undefined,
    ...(status && { status }),
    object: finished?.object ?? mutated.object,
    warnings: headerTexts(heard.flatMap(({ warnings = [] }) => warnings)),
    auditAnnotations: Object.assign({}, ...heard.map((stage) => stage.auditAnnotations).reverse()) as Record<
      string,
      string
    >,
    patchAnnotations: mutated.patchAnnotations,
    mutated,
    ...(finished && { finished }),
    ...(policies && { policies }),
    ...(webhooks && { webhooks }),
  };
}

interface Heard {
  readonly status?: Status;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}
