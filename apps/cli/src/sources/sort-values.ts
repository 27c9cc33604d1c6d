// Sorts the documents of a file: manifests, the items of lists, recorded reviews, audit events, or something else. Says nothing of what
// manifests are good for; that is decided where they are used.

import type { AdmissionRequest } from "@celadon/admission";
import { type ReviewResponse, readReview } from "@celadon/admission/webhook";
import { isRecord, own } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import type { Manifest, Origin } from "@celadon/simulator/manifests";
import { type AuditEvent, isAuditEvent, readAuditEvent } from "./audit-event.ts";
import { placedIssue, type SourceIssue } from "./issue.ts";
import { isListKind, type SourceValue, withListType } from "./read-source.ts";
import type { TextPlace } from "./text-place.ts";

/** An AdmissionReview from a file: the request, and the answer if it is recorded. */
export interface RecordedReview {
  readonly apiVersion: string;
  readonly uid: string;
  readonly request: AdmissionRequest;
  readonly response?: ReviewResponse;
  readonly origin: Origin;
  /** The origin of `request.object`; paths in the object are found through it. */
  readonly objectOrigin: Origin;
}

export interface Sorted {
  readonly manifests: Manifest[];
  readonly reviews: RecordedReview[];
  readonly events: AuditEvent[];
  /** Whether that is wrong depends on how the file was found. */
  readonly others: Other[];
}

/** A document that is not a Kubernetes object, or a review that lacks something. */
export interface Other {
  readonly code: "not_kubernetes" | "review";
  readonly place: TextPlace;
  readonly message: string;
}

export function sortValues(values: readonly SourceValue[]): Sorted {
  const sorted: Sorted = { manifests: [], reviews: [], events: [], others: [] };
  for (const { value, place } of values) sortValue(value, place, sorted);
  return sorted;
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return value === null || value === undefined ? "null" : "a string or number";
}

function sortValue(value: unknown, place: TextPlace, into: Sorted): void {
  if (!isRecord(value)) {
    into.others.push({
      code: "not_kubernetes",
      place,
      message: `not a Kubernetes object: ${shapeOf(value)}`,
    });
    return;
  }
  const items = own(value, "items");
  if (isListKind(value) && (Array.isArray(items) || items === undefined || items === null)) {
    for (const [i, item] of (Array.isArray(items) ? items : []).entries()) {
      sortValue(withListType(item, value), place.within(["items", i]), into);
    }
    return;
  }
  const missing = ["apiVersion", "kind"].filter((key) => typeof own(value, key) !== "string" || own(value, key) === "");
  if (missing.length > 0) {
    into.others.push({
      code: "not_kubernetes",
      place,
      message: `not a Kubernetes object: ${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing`,
    });
  } else if (isAuditEvent(value)) {
    into.events.push(readAuditEvent(value, place));
  } else if (isReview(value)) {
    sortReview(value, place, into);
  } else {
    into.manifests.push({ object: value as KubeObject, origin: place });
  }
}

function isReview(value: Readonly<Record<string, unknown>>): boolean {
  return value.kind === "AdmissionReview" && (value.apiVersion as string).startsWith("admission.k8s.io/");
}

function sortReview(value: Readonly<Record<string, unknown>>, place: TextPlace, into: Sorted): void {
  const review = readReview(value);
  if (isInvalid(review)) {
    into.others.push({ code: "review", place, message: `invalid AdmissionReview: ${review.message}` });
    return;
  }
  const response = own(value, "response");
  into.reviews.push({
    ...review,
    ...(isRecord(response) &&
      typeof own(response, "allowed") === "boolean" && { response: response as unknown as ReviewResponse }),
    origin: place,
    objectOrigin: place.within(["request", "object"]),
  });
}

export function issueOf({ code, place, message }: Other): SourceIssue {
  const position = place.positionOf() ?? place.source.at(place.part.start);
  return placedIssue(code, position, place.source.lineText(position.line), message);
}
