// A cluster accepts the definition of CertificateRequestPolicy, and it refuses the same requests as a cluster before any webhook.

import { type CertificateRequestPolicy, POLICY_DEFINITION, policySchemaErrors } from "@celadon/certpolicy";
import { admitCreate, admitDefinition, CustomResourceType } from "@celadon/crd";
import { invalidObject } from "@celadon/kube/status";
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
    { spec: { selector, plugins: { a: { values: { b: 1 } } } },                       want: /spec\.plugins\.a\.values\.b: Invalid value: "integer"/ },
    { spec: { selector, allowed: { isCA: "yes" } },                                   want: /spec\.allowed\.isCA: Invalid value: "string": spec\.allowed\.isCA in body must be of type boolean: "string"/ },
  ];
  test.each(cases)("$spec", ({ spec, want }) => {
    const answer = admitCreate(version!, policy(spec) as never);
    // The package's own check needs no engine for definitions, and says the same.
    const errors = policySchemaErrors(policy(spec) as unknown as CertificateRequestPolicy);
    const kind = { group: "policy.cert-manager.io", kind: "CertificateRequestPolicy" };
    if (!answer.allowed) expect(invalidObject(kind, "p", errors).message).toBe(answer.status.message);
    else expect(errors).toEqual([]);
    if (want === undefined) expect(answer).toMatchObject({ allowed: true });
    else expect(answer.allowed ? "allowed" : answer.status.message).toMatch(want);
  });
});
