// The access that a SubjectAccessReview is about.

import type { ReviewedAccess } from "@celadon/kube-cel/access";

/** The spec of a review; undefined for anything else. */
export function accessOf(review: unknown): ReviewedAccess | undefined {
  const { kind, spec } = Object(review) as { readonly kind?: unknown; readonly spec?: unknown };
  const isReview = kind === "SubjectAccessReview" && typeof spec === "object" && spec !== null && !Array.isArray(spec);
  return isReview ? (spec as ReviewedAccess) : undefined;
}
