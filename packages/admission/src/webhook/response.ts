// Checks a webhook's response: whether it is valid, and which Status a denial becomes. Upstream: apiserver
// pkg/admission/plugin/webhook/request, webhook/errors.

import { isRecord } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import type { Status } from "@celadon/kube/status";
import type { ReviewVersion } from "./review.ts";

/** An answer that counts. */
export interface CheckedResponse {
  readonly allowed: boolean;
  readonly status: Readonly<Record<string, unknown>> | undefined;
  readonly patch: string;
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** The answer, or why it is invalid: the text after `received invalid webhook response: `. */
export function checkResponse(
  review: unknown,
  version: ReviewVersion,
  uid: string,
  mutating: boolean,
): CheckedResponse | Invalid {
  const response = isRecord(review) ? review.response : undefined;
  if (!isRecord(review) || !isRecord(response)) return new Invalid("webhook response was absent");
  const patch = typeof response.patch === "string" ? response.patch : "";
  const patchType = response.patchType ?? undefined;
  const common = {
    allowed: response.allowed === true,
    status: isRecord(response.status) ? response.status : undefined,
    auditAnnotations: texts(response.auditAnnotations),
    warnings: Array.isArray(response.warnings) ? response.warnings.filter((text) => typeof text === "string") : [],
  };
  if (version === "v1beta1") {
    // Kind, uid and patch type were never checked there.
    const given = mutating ? patch : "";
    return { ...common, patch: given, patchType: given === "" ? "" : "JSONPatch" };
  }
  if (response.uid !== uid) {
    return new Invalid(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? "")}`);
  }
  const kind = kindText(review);
  if (kind !== V1_KIND) return new Invalid(`expected webhook response of ${V1_KIND}, got ${kind}`);
  const problem = patchProblem(patch, patchType, mutating);
  if (problem !== undefined) return new Invalid(problem);
  return { ...common, patch: mutating ? patch : "", patchType: typeof patchType === "string" ? patchType : "" };
}

const V1_KIND = "admission.k8s.io/v1, Kind=AdmissionReview";

function kindText(review: Readonly<Record<string, unknown>>): string {
  const apiVersion = typeof review.apiVersion === "string" ? review.apiVersion : "";
  const kind = typeof review.kind === "string" ? review.kind : "";
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}

function patchProblem(patch: string, patchType: unknown, mutating: boolean): string | undefined {
  if (!mutating) {
    if (patch !== "") return "validating webhook may not return response.patch";
    return patchType === undefined ? undefined : "validating webhook may not return response.patchType";
  }
  if (patch !== "" && patchType === undefined) return "webhook returned response.patch but not response.patchType";
  if (patch === "" && patchType !== undefined) return "webhook returned response.patchType but not response.patch";
  return patchType === "" ? 'webhook returned invalid response.patchType of ""' : undefined;
}

function texts(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The Status of a denial: the webhook's own, with a code and message of a failure. */
export function denialStatus(webhook: string, given: Readonly<Record<string, unknown>> = {}): Status {
  const text = (field: string): string => (typeof given[field] === "string" ? (given[field] as string) : "");
  const by = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = text("message") || text("reason");
  const code = Number.isSafeInteger(given.code) ? (given.code as number) : 0;
  const status = text("status");
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: (status === "" || status === "Success" ? "Failure" : status) as Status["status"],
    message: why === "" ? `${by} without explanation` : `${by}: ${why}`,
    ...(text("reason") && { reason: text("reason") as NonNullable<Status["reason"]> }),
    ...(isRecord(given.details) && { details: given.details as NonNullable<Status["details"]> }),
    code: Math.max(code, 400),
  };
}
