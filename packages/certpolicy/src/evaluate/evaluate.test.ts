// The two built-in approvers on requests written by hand.

import { describe, expect, test } from "vitest";
import {
  type CsrParts,
  der,
  dns,
  ED25519,
  email,
  ip,
  name,
  otherName,
  rsaKey,
  san,
  specRequest,
  uri,
} from "../csr/build.testing.ts";
import type { Allowed, CertificateRequestSpec, Constraints } from "../resource.ts";
import { RuleCache } from "../rules/cache.ts";
import { evaluateAllowed } from "./allowed.ts";
import { evaluateConstraints } from "./constraints.ts";

const rules = new RuleCache();

function allowed(entry: Allowed | null, parts: CsrParts, spec: Partial<CertificateRequestSpec> = {}): string {
  const request = {
    metadata: { name: "r", namespace: "team-a" },
    spec: { request: specRequest(parts), username: "system:serviceaccount:team-a:default", groups: ["g"], ...spec },
  };
  const answer = evaluateAllowed({ spec: { allowed: entry } }, request, rules);
  return answer.result === "Error" ? `error: ${answer.error}` : answer.message;
}

const cn = (...values: (string | Uint8Array)[]): CsrParts => ({
  subject: name(...values.map((value) => ["2.5.4.3", value] as [string, string])),
});
const names = (...entries: Uint8Array[]): CsrParts => ({ extensions: [san(...entries)] });

describe("unset, empty, required", () => {
  // biome-ignore format: one case per line
  const cases: { title: string; entry: Allowed | null; parts: CsrParts; want: string }[] = [
    { title: "nothing asked, nothing allowed",  entry: null,                                                parts: {},              want: "" },
    { title: "nothing allowed",                 entry: null,                                                parts: cn("a"),         want: `spec.allowed.commonName: Invalid value: "a": no allowed value` },
    { title: "entry without values",            entry: { dnsNames: {} },                                    parts: names(dns("a")), want: `spec.allowed.dnsNames: Invalid value: ["a"]: no allowed values` },
    { title: "empty rules do not count",            entry: { dnsNames: { validations: [] } },                   parts: names(dns("a")), want: `spec.allowed.dnsNames: Invalid value: ["a"]: no allowed values` },
    { title: "empty values",                    entry: { dnsNames: { values: [] } },                        parts: names(dns("a")), want: `spec.allowed.dnsNames.values: Invalid value: ["a"]` },
    { title: "empty value",                     entry: { commonName: { value: "" } },                       parts: cn("a"),         want: `spec.allowed.commonName.value: Invalid value: "a"` },
    { title: "required and absent",             entry: { commonName: { value: "*", required: true } },      parts: {},              want: "spec.allowed.commonName.required: Required value: true" },
    { title: "an empty name is absent",         entry: { commonName: { value: "*", required: true } },      parts: cn(""),          want: "spec.allowed.commonName.required: Required value: true" },
    { title: "an empty list entry is present",  entry: { dnsNames: { values: ["a"] } },                     parts: names(dns("")),  want: `spec.allowed.dnsNames.values: Invalid value: [""]: a` },
    { title: "values and rules both report",    entry: { commonName: { value: "b", validations: [{ rule: "self == 'c'" }] } }, parts: cn("a"), want: `[spec.allowed.commonName.value: Invalid value: "a": b, spec.allowed.commonName.validations[0]: Invalid value: "a": failed rule: self == 'c']` },
    { title: "its own message",            entry: { commonName: { validations: [{ rule: "false", message: "no" }] } }, parts: cn("a"), want: `spec.allowed.commonName.validations[0]: Invalid value: "a": no` },
    { title: "an empty message",                entry: { commonName: { validations: [{ rule: "false", message: "" }] } },   parts: cn("a"), want: `spec.allowed.commonName.validations[0]: Invalid value: "a"` },
    { title: "a rule that does not compile",    entry: { commonName: { validations: [{ rule: "self" }] } }, parts: cn("a"),         want: "spec.allowed.commonName.validations[0]: Internal error: got string, wanted bool result type" },
    { title: "a rule that fails",               entry: { commonName: { validations: [{ rule: "int(self) > 0" }] } }, parts: cn("a"), want: "spec.allowed.commonName.validations[0]: Internal error: type conversion error from 'string' to 'int'" },
  ];
  test.each(cases)("$title", ({ entry, parts, want }) => expect(allowed(entry, parts)).toBe(want));
});

describe("attributes", () => {
  // biome-ignore format: one case per line
  const cases: { title: string; entry: Allowed | null; parts: CsrParts; spec?: Partial<CertificateRequestSpec>; want: string }[] = [
    { title: "two common names",           entry: { commonName: { value: "a" } },            parts: cn("a", "b"),                   want: `spec.allowed.commonName[1].value: Invalid value: "b": a` },
    { title: "a common name of no text",   entry: { commonName: { value: "*" } },            parts: cn(der(2, [1])),                want: `spec.allowed.commonName: Invalid value: "<non-string value>": subject attribute 2.5.4.3 uses an unsupported ASN.1 type or string encoding; re-issue the certificate with a UTF8String or PrintableString subject` },
    { title: "addresses as text",          entry: { ipAddresses: { values: ["10.*"] } },     parts: names(ip(10, 0, 0, 1)),         want: "" },
    { title: "mail",                       entry: { emailAddresses: { values: ["*@b"] } },   parts: names(email("a@b"), email("c")), want: `spec.allowed.emailAddresses.values: Invalid value: ["a@b","c"]: *@b` },
    { title: "lists escape HTML",          entry: { uris: { values: ["x", "y"] } },          parts: names(uri("a:?b&c")),           want: `spec.allowed.uris.values: Invalid value: ["a:?b\\u0026c"]: x, y` },
    { title: "a CA",                       entry: null,                                      parts: {}, spec: { isCA: true },       want: "spec.allowed.isCA: Invalid value: true: nil" },
    { title: "no CA",                      entry: { isCA: false },                           parts: {}, spec: { isCA: true },       want: "spec.allowed.isCA: Invalid value: true: false" },
    { title: "usages",                     entry: { usages: ["server auth"] },               parts: {}, spec: { usages: ["server auth", "any"] }, want: `spec.allowed.usages: Invalid value: ["server auth","any"]: server auth` },
    { title: "usages unset",               entry: {},                                        parts: {}, spec: { usages: ["any"] },  want: `spec.allowed.usages: Invalid value: ["any"]: nil` },
    { title: "kinds never allowed",        entry: {},                                        parts: names(der(0xa3), der(0xa3), der(0x88, [42])), want: `[spec.allowed.subjectAltName.x400Address: Invalid value: "x400Address": x400Address SAN entries are not permitted, spec.allowed.subjectAltName.registeredID: Invalid value: "registeredID": registeredID SAN entries are not permitted]` },
    { title: "other names by identifier",  entry: { otherNames: [{ oid: "1.2.3", values: ["*@t"] }, { oid: "1.2.9", required: true, values: ["*"] }] }, parts: names(otherName("1.2.3", der(12, "a@t")), otherName("1.2.4", der(12, "z"))), want: `[spec.allowed.otherNames[1.2.4]: Invalid value: ["z"]: no allowed values, spec.allowed.otherNames[1.2.9].required: Required value: true]` },
    { title: "organizations",              entry: { subject: { organizations: { values: ["a"] } } }, parts: { subject: name(["2.5.4.10", "a"], ["2.5.4.10", "b"]) }, want: `spec.allowed.subject.organizations.values: Invalid value: ["a","b"]: a` },
    { title: "an organization of no text", entry: { subject: { organizations: { values: ["*"] } } }, parts: { subject: name(["2.5.4.10", der(2, [1])]) }, want: `spec.allowed.subject.organizations: Invalid value: "<non-string value>": subject attribute uses an unsupported ASN.1 type or string encoding; re-issue the certificate with a UTF8String or PrintableString subject` },
    { title: "unnamed attributes",         entry: { subject: { otherAttributes: [{ oid: "1.2.840.113549.1.9.1", values: ["*@t"] }] } }, parts: { subject: name(["1.2.840.113549.1.9.1", "a@t"], ["0.9.2342.19200300.100.1.25", "d"]) }, want: `spec.allowed.subject.otherAttributes[0.9.2342.19200300.100.1.25]: Invalid value: ["d"]: no allowed values` },
    { title: "required but of no text",    entry: { subject: { otherAttributes: [{ oid: "1.2.3", required: true, values: ["*"] }] } }, parts: { subject: name(["1.2.3", der(2, [1])]) }, want: `spec.allowed.subject.otherAttributes[1.2.3]: Invalid value: "<non-string value>": subject attribute uses an unsupported ASN.1 type or string encoding; re-issue the certificate with a UTF8String or PrintableString subject` },
    { title: "names that cannot be read",  entry: {},                                        parts: { ...names(der(0x89)), subject: name(["2.5.4.3", "x"]) }, want: "subjectAltName (SAN) extension could not be decoded: asn1: structure error: bad SAN choice" },
    { title: "a request that cannot be read", entry: {},                                     parts: names(ip(1)),                   want: "error: x509: cannot parse IP address of length 1" },
  ];
  test.each(cases)("$title", ({ entry, parts, spec, want }) => expect(allowed(entry, parts, spec)).toBe(want));
});

describe("rules", () => {
  // biome-ignore format: one case per line
  const cases = [
    { rule: "self == 'a' && cr.namespace == 'team-a' && cr.name == 'r' && 'g' in cr.groups",      holds: true },
    { rule: "has(cr.username) && !has(cr.groups)",                                                holds: false },
    { rule: "isServiceAccount(cr.username) && serviceAccount(cr.username).getNamespace() == cr.namespace", holds: true },
    { rule: "serviceAccount(cr.username) == serviceAccount('system:serviceaccount:team-a:default')", holds: true },
    { rule: "serviceAccount(cr.username).getName() == 'default'",                                 holds: true },
    { rule: "isServiceAccount('system:serviceaccount:A:b') || isServiceAccount('kate')",          holds: false },
    { rule: "cr == cm.io.policy.pkg.internal.approver.validation.CertificateRequest{name: 'r'}",  holds: false },
    { rule: "self.lowerAscii().format([]) == 'a'",                                                holds: true },
  ];
  test.each(cases)("$rule", ({ rule, holds }) => {
    const text = allowed({ commonName: { validations: [{ rule }] } }, cn("a"));
    expect(text).toBe(holds ? "" : `spec.allowed.commonName.validations[0]: Invalid value: "a": failed rule: ${rule}`);
  });
});

describe("constraints", () => {
  const key = rsaKey(2048);
  // biome-ignore format: one case per line
  const cases: { constraints: Constraints | null; parts?: CsrParts; duration?: string; want: string }[] = [
    { constraints: null,                                                       want: "" },
    { constraints: { maxDuration: "24h" },                                     want: `spec.constraints.maxDuration: Invalid value: "nil": 24h0m0s` },
    { constraints: { maxDuration: "24h", minDuration: "1h" }, duration: "24h", want: "" },
    { constraints: { maxDuration: "24h" }, duration: "1440m1s",                want: `spec.constraints.maxDuration: Invalid value: "24h0m1s": 24h0m0s` },
    { constraints: { minDuration: "1.5s" }, duration: "2us",                   want: `spec.constraints.minDuration: Invalid value: "2µs": 1.5s` },
    { constraints: { privateKey: { algorithm: "ECDSA" } }, parts: { key },     want: `spec.constraints.privateKey.algorithm: Invalid value: "RSA": ECDSA` },
    { constraints: { privateKey: { maxSize: 1024, minSize: 4096 } }, parts: { key }, want: `[spec.constraints.privateKey.maxSize: Invalid value: "2048": 1024, spec.constraints.privateKey.minSize: Invalid value: "2048": 4096]` },
    { constraints: { privateKey: { minSize: 0 } }, parts: { key: ED25519 },    want: `spec.constraints.privateKey.minSize: Invalid value: "-1": 0` },
    { constraints: { privateKey: { minSize: 2048 } },                          want: `spec.constraints.privateKey.minSize: Invalid value: "256": 2048` },
    { constraints: { privateKey: {} }, parts: names(ip(1)),                    want: "error: x509: cannot parse IP address of length 1" },
    { constraints: {}, parts: names(ip(1)),                                    want: "" },
  ];
  test.each(cases)("$constraints $duration", ({ constraints, parts = {}, duration, want }) => {
    const spec = { request: specRequest(parts), ...(duration === undefined ? {} : { duration }) };
    const answer = evaluateConstraints({ spec: { constraints } }, { spec });
    expect(answer.result === "Error" ? `error: ${answer.error}` : answer.message).toBe(want);
  });
});
