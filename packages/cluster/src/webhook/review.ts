// Answers one AdmissionReview from a snapshot. A webhook receives less than an API server has in process: the object
// comes in one version, and policies of different classes are evaluated in different calls. Each call evaluates only
// the policies of its class.

import {
  type AdmissionReport,
  type AdmissionRequest,
  type AdmitOptions,
  admitEntries,
  type Hosts,
} from "@celadon/admission";
import { type MutatingHosts, type MutatingPolicyReport, mutateEntries } from "@celadon/admission/mutating";
import { candidatesIn, Reinvocation, RequestContext, refusingPart } from "@celadon/admission/steps";
import { type AdmissionReview, answerReview, type ReviewRequest, readReview } from "@celadon/admission/webhook";
import { pushAll, toExactJson } from "@celadon/base";
import type { GroupVersionResource, KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { Status } from "@celadon/kube/status";
import { jsonDiff, type PatchOperation } from "@celadon/merge";
import { isSpared } from "./guards.ts";
import { type ServedKinds, sentVersion } from "./kinds.ts";
import { type classOf, pathOf } from "./policy-class.ts";
import type { PolicyGroup } from "./policy-objects.ts";
import type { PolicySets } from "./watched-policies.ts";

/** Everything a request is decided by. Never changed: another takes its place. */
export interface Snapshot {
  readonly sets: readonly PolicySets[];
  readonly hosts: MutatingHosts;
  readonly kinds: ServedKinds;
  /** Namespaces in which nothing is enforced. */
  readonly excludedNamespaces: ReadonlySet<string>;
}

/** A policy whose message is the answer. */
export interface Denier {
  readonly group: PolicyGroup;
  readonly policy: string;
}

interface Answered {
  readonly request: AdmissionRequest;
  readonly allowed: boolean;
  readonly status?: Status;
  readonly deniedBy: readonly Denier[];
  readonly answer: AdmissionReview;
}

/** A request that was reviewed, for logs, events and metrics. */
export type ReviewedRequest =
  | (Answered & { readonly review: "validate"; readonly report: AdmissionReport })
  | (Answered & { readonly review: "mutate"; readonly report: MutatingPolicyReport });

interface RequestForPolicies {
  readonly request: AdmissionRequest;
  readonly hosts: MutatingHosts & Hosts;
  entries<E extends Candidate>(candidates: readonly E[]): readonly E[];
}

interface Candidate {
  readonly policy: { readonly policy: Parameters<typeof classOf>[0] };
}

/** `path` is the path of a class of policies; undefined for other paths. Invalid for a body that is not a review. */
export async function answerAt(
  path: string,
  body: unknown,
  snapshot: Snapshot,
  options: AdmitOptions = {},
): Promise<ReviewedRequest | Invalid | undefined> {
  const review = /^\/(validate|mutate)\//.exec(path)?.[1] as ReviewedRequest["review"] | undefined;
  if (review === undefined) return undefined;
  const read = readReview(body);
  if (read instanceof Invalid) return read;
  const { kind, resource } = read.request;
  const request = asMade(read.request, (body as { readonly request: ReviewRequest }).request);
  const mapper = sentVersion(resource, kind, snapshot.kinds.versionsOf(resource));
  const spared = isSpared(request, snapshot.excludedNamespaces);
  const asked: RequestForPolicies = {
    request,
    hosts: { ...snapshot.hosts, resources: mapper, converter: { convert: (object) => object } },
    entries: (candidates) =>
      spared
        ? []
        : candidates.filter(
            ({ policy: { policy } }) => pathOf(policy) === path && isForVersion(policy, request, resource),
          ),
  };
  const context = new RequestContext(request, asked.hosts, options);
  if (review === "mutate") {
    const candidates = await Promise.all(
      snapshot.sets.map(async ({ group, mutating }) => ({
        group,
        entries: asked.entries(await candidatesIn(mutating.find(request, mapper), context)),
      })),
    );
    const entries = candidates.flatMap((ofGroup) => ofGroup.entries);
    const { report, operations } = await mutateTwice(asked, entries, options);
    const patch = operations.length === 0 ? undefined : toExactJson(operations);
    return {
      review,
      request,
      report,
      allowed: report.allowed,
      ...(report.status && { status: report.status }),
      deniedBy: deniersOf(report.failures, candidates),
      answer: answerReview(read, { ...report, warnings: [], auditAnnotations: {}, ...(patch && { patch }) }),
    };
  }
  const candidates = await Promise.all(
    snapshot.sets.map(async ({ group, validating }) => ({
      group,
      entries: asked.entries(await candidatesIn(validating.find(request, mapper), context)),
    })),
  );
  const entries = candidates.flatMap((ofGroup) => ofGroup.entries);
  const report = await admitEntries(request, entries, asked.hosts, options);
  return {
    review,
    request,
    report,
    allowed: report.allowed,
    ...(report.status && { status: report.status }),
    deniedBy: deniersOf(report.failures, candidates),
    answer: answerReview(read, report),
  };
}

/** Policies of both groups may have the same name; the first that has it is named. */
function deniersOf(
  failures: readonly { readonly policy: string; readonly returned: boolean }[],
  candidates: readonly { readonly group: PolicyGroup; readonly entries: readonly Candidate[] }[],
): readonly Denier[] {
  const names = new Set(failures.flatMap(({ policy, returned }) => (returned ? [policy] : [])));
  return [...names].flatMap((policy) => {
    const found = candidates.find(({ entries }) =>
      entries.some(({ policy: compiled }) => compiled.policy.metadata.name === policy),
    );
    return found === undefined ? [] : [{ group: found.group, policy }];
  });
}

type MutatingEntries = Parameters<typeof mutateEntries>[1];

/**
 * Policies that changed the object after others make those run once more. The API server calls again only after changes by its other
 * plugins.
 */
async function mutateTwice(
  { request, hosts }: RequestForPolicies,
  entries: MutatingEntries,
  options: AdmitOptions,
): Promise<{ readonly report: MutatingPolicyReport; readonly operations: readonly PatchOperation[] }> {
  const reinvocation = new Reinvocation();
  const invocations: MutatingPolicyReport["invocations"][number][] = [];
  let object: KubeObject | null = request.object ?? null;
  let report: MutatingPolicyReport;
  do {
    reinvocation.begin();
    report = await mutateEntries({ ...request, object }, entries, hosts, options, reinvocation);
    pushAll(invocations, report.invocations);
    object = report.object;
  } while (report.allowed && reinvocation.needed);
  const operations = report.allowed && object !== null ? jsonDiff(request.object, object) : [];
  return { report: { ...report, invocations }, operations };
}

/** The request as the client made it; its objects stay in the version that was sent. */
function asMade(sent: AdmissionRequest, { requestKind, requestResource }: ReviewRequest): AdmissionRequest {
  const { group = "", version = "", kind = "" } = requestKind ?? sent.kind;
  const made = requestResource ?? sent.resource;
  return {
    ...sent,
    kind: { group, version, kind },
    resource: { group: made.group ?? "", version: made.version ?? "", resource: made.resource ?? "" },
  };
}

/**
 * A policy that names the request's own version sees the object in it, even if it names others. When another version was sent, that call is
 * for the policies that do not.
 */
function isForVersion(
  { spec }: Candidate["policy"]["policy"],
  request: AdmissionRequest,
  sent: GroupVersionResource,
): boolean {
  const { resource } = request;
  if (resource.group === sent.group && resource.version === sent.version && resource.resource === sent.resource)
    return true;
  const rules = spec.matchConstraints?.resourceRules ?? [];
  return !rules.some((rule) => refusingPart(rule, request, resource) === undefined);
}
