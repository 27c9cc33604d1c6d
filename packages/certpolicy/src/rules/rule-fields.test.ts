import { expect, test } from "vitest";
import { policyRuleFields } from "./rule-fields.ts";

const rules = (rule: string) => ({ validations: [{ rule, message: "no" }] });

test("rules of all attributes", () => {
  const policy = {
    apiVersion: "policy.cert-manager.io/v1alpha1",
    kind: "CertificateRequestPolicy",
    spec: {
      allowed: {
        commonName: rules("commonName"),
        dnsNames: rules("dnsNames"),
        isCA: true,
        otherNames: [{ oid: "1.2", ...rules("otherNames") }],
        subject: { countries: rules("countries"), otherAttributes: [{ oid: "1.3", ...rules("otherAttributes") }] },
      },
      constraints: { commonName: rules("no") },
    },
  };
  const found = policyRuleFields(policy);
  expect(found.map(({ text }) => text)).toEqual([
    "commonName",
    "dnsNames",
    "otherNames",
    "countries",
    "otherAttributes",
  ]);
  expect(found[2]?.path).toEqual(["spec", "allowed", "otherNames", 0, "validations", 0, "rule"]);
  expect(policyRuleFields({ ...policy, apiVersion: "cert-manager.io/v1" })).toEqual([]);
});
