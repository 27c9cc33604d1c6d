// Decisions over several policies, and why a policy did not apply.

import { describe, expect, test } from "vitest";
import { dns, san, specRequest } from "./csr/build.testing.ts";
import { memoryAuthorizer } from "./rbac.testing.ts";
import type { CertificatePolicySpec, CertificateRequest, CertificateRequestPolicy } from "./resource.ts";
import { type CertificatePolicyOutcome, Reviewer } from "./review.ts";
import type { SelectionHost } from "./select/host.ts";
import { policyErrors } from "./validate/validate.ts";

const request: CertificateRequest = {
  metadata: { name: "r", namespace: "team-a" },
  spec: {
    request: specRequest({ extensions: [san(dns("a.example.com"))] }),
    username: "kate",
    issuerRef: { name: "ca" },
  },
};

const READY = [{ type: "Ready", status: "True" }];
const policy = (name: string, spec: CertificatePolicySpec, conditions = READY): CertificateRequestPolicy => ({
  metadata: { name },
  spec: { selector: { issuerRef: {} }, ...spec },
  status: { conditions },
});

const use = { apiGroups: ["policy.cert-manager.io"], resources: ["certificaterequestpolicies"], verbs: ["use"] };
const host: SelectionHost = {
  authorizer: memoryAuthorizer({
    roles: {
      "team-a": {
        user: [{ ...use, resourceNames: ["yes", "no", "new", "broken", "labels", "issuer", "names", "later"] }],
      },
    },
    roleBindings: [
      { namespace: "team-a", roleKind: "Role", roleRef: "user", subjects: [{ kind: "User", name: "kate" }] },
    ],
  }),
  namespaces: { labelsOf: (name) => (name === "team-a" ? { tier: "dev" } : undefined) },
};
const review = (...policies: CertificateRequestPolicy[]) => new Reviewer().review(request, policies, host);

const yes = policy("yes", { allowed: { dnsNames: { values: ["*.example.com"] } } });
const no = policy("no", {});
const DENIAL = `[no: spec.allowed.dnsNames: Invalid value: ["a.example.com"]: no allowed values]`;

describe("decisions", () => {
  test("no policy at all", async () => {
    expect(await review()).toEqual({
      result: "Unprocessed",
      message: "No CertificateRequestPolicies exist",
      policies: [],
    });
  });

  test("the first that does not deny approves; later ones are not asked", async () => {
    const answer = await review(no, yes, policy("later", {}));
    expect(answer).toMatchObject({ result: "Approved", message: `Approved by CertificateRequestPolicy: "yes"` });
    expect(outcomes(answer)).toEqual(["no denies", "yes approves", "later not evaluated"]);
  });

  test("all deny; sorted by name", async () => {
    const answer = await review(policy("yes", {}), no);
    expect(answer).toMatchObject({
      result: "Denied",
      message: `No policy approved this request: ${DENIAL} ${DENIAL.replace("[no", "[yes")}`,
    });
  });

  test("a policy without a Ready condition defers the denial, one that is not ready does not", async () => {
    expect(await review(no, policy("new", {}, []))).toMatchObject({
      result: "Unprocessed",
      message: `Not all policies are ready for evaluation; refusing to deny pending policy readiness: ${DENIAL}`,
    });
    expect(await review(no, policy("broken", {}, [{ type: "Ready", status: "False" }]))).toMatchObject({
      result: "Denied",
    });
  });

  test("a request that cannot be read is neither approved nor denied", async () => {
    const broken: CertificateRequest = { ...request, spec: { ...request.spec, request: "!" } };
    expect(await new Reviewer().review(broken, [yes], host)).toEqual({
      result: "Error",
      error: "spec.request is not base64",
    });
  });
});

describe("policies that do not apply say why", () => {
  // biome-ignore format: one case per line
  const cases: { given: CertificateRequestPolicy; what: string; message: string }[] = [
    { given: policy("issuer", { selector: { issuerRef: { kind: "ClusterIssuer" } } }),              what: "spec.selector.issuerRef.kind",                message: `spec.selector.issuerRef.kind "ClusterIssuer" does not match the issuer's kind "Issuer"` },
    { given: policy("names", { selector: { namespace: { matchNames: ["b-*", "c"] } } }),            what: "spec.selector.namespace.matchNames",          message: `spec.selector.namespace.matchNames [b-*, c] does not match namespace "team-a"` },
    { given: policy("labels", { selector: { namespace: { matchLabels: { tier: "prod" } } } }),      what: "spec.selector.namespace.matchLabels[tier]",   message: `spec.selector.namespace.matchLabels wants tier=prod, namespace "team-a" has tier=dev` },
    { given: policy("labels", { selector: { namespace: { matchLabels: { zone: "x" } } } }),         what: "spec.selector.namespace.matchLabels[zone]",   message: `spec.selector.namespace.matchLabels wants zone=x, namespace "team-a" has no such label` },
    { given: policy("secret", {}),                                                                  what: "use certificaterequestpolicies.policy.cert-manager.io/secret", message: `user "kate" may not use certificaterequestpolicies.policy.cert-manager.io "secret" in namespace "team-a"` },
    { given: policy("broken", {}, [{ type: "Ready", status: "False" }]),                            what: "status.conditions[Ready]",                    message: "the policy is not ready" },
    { given: policy("new", {}, []),                                                                 what: "status.conditions[Ready]",                    message: "the policy has no Ready condition yet" },
  ];
  test.each(cases)("$message", async ({ given, what, message }) => {
    const answer = await review(given);
    expect(answer).toMatchObject({
      result: "Unprocessed",
      message: "No CertificateRequestPolicies bound or applicable",
      policies: [{ policy: given.metadata?.name, outcome: "not applicable", refusal: { what, message } }],
    });
  });
});

describe("objects that a host changes between reviews", () => {
  const reviewer = new Reviewer();

  test("another CSR in the same request", async () => {
    const spec = { ...request.spec };
    const changing: CertificateRequest = { metadata: request.metadata ?? null, spec };
    expect(await reviewer.review(changing, [yes], host)).toMatchObject({ result: "Approved" });
    spec.request = specRequest({ extensions: [san(dns("evil.example.org"))] });
    expect(await reviewer.review(changing, [yes], host)).toMatchObject({ result: "Denied" });
  });

  test("a policy that is malformed, and mended", async () => {
    const dnsNames: { values: unknown } = { values: "*.example.com" };
    const changing = policy("yes", { allowed: { dnsNames } } as CertificatePolicySpec);
    expect(policyErrors(changing)).toHaveLength(1);
    expect(await reviewer.review(request, [changing], host)).toMatchObject({ result: "Error" });
    dnsNames.values = ["*.example.com"];
    expect(policyErrors(changing)).toEqual([]);
    expect(await reviewer.review(request, [changing], host)).toMatchObject({ result: "Approved" });
    dnsNames.values = 7;
    expect(await reviewer.review(request, [changing], host)).toMatchObject({ result: "Error" });
  });
});

describe("failures of the host", () => {
  test("a namespace is read only for labels, and must then be there", async () => {
    const labels = policy("labels", { selector: { namespace: { matchLabels: {} } } });
    const elsewhere: CertificateRequest = { ...request, metadata: { name: "r", namespace: "gone" } };
    expect(await new Reviewer().review(elsewhere, [labels], host)).toEqual({
      result: "Error",
      error: `failed to perform predicate on policies: failed to get request's namespace to determine namespace selector: namespaces "gone" not found`,
    });
    expect(await review(labels)).toMatchObject({ result: "Denied" });
  });

  test("an access review that fails", async () => {
    const failing: SelectionHost = { ...host, authorizer: { authorize: () => Promise.reject(new Error("timeout")) } };
    expect(await new Reviewer().review(request, [yes], failing)).toEqual({
      result: "Error",
      error: "failed to perform predicate on policies: failed to create subjectaccessreview: timeout",
    });
  });
});

function outcomes(answer: object): string[] {
  return (answer as { policies: readonly CertificatePolicyOutcome[] }).policies.map(
    ({ policy: name, outcome }) => `${name} ${outcome}`,
  );
}
