// Data of any shape is answered, never thrown at.

import { fieldErrorText } from "@celadon/kube/errors";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CertificateRequest, CertificateRequestPolicy } from "../resource.ts";
import { Reviewer } from "../review.ts";
import { policySchemaErrors, requestShapeErrors } from "./shape.ts";
import { policyErrors, validatePolicy } from "./validate.ts";

const errorsOf = (policy: unknown): string[] =>
  policySchemaErrors(policy as CertificateRequestPolicy).map(fieldErrorText);
const selector = { issuerRef: {} };

describe("policies", () => {
  // biome-ignore format: one case per line
  const cases: { spec: unknown; want: string[] }[] = [
    { spec: { selector },                                                          want: [] },
    { spec: { selector, allowed: null },                                           want: [] },
    { spec: undefined,                                                             want: ["spec: Required value"] },
    { spec: {},                                                                    want: ["spec.selector: Required value"] },
    { spec: 1,                                                                     want: [`spec: Invalid value: "integer": spec in body must be of type object: "integer"`] },
    { spec: { selector, allowed: { dnsNames: { values: "a" } } },                  want: [`spec.allowed.dnsNames.values: Invalid value: "string": spec.allowed.dnsNames.values in body must be of type array: "string"`] },
    { spec: { selector, allowed: { usages: ["any", "all"] } },                     want: [expect.stringContaining(`spec.allowed.usages[1]: Unsupported value: "all": supported values: "signing", `) as unknown as string] },
    { spec: { selector, allowed: { otherNames: [{ oid: "1" }, { oid: "1" }] } },   want: [`spec.allowed.otherNames[1]: Duplicate value: {"oid":"1"}`] },
    { spec: { selector, plugins: { a: { values: { b: 1 } } } },                    want: [`spec.plugins.a.values.b: Invalid value: "integer": spec.plugins.a.values.b in body must be of type string: "integer"`] },
    { spec: { selector, constraints: { privateKey: { minSize: 1.5 } } },           want: [`spec.constraints.privateKey.minSize: Invalid value: "number": spec.constraints.privateKey.minSize in body must be of type integer: "number"`] },
  ];
  test.each(cases)("$spec", ({ spec, want }) => expect(errorsOf({ spec })).toEqual(want));

  test("nothing else is checked then", async () => {
    const policy = { spec: { allowed: { commonName: { validations: [{}] } } } } as unknown as CertificateRequestPolicy;
    const want = "spec.allowed.commonName.validations[0].rule: Required value";
    expect(await validatePolicy(policy)).toMatchObject({ allowed: false, message: want });
    const host = {
      authorizer: { authorize: () => ({ decision: "allow" as const }) },
      namespaces: { labelsOf: () => ({}) },
    };
    expect(await new Reviewer().review({ spec: {} }, [policy], host)).toEqual({
      result: "Error",
      error: `malformed CertificateRequestPolicy "": ${want}`,
    });
  });
});

/** A valid document with some values replaced by any JSON. */
function disturbed(value: unknown): fc.Arbitrary<unknown> {
  const noise = fc.jsonValue({ maxDepth: 2 });
  if (Array.isArray(value)) {
    const items = fc.tuple(...value.map(disturbed));
    return fc.oneof({ weight: 8, arbitrary: items }, { weight: 1, arbitrary: noise });
  }
  if (typeof value !== "object" || value === null)
    return fc.oneof({ weight: 8, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: noise });
  const fields = fc.record(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, disturbed(item)])), {
    requiredKeys: [],
  });
  return fc.oneof({ weight: 12, arbitrary: fields }, { weight: 1, arbitrary: noise });
}

test("every input gets an answer", async () => {
  const list = { values: ["*"], required: true, validations: [{ rule: "self != ''", message: "m" }] };
  const policy = {
    metadata: { name: "p" },
    spec: {
      selector: { issuerRef: { name: "*" }, namespace: { matchNames: ["*"], matchLabels: { a: "b" } } },
      allowed: {
        commonName: { value: "*" },
        dnsNames: list,
        usages: ["any"],
        isCA: true,
        subject: { organizations: list, otherAttributes: [{ oid: "1.2.3" }] },
        otherNames: [{ oid: "1.2" }],
      },
      constraints: { minDuration: "1h", maxDuration: "2h", privateKey: { algorithm: "RSA", minSize: 1, maxSize: 2 } },
      plugins: { a: { values: { b: "c" } } },
    },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  };
  const request = {
    metadata: { name: "r", namespace: "n" },
    spec: {
      request: "",
      username: "u",
      groups: ["g"],
      usages: ["any"],
      duration: "1h",
      issuerRef: { name: "i" },
      extra: { a: ["b"] },
    },
  };
  const host = {
    authorizer: { authorize: () => ({ decision: "allow" as const }) },
    namespaces: { labelsOf: () => ({ a: "b" }) },
  };
  const reviewer = new Reviewer();
  await fc.assert(
    fc.asyncProperty(disturbed(policy), disturbed(request), async (a, b) => {
      const given = a as CertificateRequestPolicy;
      policyErrors(given, { rules: reviewer.rules });
      requestShapeErrors(b as CertificateRequest);
      const review = await reviewer.review(b as CertificateRequest, [given], host);
      expect(["Approved", "Denied", "Unprocessed", "Error"]).toContain(review.result);
    }),
    { numRuns: 1000 },
  );
});
