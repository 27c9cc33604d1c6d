// AdmissionReview (admission.k8s.io/v1 and v1beta1) as data: the request to a webhook, and its response.

import type { GroupVersionKind, GroupVersionResource, KubeObject } from "@celadon/kube";
import type { AdmissionRequest, Operation, UserInfo } from "../request.ts";
import type { Webhook } from "./configuration.ts";
import type { Invocation } from "./select.ts";
import { REVIEW_VERSIONS } from "./validate.ts";

/** A version of AdmissionReview. */
export type ReviewVersion = "v1" | "v1beta1";

/** The review that is sent to a webhook, and its answer. */
export interface AdmissionReview {
  readonly kind: "AdmissionReview";
  readonly apiVersion: string;
  readonly request?: ReviewRequest;
  readonly response?: ReviewResponse;
}

/** The request of an AdmissionReview. */
export interface ReviewRequest {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subResource?: string;
  readonly requestKind?: GroupVersionKind;
  readonly requestResource?: GroupVersionResource;
  readonly requestSubResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: Operation;
  readonly userInfo: UserInfo;
  readonly object: KubeObject | null;
  readonly oldObject: KubeObject | null;
  readonly dryRun: boolean;
  readonly options: KubeObject | null;
}

/** The response of an AdmissionReview. */
export interface ReviewResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Readonly<Record<string, unknown>>;
  /** A JSON Patch in base64. */
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/** The first supported version in a webhook's preference; undefined if none is supported. */
export function reviewVersion({ admissionReviewVersions = [] }: Webhook): ReviewVersion | undefined {
  return admissionReviewVersions.find((version): version is ReviewVersion => REVIEW_VERSIONS.includes(version));
}

/** Builds the review for a webhook: the objects in the version it matched, and the request as it was made beside it. */
export function buildReview(
  request: AdmissionRequest,
  invocation: Invocation,
  version: ReviewVersion,
  uid: string,
): AdmissionReview {
  const { subresource, name, namespace, userInfo = {} } = request;
  const { kind, resource, objects } = invocation;
  return {
    kind: "AdmissionReview",
    apiVersion: `admission.k8s.io/${version}`,
    request: {
      uid,
      kind: gvk(kind),
      resource: gvr(resource),
      ...(subresource && { subResource: subresource }),
      requestKind: gvk(request.kind),
      requestResource: gvr(request.resource),
      ...(subresource && { requestSubResource: subresource }),
      ...(name && { name }),
      ...(namespace && { namespace }),
      operation: request.operation,
      userInfo: user(userInfo),
      object: objects.object,
      oldObject: objects.oldObject,
      dryRun: request.dryRun ?? false,
      options: request.options ?? null,
    },
  };
}

const gvk = ({ group, version, kind }: GroupVersionKind): GroupVersionKind => ({ group, version, kind });
const gvr = ({ group, version, resource }: GroupVersionResource): GroupVersionResource => ({
  group,
  version,
  resource,
});

/** Empty fields are left out, as Go leaves them out. */
function user({ username, uid, groups, extra }: UserInfo): UserInfo {
  return {
    ...(username && { username }),
    ...(uid && { uid }),
    ...(groups && groups.length > 0 && { groups }),
    ...(extra && Object.keys(extra).length > 0 && { extra }),
  };
}
