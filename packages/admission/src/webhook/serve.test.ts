import { Invalid } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import { admit } from "../admit.ts";
import { createPolicySet } from "../set/policy-set.ts";
import { compiled, podRequest, testHosts, webhook } from "./hosts.testing.ts";
import { checkResponse } from "./response.ts";
import { answerReview, type ReadReview, readReview } from "./serve.ts";
import { dispatchValidating } from "./validating.ts";

describe("serving", () => {
  test("a review that was sent is the request that was made", async () => {
    const hosts = testHosts();
    const request = podRequest();
    await dispatchValidating(request, compiled("Validating", webhook("a")), hosts);
    const read = readReview(JSON.parse(JSON.stringify(hosts.calls[0]!.review)));
    expect(read).toEqual({ apiVersion: "admission.k8s.io/v1", uid: "uid-1", request });
    const answer = answerReview(read as ReadReview, await admit((read as ReadReview).request, createPolicySet()));
    expect(checkResponse(answer, "v1", "uid-1", false)).toMatchObject({ allowed: true });
  });

  test("a refusal with its status; annotation keys without slashes", () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: "no",
      code: 422,
    } as const;
    const report = {
      allowed: false,
      status,
      warnings: ["w"],
      auditAnnotations: { "p/k": "v" },
      failures: [],
      verdicts: { policies: [] },
    };
    const review = answerReview({ apiVersion: "admission.k8s.io/v1", uid: "u", request: podRequest() }, report);
    expect(review.response).toEqual({
      uid: "u",
      allowed: false,
      status,
      warnings: ["w"],
      auditAnnotations: { p_k: "v" },
    });
  });

  // biome-ignore format: one case per line
  const cases = [
    { body: 1,                                                                   want: "the body is not an object" },
    { body: { kind: "AdmissionReview", apiVersion: "v1" },                       want: "expected AdmissionReview of admission.k8s.io/v1 or v1beta1, got 'AdmissionReview' of 'v1'" },
    { body: { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1" },      want: "the review holds no request" },
    { body: { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: {} }, want: "request.uid is missing" },
    { body: { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request: { uid: "u", kind: {}, resource: {}, operation: "x" } }, want: "request.operation 'x' is not known" },
  ];
  test.each(cases)("$want", ({ body, want }) => expect(readReview(body)).toEqual(new Invalid(want)));
});
