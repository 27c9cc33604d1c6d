// The other side: a program that serves as a webhook reads a review and answers it, from the same data.

import { encodeBase64, encodeUtf8, isRecord } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import type { AdmissionReport } from "../decide/report.ts";
import type { AdmissionRequest, Operation, UserInfo } from "../request.ts";
import type { AdmissionReview, ReviewRequest, ReviewResponse } from "./review.ts";

/** A review that can be answered. */
export interface ReadReview {
  readonly apiVersion: string;
  readonly uid: string;
  /** The request as it was made, with the objects in the version that the webhook requests. */
  readonly request: AdmissionRequest;
}

const VERSIONS: ReadonlySet<unknown> = new Set(["admission.k8s.io/v1", "admission.k8s.io/v1beta1"]);
const OPERATIONS: ReadonlySet<unknown> = new Set(["CREATE", "UPDATE", "DELETE", "CONNECT"]);

/** A review as it came over the wire, or why it cannot be answered. */
export function readReview(body: unknown): ReadReview | Invalid {
  if (!isRecord(body)) return new Invalid("the body is not an object");
  if (body.kind !== "AdmissionReview" || !VERSIONS.has(body.apiVersion)) {
    return new Invalid(
      `expected AdmissionReview of admission.k8s.io/v1 or v1beta1, got '${body.kind}' of '${body.apiVersion}'`,
    );
  }
  const request = body.request;
  if (!isRecord(request)) return new Invalid("the review holds no request");
  const given = request as Partial<ReviewRequest>;
  const { kind, resource, operation, uid } = given;
  if (typeof uid !== "string" || uid === "") return new Invalid("request.uid is missing");
  if (!isRecord(kind) || !isRecord(resource)) return new Invalid("request.kind or request.resource is missing");
  if (!OPERATIONS.has(operation)) return new Invalid(`request.operation '${String(operation)}' is not known`);
  return {
    apiVersion: body.apiVersion as string,
    uid,
    request: {
      kind: parts(kind, ["group", "version", "kind"]),
      resource: parts(resource, ["group", "version", "resource"]),
      ...(typeof given.subResource === "string" && { subresource: given.subResource }),
      ...(typeof given.name === "string" && { name: given.name }),
      ...(typeof given.namespace === "string" && { namespace: given.namespace }),
      operation: operation as Operation,
      userInfo: (isRecord(given.userInfo) ? given.userInfo : {}) as UserInfo,
      object: objectOrNull(given.object),
      oldObject: objectOrNull(given.oldObject),
      options: objectOrNull(given.options),
      dryRun: given.dryRun === true,
    },
  };
}

function parts<K extends string>(from: Readonly<Record<string, unknown>>, names: readonly K[]): Record<K, string> {
  return Object.fromEntries(names.map((name) => [name, String(from[name] ?? "")])) as Record<K, string>;
}

const objectOrNull = (value: unknown): KubeObject | null => (isRecord(value) ? (value as KubeObject) : null);

/** The response: the verdict of the policies, and the operations of a JSON Patch as text. */
export type ReviewAnswer = Pick<AdmissionReport, "allowed" | "status" | "warnings" | "auditAnnotations"> & {
  readonly patch?: string;
};

/** The results of policies as the answer to a review. Keys of annotations must not contain a slash: the server adds the name in front. */
export function answerReview({ apiVersion, uid }: ReadReview, answer: ReviewAnswer): AdmissionReview {
  const { allowed, status, warnings, auditAnnotations, patch } = answer;
  const annotations = Object.entries(auditAnnotations).map(
    ([key, value]) => [key.replaceAll("/", "_"), value] as const,
  );
  const response: ReviewResponse = {
    uid,
    allowed,
    ...(status && !allowed && { status: { ...status } }),
    ...(allowed && patch !== undefined && { patchType: "JSONPatch", patch: encodeBase64(encodeUtf8(patch)) }),
    ...(warnings.length > 0 && { warnings }),
    ...(annotations.length > 0 && { auditAnnotations: Object.fromEntries(annotations) }),
  };
  return { kind: "AdmissionReview", apiVersion, response };
}
