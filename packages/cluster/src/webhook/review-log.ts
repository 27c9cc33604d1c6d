// A review as a line of the log: request, user and result. Never the objects themselves, which may be Secrets.

import type { ReviewedRequest } from "./review.ts";

export function logFields(reviewed: ReviewedRequest, seconds: number): Readonly<Record<string, unknown>> {
  const { review, request, status, deniedBy, answer } = reviewed;
  const { operation, resource, subresource, namespace, name, userInfo, dryRun } = request;
  return {
    review,
    uid: answer.response?.uid,
    operation,
    ...(resource.group !== "" && { group: resource.group }),
    resource: subresource ? `${resource.resource}/${subresource}` : resource.resource,
    ...(namespace && { namespace }),
    name: name ?? "",
    user: userInfo?.username ?? "",
    ...(dryRun === true && { dryRun }),
    ...(deniedBy.length > 0 && { policies: deniedBy.map(({ policy }) => policy) }),
    ...(status?.message !== undefined && { detail: status.message }),
    ms: Math.round(seconds * 100_000) / 100,
  };
}
