// Two stories: names inside the namespace's own domain, and SPIFFE identities that name the namespace.

import { describe, expect, test } from "vitest";
import { dns, name, san, specRequest, uri } from "./csr/build.testing.ts";
import type { CertificateRequest, CertificateRequestPolicy } from "./resource.ts";
import { Reviewer } from "./review.ts";
import { policyErrors } from "./validate/validate.ts";

const anyone = {
  authorizer: { authorize: () => ({ decision: "allow" as const }) },
  namespaces: { labelsOf: () => ({}) },
};
const status = { conditions: [{ type: "Ready", status: "True" }] };

function request(namespace: string, username: string, ...names: Uint8Array[]): CertificateRequest {
  const csr = specRequest({ subject: name(), extensions: [san(...names)] });
  return { metadata: { name: "r", namespace }, spec: { request: csr, username, issuerRef: { name: "ca" } } };
}

async function decide(policy: CertificateRequestPolicy, given: CertificateRequest): Promise<string> {
  const answer = await new Reviewer().review(given, [policy], anyone);
  return answer.result === "Error" ? answer.error : answer.message;
}

describe("DNS names inside the namespace's domain", () => {
  const policy: CertificateRequestPolicy = {
    metadata: { name: "own-domain" },
    status,
    spec: {
      selector: { namespace: {} },
      allowed: {
        dnsNames: {
          required: true,
          validations: [
            {
              rule: "self.endsWith('.' + cr.namespace + '.svc.cluster.local')",
              message: "DNS names must end in <namespace>.svc.cluster.local",
            },
          ],
        },
      },
    },
  };

  // biome-ignore format: one case per line
  const cases = [
    { namespace: "a", names: ["web.a.svc.cluster.local", "api.a.svc.cluster.local"], want: `Approved by CertificateRequestPolicy: "own-domain"` },
    { namespace: "a", names: ["web.b.svc.cluster.local"],       want: `No policy approved this request: [own-domain: spec.allowed.dnsNames.validations[0]: Invalid value: "web.b.svc.cluster.local": DNS names must end in <namespace>.svc.cluster.local]` },
    { namespace: "a", names: ["web.team-a.svc.cluster.local"],  want: `No policy approved this request: [own-domain: spec.allowed.dnsNames.validations[0]: Invalid value: "web.team-a.svc.cluster.local": DNS names must end in <namespace>.svc.cluster.local]` },
    { namespace: "a", names: [],                                want: "No policy approved this request: [own-domain: spec.allowed.dnsNames.required: Required value: true]" },
  ];
  test.each(cases)("$namespace $names", async ({ namespace, names, want }) => {
    expect(policyErrors(policy)).toEqual([]);
    expect(await decide(policy, request(namespace, "kate", ...names.map(dns)))).toBe(want);
  });
});

describe("SPIFFE identities that name the namespace", () => {
  const policy: CertificateRequestPolicy = {
    metadata: { name: "spiffe" },
    status,
    spec: {
      selector: { namespace: {} },
      allowed: {
        uris: {
          required: true,
          validations: [
            { rule: "self.startsWith('spiffe://cluster.local/ns/' + cr.namespace + '/sa/')" },
            {
              rule: "isServiceAccount(cr.username) && self.endsWith('/sa/' + serviceAccount(cr.username).getName())",
              message: "a workload asks for its own identity only",
            },
          ],
        },
      },
    },
  };
  const workload = "system:serviceaccount:shop:cart";

  // biome-ignore format: one case per line
  const cases = [
    { user: workload, id: "spiffe://cluster.local/ns/shop/sa/cart",  want: `Approved by CertificateRequestPolicy: "spiffe"` },
    { user: workload, id: "SPIFFE://cluster.local/ns/shop/sa/cart",  want: `Approved by CertificateRequestPolicy: "spiffe"` },
    { user: workload, id: "spiffe://cluster.local/ns/shop/sa/admin", want: `No policy approved this request: [spiffe: spec.allowed.uris.validations[1]: Invalid value: "spiffe://cluster.local/ns/shop/sa/admin": a workload asks for its own identity only]` },
    { user: "kate",   id: "spiffe://cluster.local/ns/bank/sa/cart",  want: `No policy approved this request: [spiffe: [spec.allowed.uris.validations[0]: Invalid value: "spiffe://cluster.local/ns/bank/sa/cart": failed rule: self.startsWith('spiffe://cluster.local/ns/' + cr.namespace + '/sa/'), spec.allowed.uris.validations[1]: Invalid value: "spiffe://cluster.local/ns/bank/sa/cart": a workload asks for its own identity only]]` },
  ];
  test.each(cases)("$user $id", async ({ user, id, want }) => {
    expect(policyErrors(policy)).toEqual([]);
    expect(await decide(policy, request("shop", user, uri(id)))).toBe(want);
  });
});
