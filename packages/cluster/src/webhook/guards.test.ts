import { type AdmissionRequest, admit, createPolicySet } from "@celadon/admission";
import { expect, test } from "vitest";
import { GUARDS, isSpared } from "./guards.ts";

const request = (fields: Partial<AdmissionRequest>): AdmissionRequest => ({
  operation: "CREATE",
  kind: { group: "", version: "v1", kind: "ConfigMap" },
  resource: { group: "", version: "v1", resource: "configmaps" },
  namespace: "default",
  name: "x",
  userInfo: { username: "ann", groups: ["system:authenticated"] },
  object: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" } },
  ...fields,
});
const leases = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
const own = { group: "policies.celadon.dev", version: "v1", resource: "validatingadmissionpolicies" };
const namespaces = { group: "", version: "v1", resource: "namespaces" };

// biome-ignore format: one case per line
const cases = [
  { what: "an object",                     fields: {},                                                        spared: false },
  { what: "a user without groups",         fields: { userInfo: { username: "ann" } },                         spared: false },
  { what: "a node",                        fields: { userInfo: { username: "n", groups: ["system:nodes"] } }, spared: true },
  { what: "a policy of our own",           fields: { resource: own, namespace: "" },                          spared: true },
  { what: "a lease of the control plane",  fields: { resource: leases, namespace: "kube-system" },            spared: true },
  { what: "a lease of a node",             fields: { resource: leases, namespace: "kube-node-lease" },        spared: true },
  { what: "a lease of somebody else",      fields: { resource: leases, namespace: "shop" },                   spared: false },
];

test.each(cases)("$what", async ({ fields, spared }) => {
  const asked = request(fields);
  expect(isSpared(asked, new Set())).toBe(spared);
  // The match conditions are equivalent: a policy with them, that denies everything, denies the requests that are not exempt.
  const matchConditions = GUARDS.map(({ name, expression }) => ({ name, expression }));
  const all = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] } as const;
  const policies = createPolicySet([
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "p" },
      spec: { matchConstraints: { resourceRules: [all] }, matchConditions, validations: [{ expression: "false" }] },
    },
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name: "b" },
      spec: { policyName: "p", validationActions: ["Deny"] },
    },
  ]);
  const { allowed, failures } = await admit(asked, policies, {
    namespaces: { namespace: (name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }) },
  });
  expect([allowed, failures.map(({ kind }) => kind)]).toEqual(spared ? [true, []] : [false, ["denial"]]);
});

test("namespaces that are left out, and their own objects", () => {
  const excluded = new Set(["celadon"]);
  expect(isSpared(request({ namespace: "celadon" }), excluded)).toBe(true);
  expect(isSpared(request({ resource: namespaces, namespace: "", name: "celadon" }), excluded)).toBe(true);
  expect(isSpared(request({ resource: namespaces, namespace: "", name: "shop" }), excluded)).toBe(false);
});
