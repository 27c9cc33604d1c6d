// The answer to a request: allowed or the Status a client gets, warnings, audit annotations, and every failure behind them.

import { metadataOf } from "@celadon/kube";
import { forbidden, type Status } from "@celadon/kube/status";
import type { ValidationReason } from "../policy.ts";
import type { AdmissionRequest } from "../request.ts";
import type { Decided, Failure } from "./decide.ts";
import type { Verdicts } from "./verdict.ts";
import { headerTexts } from "./warnings.ts";

/** The decision of policies about a request: the answer, warnings, audit annotations, and every failure. */
export interface AdmissionReport {
  readonly allowed: boolean;
  /** The API server's answer to a denied request. */
  readonly status?: Status;
  /** Texts of the Warning header, as they are sent: without repetitions, within the limits. */
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** All failures, those included that only warn or that failurePolicy ignores. */
  readonly failures: readonly Failure[];
  /** The result of every policy that was evaluated. */
  readonly verdicts: Verdicts;
}

const CODES: Readonly<Record<ValidationReason, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** The answer of an API server to these decisions. */
export function report(request: AdmissionRequest, decided: Decided, verdicts: Verdicts): AdmissionReport {
  const { failures, aborted } = decided;
  const returned = failures.find((failure) => failure.returned);
  const status = aborted ?? (returned && denialStatus(request, returned));
  return {
    allowed: status === undefined,
    ...(status && { status }),
    warnings: headerTexts(decided.warnings),
    auditAnnotations: Object.fromEntries(decided.auditAnnotations),
    failures,
    verdicts,
  };
}

/** The text of a denial, without the object it is about. */
export function denialText({ policy, binding, message }: Failure): string {
  const who = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  return `ValidatingAdmissionPolicy ${who} denied request: ${message}`;
}

/** The Status a failure is returned as. It says "is forbidden" for every reason and code. */
export function denialStatus(request: AdmissionRequest, failure: Failure): Status {
  const message = denialText(failure);
  const status = forbidden(request.resource, objectName(request), message);
  return {
    ...status,
    reason: failure.reason,
    code: failure.code ?? CODES[failure.reason] ?? 422,
    details: { ...status.details, causes: [{ message }] },
  };
}

/** The name of an object, or its generated prefix. */
export function objectName({ name, object }: AdmissionRequest): string {
  if (name) return name;
  if (object === undefined || object === null) return "Unknown";
  if (!Object.hasOwn(object, "metadata")) return "Unknown/errorGettingName";
  const { name: own, generateName } = metadataOf(object);
  if (typeof own === "string" && own !== "") return own;
  return typeof generateName === "string" && generateName !== "" ? generateName : "Unknown";
}
