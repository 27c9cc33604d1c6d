// CertificateRequests: after the API server accepted one, cert-manager's approver reviews it.

import type { AdmissionRequest } from "@celadon/admission";
import {
  type CertificateRuleObserver as CertificateObserver,
  type CertificateRequest,
  type CertificateReview,
  Reviewer,
  requestOfCertificate,
} from "@celadon/certpolicy";
import { type KubeObject, labelsOf } from "@celadon/kube";
import { type FieldError, Invalid } from "@celadon/kube/errors";
import { roleOf } from "../manifest/roles.ts";
import type { Problem } from "../outcome/outcome.ts";
import type { ReviewHost } from "../review-host.ts";

export async function certificateReview(
  cluster: ReviewHost,
  request: AdmissionRequest,
  observer: CertificateObserver | undefined,
): Promise<{ certificate?: CertificateReview }> {
  const { object } = request;
  if (!object || request.operation !== "CREATE" || cluster.certificatePolicies.length === 0) return {};
  const asked = certificateRequestFor(cluster, request);
  if (asked === undefined) return {};
  if (asked instanceof Invalid) return { certificate: { result: "Error", error: asked.message } };
  const { authorizer, namespaces } = cluster.hosts;
  const labels = async (name: string) => {
    const namespace = await namespaces.namespace(name);
    return namespace && labelsOf(namespace);
  };
  const host = { authorizer, namespaces: { labelsOf: labels } };
  const reviewer =
    observer === undefined ? cluster.reviewer : new Reviewer({ rules: cluster.reviewer.rules, observer });
  return { certificate: await reviewer.review(asked, cluster.certificatePolicies, host) };
}

/**
 * The request that an approver would receive, with its user; undefined for objects that are not a request for a
 * certificate.
 */
export function certificateRequestFor(
  cluster: ReviewHost,
  request: AdmissionRequest,
): CertificateRequest | Invalid | undefined {
  const { object, userInfo = {} } = request;
  const asked = object ? certificateRequestOf(cluster, object, request) : undefined;
  return asked === undefined || asked instanceof Invalid ? asked : requestedBy(asked, userInfo);
}

/** This one, or what cert-manager makes of a Certificate. */
function certificateRequestOf(
  cluster: ReviewHost,
  object: KubeObject,
  { namespace = "" }: AdmissionRequest,
): CertificateRequest | Invalid | undefined {
  switch (roleOf(object)) {
    case "certificateRequest":
      return object as unknown as CertificateRequest;
    case "certificate": {
      const made = requestOfCertificate({ ...object, metadata: { ...object.metadata, namespace } });
      if (made instanceof Invalid || cluster.saysWhoMay) return made;
      return { ...made, spec: { ...made.spec, groups: [...(made.spec.groups ?? []), "system:masters"] } };
    }
    default:
      return undefined;
  }
}

export function assumedUse(cluster: ReviewHost, { object }: AdmissionRequest): string[] {
  if (!object || roleOf(object) !== "certificate") return [];
  if (cluster.certificatePolicies.length === 0 || cluster.saysWhoMay) return [];
  return ["no roles in the inputs; assuming that cert-manager may use every CertificateRequestPolicy"];
}

/** cert-manager's webhook records the user. */
function requestedBy(request: CertificateRequest, user: NonNullable<AdmissionRequest["userInfo"]>): CertificateRequest {
  const { spec } = request;
  if (spec?.username) return request;
  const { username = "", groups = [], uid } = user;
  return { ...request, spec: { ...spec, username, groups, ...(uid !== undefined && { uid }) } } as CertificateRequest;
}

export function certificateProblems(review: CertificateReview, returned: boolean): Problem[] {
  if (review.result === "Error") {
    return [{ system: "certificate", level: "deny", message: review.error, returned }];
  }
  if (review.result === "Unprocessed") return [unprocessed(review)];
  if (review.result !== "Denied") return [];
  return review.policies.flatMap((outcome): Problem[] => {
    if (outcome.outcome !== "denies") return [];
    const by = { kind: "CertificateRequestPolicy", name: outcome.policy };
    return outcome.answers.flatMap(({ evaluation }): Problem[] =>
      evaluation.result === "Denied"
        ? [{ system: "certificate", level: "deny", message: evaluation.message, by, returned, ...errorOf(evaluation) }]
        : [],
    );
  });
}

/** The first error of an approver. Its path is one of the policy. */
const errorOf = ({
  errors: [policyError],
}: {
  readonly errors: readonly FieldError[];
}): Pick<Problem, "policyError"> => (policyError === undefined ? {} : { policyError });

/** Such a request is neither approved nor denied. */
function unprocessed({ message, policies }: Exclude<CertificateReview, { result: "Error" }>): Problem {
  const refused = policies.flatMap((policy) =>
    policy.outcome === "not applicable" ? [`${policy.policy} does not apply: ${policy.refusal.message}`] : [],
  );
  return { system: "certificate", level: "notice", message: [message, ...refused].join("\n"), returned: false };
}
