// The webhook on policies written by hand.

import { fieldErrorText, invalidValue } from "@celadon/kube/errors";
import { describe, expect, test } from "vitest";
import type { Plugin } from "../plugin.ts";
import type { Allowed, CertificatePolicySpec, Constraints } from "../resource.ts";
import { policyErrors, validatePolicy } from "./validate.ts";

const errorsOf = (spec: CertificatePolicySpec): string[] =>
  policyErrors({ spec: { selector: { issuerRef: {} }, ...spec } }).map(fieldErrorText);
const BAD_OID = `must be a valid, canonical dotted ASN.1 object identifier (e.g. "1.3.6.1.4.1.311.20.2.3")`;

describe("allowed", () => {
  // biome-ignore format: one case per line
  const cases: { allowed: Allowed; want: string[] }[] = [
    { allowed: {},                                                          want: [] },
    { allowed: { dnsNames: { required: true } },                            want: ["spec.allowed.dnsNames.values: Required value: at least one of 'values' or 'validations' must be defined if field is 'required'"] },
    { allowed: { commonName: { required: true, validations: [] } },         want: ["spec.allowed.commonName.value: Required value: at least one of 'value' or 'validations' must be defined if field is 'required'"] },
    { allowed: { dnsNames: { required: true, values: [] }, commonName: { required: true, value: "" } }, want: [] },
    { allowed: { uris: { validations: [{ rule: "self" }, { rule: "true" }, { rule: "x" }] } }, want: [`spec.allowed.uris.validations[0]: Invalid value: "self": got string, wanted bool result type`, `spec.allowed.uris.validations[2]: Invalid value: "x": ERROR: <input>:1:1: undeclared reference to 'x' (in container '')\n | x\n | ^`] },
    { allowed: { commonName: { validations: [{ rule: "1" }] }, subject: { countries: { required: true } } }, want: ["spec.allowed.subject.countries.values: Required value: at least one of 'values' or 'validations' must be defined if field is 'required'", `spec.allowed.commonName.validations[0]: Invalid value: "1": got int, wanted bool result type`] },
    { allowed: { otherNames: [{ oid: "1" }, { oid: "01.2" }, { oid: "+1" }, { oid: "1.-2" }, { oid: "9223372036854775808" }] }, want: [`spec.allowed.otherNames[1].oid: Invalid value: "01.2": ${BAD_OID}`, `spec.allowed.otherNames[2].oid: Invalid value: "+1": ${BAD_OID}`, `spec.allowed.otherNames[3].oid: Invalid value: "1.-2": OID arcs must be non-negative`, `spec.allowed.otherNames[4].oid: Invalid value: "9223372036854775808": ${BAD_OID}`] },
    { allowed: { subject: { otherAttributes: [{ oid: "2.5.4.6", required: true }] } }, want: [`spec.allowed.subject.otherAttributes[0].oid: Invalid value: "2.5.4.6": this OID is covered by a dedicated allowed.commonName / allowed.subject.* field; configure it there instead of otherAttributes`, "spec.allowed.subject.otherAttributes[0].values: Required value: at least one of 'values' or 'validations' must be defined if field is 'required'"] },
  ];
  test.each(cases)("$allowed", ({ allowed, want }) => expect(errorsOf({ allowed })).toEqual(want));
});

describe("constraints", () => {
  // biome-ignore format: one case per line
  const cases: { constraints: Constraints; want: string[] }[] = [
    { constraints: { privateKey: { algorithm: "rsa" } },                             want: [`spec.constraints.privateKey.algorithm: Unsupported value: "rsa": supported values: "RSA", "ECDSA", "Ed25519"`] },
    { constraints: { privateKey: { algorithm: "Ed25519", minSize: 1, maxSize: 2 } }, want: ["spec.constraints.privateKey.maxSize: Invalid value: 2: maxSize cannot be defined with algorithm constraint Ed25519", "spec.constraints.privateKey.minSize: Invalid value: 1: minSize cannot be defined with algorithm constraint Ed25519"] },
    { constraints: { privateKey: { minSize: 8193, maxSize: -1 } },                   want: ["spec.constraints.privateKey.maxSize: Invalid value: -1: must be between 0 and 8192 inclusive", "spec.constraints.privateKey.minSize: Invalid value: 8193: must be between 0 and 8192 inclusive", "spec.constraints.privateKey.maxSize: Invalid value: -1: maxSize must be the same value as minSize or larger"] },
    { constraints: { minDuration: "1h", maxDuration: "1h" },                         want: [] },
    { constraints: { minDuration: "2h", maxDuration: "-1h" },                        want: [`spec.constraints.maxDuration: Invalid value: "-1h0m0s": maxDuration must be the same value as minDuration or larger`, `spec.constraints.maxDuration: Invalid value: "-1h0m0s": maxDuration must be a value greater or equal to 0`] },
    { constraints: { minDuration: "1d" },                                            want: [`spec.constraints.minDuration: Invalid value: "1d": time: invalid duration "1d"`] },
  ];
  test.each(cases)("$constraints", ({ constraints, want }) => expect(errorsOf({ constraints })).toEqual(want));
});

describe("selector and plugins", () => {
  test("a selector selects by something", () => {
    const hint =
      "spec.selector: Required value: one of issuerRef or namespace must be defined, hint: `{}` on either matches everything";
    for (const selector of [undefined, null, {}, { issuerRef: null }]) {
      expect(policyErrors({ spec: { selector } }).map(fieldErrorText)).toEqual([hint]);
    }
    expect(errorsOf({ selector: { namespace: {} } })).toEqual([]);
  });

  test("labels are labels", () => {
    const [text] = errorsOf({ selector: { namespace: { matchLabels: { a: "b c" } } } });
    expect(text).toMatch(
      /^spec\.selector\.namespace\.matchLabels: Invalid value: \{"a":"b c"\}: values\[0\]\[a\]: Invalid value: "b c": /,
    );
  });

  const plugins: Plugin[] = [
    { name: "rego", validate: () => ({ allowed: true, warnings: ["old"], errors: [invalidValue("x", 1, "dropped")] }) },
    { name: "quota", validate: ({ spec }) => ({ allowed: spec.plugins?.quota !== undefined, warnings: ["new"] }) },
  ];

  test("names of plugins, sorted; the supported ones as registered", async () => {
    const spec = { selector: { issuerRef: {} }, plugins: { z: {}, quota: {}, allowed: {} } };
    const answer = await validatePolicy({ spec }, { plugins });
    expect(answer.message).toBe(
      `[spec.plugins: Unsupported value: "allowed": supported values: "rego", "quota", spec.plugins: Unsupported value: "z": supported values: "rego", "quota"]`,
    );
    expect(answer.warnings).toEqual(["old", "new"]);
  });

  test("a plugin that refuses without saying why", async () => {
    const answer = await validatePolicy({ spec: { selector: { issuerRef: {} } } }, { plugins });
    expect(answer).toMatchObject({
      allowed: false,
      message: "a plugin did not allow the CertificateRequest for unknown reasons",
    });
  });

  test("a plugin that fails", async () => {
    const failing: Plugin = { name: "x", validate: () => ({ error: "down" }) };
    expect(await validatePolicy({ spec: {} }, { plugins: [failing] })).toEqual({
      allowed: false,
      errors: [],
      message: "down",
      warnings: [],
    });
  });

  test("a name twice is the host's mistake", async () => {
    await expect(validatePolicy({ spec: {} }, { plugins: [{ name: "allowed" }] })).rejects.toThrow(
      "approver already registered with same name: allowed",
    );
  });
});
