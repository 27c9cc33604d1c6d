// Plugins are a host's objects: of any class, and not always well.

import { describe, expect, test } from "vitest";
import { specRequest } from "./csr/build.testing.ts";
import type { CertificateEvaluation } from "./evaluate/result.ts";
import type { Plugin, PluginValidation, Readiness } from "./plugin.ts";
import type { CertificateRequest, CertificateRequestPolicy } from "./resource.ts";
import { Reviewer } from "./review.ts";
import { policyStatus } from "./status.ts";
import { validatePolicy } from "./validate/validate.ts";

const policy: CertificateRequestPolicy = {
  metadata: { name: "p" },
  spec: { selector: { issuerRef: {} }, plugins: { quota: {} } },
  status: { conditions: [{ type: "Ready", status: "True" }] },
};
const request: CertificateRequest = {
  metadata: { name: "r", namespace: "team-a" },
  spec: { request: specRequest({}), username: "kate", issuerRef: { name: "ca" } },
};
const host = {
  authorizer: { authorize: () => ({ decision: "allow" as const }) },
  namespaces: { labelsOf: () => ({}) },
};

/** Counts its calls in a field that only a method of the object itself can reach. */
class Quota implements Plugin {
  readonly name = "quota";
  #left = 1;
  evaluate(): CertificateEvaluation {
    return this.#left-- > 0
      ? { result: "NotDenied", message: "", errors: [] }
      : { result: "Denied", message: "quota exceeded", errors: [] };
  }
  validate(): PluginValidation {
    return { allowed: this.#left > 0 };
  }
  ready(): Readiness {
    return { ready: this.#left > 0 };
  }
}

test("a plugin with its own state", async () => {
  const plugin = new Quota();
  const reviewer = new Reviewer({ plugins: [plugin] });
  expect(await validatePolicy(policy, { plugins: [plugin] })).toMatchObject({ allowed: true });
  expect(await policyStatus(policy, [plugin], "now")).toMatchObject({ condition: { status: "True" } });
  expect(await reviewer.review(request, [policy], host)).toMatchObject({ result: "Approved" });
  expect(await reviewer.review(request, [policy], host)).toMatchObject({
    result: "Denied",
    message: "No policy approved this request: [p: quota exceeded]",
  });
});

describe("a plugin that fails has answered an error", () => {
  const fail = (): never => {
    throw new Error("no connection");
  };
  const failing: readonly Plugin[] = [
    { name: "quota", evaluate: fail, validate: fail, ready: fail },
    {
      name: "quota",
      evaluate: () => Promise.reject("no connection"),
      validate: () => Promise.reject("no connection"),
      ready: () => Promise.reject("no connection"),
    },
  ];
  test.each(failing)("%#", async (plugin) => {
    expect(await new Reviewer({ plugins: [plugin] }).review(request, [policy], host)).toEqual({
      result: "Error",
      error: "no connection",
    });
    expect(await validatePolicy(policy, { plugins: [plugin] })).toEqual({
      allowed: false,
      errors: [],
      message: "no connection",
      warnings: [],
    });
    expect(await policyStatus(policy, [plugin], "now")).toEqual({
      error: 'failed to evaluate ready state of CertificateRequestPolicy "p": no connection',
    });
  });
});
