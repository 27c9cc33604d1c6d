// The definition of CertificateRequestPolicy is one a cluster accepts, and refuses what a cluster refuses before any webhook.

import { POLICY_DEFINITION } from "@celadon/certpolicy";
import { admitCreate, admitDefinition, CustomResourceType } from "@celadon/crd";
import { describe, expect, test } from "vitest";

const admitted = admitDefinition(POLICY_DEFINITION, undefined);

test("the definition", () => {
  expect(admitted).toMatchObject({ allowed: true, warnings: [] });
});

describe("policies", () => {
  const version = admitted.allowed ? new CustomResourceType(admitted.object).version("v1alpha1")! : undefined;
  const policy = (spec: unknown): Record<string, unknown> => ({
    apiVersion: "policy.cert-manager.io/v1alpha1",
    kind: "CertificateRequestPolicy",
    metadata: { name: "p" },
    ...(spec === undefined ? {} : { spec }),
  });
  const selector = { issuerRef: {} };
  const rule = { rule: "true" };
  // biome-ignore format: one case per line
  const cases: { spec: unknown; want: RegExp | undefined }[] = [
    { spec: { selector, allowed: { usages: ["server auth"], isCA: false } },          want: undefined },
    { spec: undefined,                                                                want: /spec: Required value/ },
    { spec: {},                                                                       want: /spec\.selector: Required value/ },
    { spec: { selector, allowed: { usages: ["sing"] } },                              want: /spec\.allowed\.usages\[0\]: Unsupported value: "sing": supported values: "signing", "digital signature"/ },
    { spec: { selector, allowed: { dnsNames: { validations: [rule, rule] } } },       want: /spec\.allowed\.dnsNames\.validations\[1\]: Duplicate value: \{"rule":"true"\}/ },
    { spec: { selector, allowed: { otherNames: [{ oid: "1.2" }, { oid: "1.2" }] } },  want: /spec\.allowed\.otherNames\[1\]: Duplicate value: \{"oid":"1\.2"\}/ },
    { spec: { selector, allowed: { dnsNames: { validations: [{}] } } },               want: /spec\.allowed\.dnsNames\.validations\[0\]\.rule: Required value/ },
    { spec: { selector, constraints: { privateKey: { algorithm: "rsa" } } },          want: /spec\.constraints\.privateKey\.algorithm: Unsupported value: "rsa": supported values: "RSA", "ECDSA", "Ed25519"/ },
    { spec: { selector, allowed: { isCA: "yes" } },                                   want: /spec\.allowed\.isCA: Invalid value: "string": spec\.allowed\.isCA in body must be of type boolean: "string"/ },
  ];
  test.each(cases)("$spec", ({ spec, want }) => {
    const answer = admitCreate(version!, policy(spec) as never);
    if (want === undefined) expect(answer).toMatchObject({ allowed: true });
    else expect(answer.allowed ? "allowed" : answer.status.message).toMatch(want);
  });
});
