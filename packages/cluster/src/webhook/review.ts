// One AdmissionReview answered from a snapshot. What a webhook is sent differs from what an API server has in process: the object comes
// in one version, and two failure policies mean two calls. Each call asks just the policies that this version and failure policy are for.

import {
  type AdmissionRequest,
  type AdmitOptions,
  admitEntries,
  type Hosts,
  type PolicyEntry,
  type PolicySet,
  type Report,
  refusingPart,
} from "@celadon/admission";
import { type AdmissionReview, answerReview, type ReviewRequest, readReview } from "@celadon/admission/webhook";
import { type GroupVersionResource, Invalid } from "@celadon/kube";
import type { FailurePolicy } from "./entries.ts";
import { sentVersion } from "./kinds.ts";

/** Everything a request is decided by. Never changed: another takes its place. */
export interface Snapshot {
  readonly validating: PolicySet;
  readonly hosts: Hosts;
}

export interface Reviewed {
  readonly request: AdmissionRequest;
  readonly report: Report;
  readonly answer: AdmissionReview;
}

/** Invalid for a body that is no review. */
export async function reviewValidating(
  body: unknown,
  { validating, hosts }: Snapshot,
  failurePolicy: FailurePolicy,
  options: AdmitOptions = {},
): Promise<Reviewed | Invalid> {
  const read = readReview(body);
  if (read instanceof Invalid) return read;
  const { kind, resource } = read.request;
  const request = asMade(read.request, (body as { readonly request: ReviewRequest }).request);
  const mapper = sentVersion(resource, kind);
  const own: Hosts = { ...hosts, resources: mapper, converter: { convert: (object) => object } };
  const entries = validating
    .candidates(request, mapper)
    .filter((entry) => policyFailure(entry) === failurePolicy && isForVersion(entry, request, resource));
  const report = await admitEntries(request, entries, own, options);
  return { request, report, answer: answerReview(read, report) };
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

const policyFailure = ({ policy }: PolicyEntry): FailurePolicy => policy.policy.spec.failurePolicy ?? "Fail";

/**
 * A policy that names the request's own version sees the object in it, whatever else it names. When another version was sent, that
 * call is for the policies that do not.
 */
function isForVersion({ policy }: PolicyEntry, request: AdmissionRequest, sent: GroupVersionResource): boolean {
  const { resource } = request;
  if (resource.group === sent.group && resource.version === sent.version && resource.resource === sent.resource)
    return true;
  const rules = policy.policy.spec.matchConstraints?.resourceRules ?? [];
  return !rules.some((rule) => refusingPart(rule, request, resource) === undefined);
}
