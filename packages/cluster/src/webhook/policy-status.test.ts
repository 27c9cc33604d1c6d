// The status of a policy while the configuration of the webhook does not cover it: never in force.

import type { Api } from "@celadon/client";
import type { KubeObject } from "@celadon/kube";
import { expect, onTestFinished, test } from "vitest";
import type { ClusterView } from "./cluster-view.ts";
import { OWN_GROUP } from "./policy-objects.ts";
import { type Enforcement, PolicyStatus } from "./policy-status.ts";

const matchConstraints = {
  resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
};
const policy: KubeObject = {
  apiVersion: `${OWN_GROUP}/v1`,
  kind: "ValidatingAdmissionPolicy",
  metadata: { name: "p", generation: 3 },
  spec: { matchConstraints, validations: [{ expression: "true" }] },
};

interface Given {
  enforcement: Enforcement;
  isBound: boolean;
}

/** The conditions that are written, the newest last. */
function statusOf(given: Given) {
  const written: { readonly status: string; readonly reason: string; readonly message: string }[] = [];
  const api = {
    apply: async (...[, , { status }]: readonly [object, object, { status: { conditions: [(typeof written)[0]] } }]) =>
      void written.push(status.conditions[0]),
  };
  const view = {
    policies: {
      sets: [{ group: OWN_GROUP, validating: { isBound: () => given.isBound }, mutating: { isBound: () => false } }],
      objects: (_: string, resource: string) =>
        new Map(resource === "validatingadmissionpolicies" ? [["p", policy]] : []),
    },
    definitions: { schemas: undefined },
  };
  const failures: unknown[] = [];
  const status = new PolicyStatus(api as unknown as Api, {
    view: view as unknown as ClusterView,
    failed: (_, error) => failures.push(error),
    enforcement: () => given.enforcement,
    pendingMs: 20,
  });
  onTestFinished(() => status.stop());
  return { status, written, failures };
}

const NOT_IN_FORCE: readonly (readonly [string, Given, string, RegExp])[] = [
  ["no place in the configuration", { enforcement: { state: "omitted" }, isBound: true }, "NotEnforced", /too large/],
  [
    "a configuration that is not written yet",
    { enforcement: { state: "pending", failure: undefined }, isBound: true },
    "Pending",
    /not written yet/,
  ],
  [
    "a configuration that cannot be written",
    { enforcement: { state: "pending", failure: "etcdserver: request is too large" }, isBound: true },
    "Pending",
    /was not written: etcdserver: request is too large/,
  ],
  ["no binding", { enforcement: { state: "enforced" }, isBound: false }, "NotBound", /no binding/],
];

test.each(NOT_IN_FORCE)("%s", async (_, given, reason, message) => {
  const { status, written, failures } = statusOf(given);
  status.lead(true);
  await expect.poll(() => written).toHaveLength(1);
  expect(written[0]).toMatchObject({ status: "False", reason, message: expect.stringMatching(message) });
  Object.assign(given, { enforcement: { state: "enforced" }, isBound: true });
  status.changed();
  await expect.poll(() => written).toHaveLength(2);
  expect(written[1]).toMatchObject({ status: "True", reason: "InForce" });
  expect(failures).toEqual([]);
});

test("while it is not known whether the configuration asks about it, nothing is said; a moment of waiting is not told", async () => {
  const given: Given = { enforcement: { state: "unknown" }, isBound: true };
  const { status, written } = statusOf(given);
  status.lead(true);
  await new Promise((resolve) => setTimeout(resolve, 50));
  given.enforcement = { state: "pending", failure: undefined };
  status.changed();
  given.enforcement = { state: "enforced" };
  await expect.poll(() => written.length).toBeGreaterThan(0);
  expect(written.map(({ reason }) => reason)).toEqual(["InForce"]);
});
