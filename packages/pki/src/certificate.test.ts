import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { issueCertificate, keyPem } from "./certificate.ts";

const subject = { commonName: "test-ca" };

test("a server's certificate, signed by an authority", () => {
  const authority = issueCertificate({ subject, days: 10, usage: "authority" });
  const names = ["localhost", "127.0.0.1", "::1", "fd00::1:2"];
  const server = issueCertificate({
    subject: { commonName: "s" },
    days: 5,
    usage: "server",
    names,
    issuer: { subject, key: authority.key },
  });
  const [ca, leaf] = [new X509Certificate(authority.certificate), new X509Certificate(server.certificate)];
  expect(ca.ca).toBe(true);
  expect(leaf.ca).toBe(false);
  expect(leaf.verify(ca.publicKey)).toBe(true);
  expect(leaf.checkIssued(ca)).toBe(true);
  expect(names.map((name) => leaf.checkHost(name) ?? leaf.checkIP(name))).toEqual(names);
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(leaf.checkPrivateKey(createPrivateKey(keyPem(server.key)))).toBe(true);
});

test("names that look like addresses and are none are names", () => {
  const names = ["1.2.3", "a::b::c", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "x::1", "::1.2.3.4", ":1"];
  const addresses = ["::", "1::", "1:2:3:4:5:6:7:8", "FD00::A:b"];
  const { certificate } = issueCertificate({ subject, days: 1, usage: "server", names: [...names, ...addresses] });
  const shown = new X509Certificate(certificate).subjectAltName?.split(", ");
  expect(shown).toEqual([
    ...names.map((name) => `DNS:${name}`),
    "IP Address:0:0:0:0:0:0:0:0",
    "IP Address:1:0:0:0:0:0:0:0",
    "IP Address:1:2:3:4:5:6:7:8",
    "IP Address:FD00:0:0:0:0:0:A:B",
  ]);
});

test("a client's certificate says who it is for; the clock may be given", () => {
  const now = Date.UTC(2030, 0, 1);
  const { certificate } = issueCertificate({
    subject: { commonName: "ann", organizations: ["dev", "ops"] },
    days: 1,
    usage: "client",
    now,
  });
  const leaf = new X509Certificate(certificate);
  expect(leaf.subject).toBe("O=dev\nO=ops\nCN=ann");
  expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
  expect([leaf.validFrom, leaf.validTo]).toEqual(["Dec 31 23:00:00 2029 GMT", "Jan  2 00:00:00 2030 GMT"]);
});
