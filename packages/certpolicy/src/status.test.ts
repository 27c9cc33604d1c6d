// The writes of a controller after a review, and for a policy.

import { forbiddenField } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import type { Readiness } from "./plugin.ts";
import type { CertificateRequestPolicy } from "./resource.ts";
import type { CertificateReview } from "./review.ts";
import { isDecided, policyStatus, requestStatus } from "./status.ts";

const NOW = "2030-01-01T00:00:00Z";
const BEFORE = "2029-01-01T00:00:00Z";

// biome-ignore format: one case per line
const reviews: { review: object; condition: object | undefined; event: string; requeue?: number; error?: string }[] = [
  { review: { result: "Approved", message: "m" },    condition: { type: "Approved", status: "True", reason: "policy.cert-manager.io", message: "m", lastTransitionTime: NOW }, event: "Normal Approved Synced: m" },
  { review: { result: "Denied", message: "m" },      condition: { type: "Denied", status: "True", reason: "policy.cert-manager.io", message: "m", lastTransitionTime: NOW },   event: "Warning Denied Synced: m" },
  { review: { result: "Unprocessed", message: "m" }, condition: undefined, event: "Normal Unprocessed Synced: Request is not applicable for any policy so ignoring" },
  { review: { result: "Error", error: "e" },         condition: undefined, event: "Warning EvaluationError SyncedFailed: approver-policy failed to review the request and will retry", error: "e" },
  { review: { result: "?" },                         condition: undefined, event: "Warning UnknownResponse SyncedFailed: Policy returned an unknown result. This is a bug. Please check the approver-policy logs and file an issue", requeue: 5 },
];
test.each(reviews)("$review", ({ review, condition, event, requeue, error }) => {
  const status = requestStatus(review as CertificateReview, NOW);
  expect(status.condition).toEqual(condition);
  expect(`${status.event.type} ${status.event.reason} ${status.event.action}: ${status.event.message}`).toBe(event);
  expect([status.requeueAfterSeconds, status.error]).toEqual([requeue, error]);
});

// biome-ignore format: one case per line
test.each([
  { type: "Approved", status: "True",  want: true },
  { type: "Denied",   status: "True",  want: true },
  { type: "Denied",   status: "False", want: false },
  { type: "Ready",    status: "True",  want: false },
])("$type $status is decided: $want", ({ type, status, want }) => {
  expect(isDecided({ spec: {}, status: { conditions: [{ type, status }] } })).toBe(want);
});

describe("a policy's readiness", () => {
  const policy = (status: string): CertificateRequestPolicy => ({
    metadata: { name: "p", generation: 7 },
    spec: {},
    status: { conditions: [{ type: "Ready", status, lastTransitionTime: BEFORE }] },
  });
  const no = "CertificateRequestPolicy is not ready for approval evaluation: ";
  const problem = [forbiddenField("spec.plugins.a", "no")];

  // biome-ignore format: one case per line
  const cases: { title: string; answers: Readiness[]; status: string; message: string; requeue?: number }[] = [
    { title: "no plugin",                  answers: [],                                                        status: "True",  message: "CertificateRequestPolicy is ready for approval evaluation" },
    { title: "the shortest positive wait", answers: [9, 0, 4].map((s) => ({ ready: true, requeueAfterSeconds: s })), status: "True",  message: "CertificateRequestPolicy is ready for approval evaluation", requeue: 4 },
    { title: "one is not ready",           answers: [{ ready: true }, { ready: false, errors: problem }],      status: "False", message: `${no}spec.plugins.a: Forbidden: no` },
    { title: "the same text twice",        answers: [1, 2].map(() => ({ ready: false, errors: problem })),     status: "False", message: `${no}spec.plugins.a: Forbidden: no` },
    { title: "not ready without a reason", answers: [{ ready: false }],                                        status: "False", message: `${no}%!s(<nil>)` },
  ];
  test.each(cases)("$title", async ({ answers, status, message, requeue }) => {
    const plugins = answers.map((answer, i) => ({ name: `p${i}`, ready: () => answer }));
    for (const old of ["True", "False"]) {
      expect(await policyStatus(policy(old), plugins, NOW)).toEqual({
        condition: {
          type: "Ready",
          status,
          reason: status === "True" ? "Ready" : "NotReady",
          message,
          observedGeneration: 7,
          lastTransitionTime: old === status ? BEFORE : NOW,
        },
        event: {
          type: status === "True" ? "Normal" : "Warning",
          reason: status === "True" ? "Ready" : "NotReady",
          action: "Synced",
          message,
        },
        ...(requeue === undefined ? {} : { requeueAfterSeconds: requeue }),
      });
    }
  });
});
