import { X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { clientCertificate, createAdmin, createPki } from "./authority.ts";

test("an authority signs a server's and a client's certificate", async () => {
  const pki = createPki(["10.0.0.7", "fd00::12:3", "api.example.com"]);
  const authority = new X509Certificate(pki.caCertificate);
  const server = new X509Certificate(pki.serverCertificate);
  const admin = new X509Certificate((await createAdmin(pki.caKey)).adminCertificate);
  expect(authority.ca).toBe(true);
  for (const certificate of [authority, server, admin]) expect(certificate.verify(authority.publicKey)).toBe(true);
  for (const name of ["localhost", "kubernetes.default.svc", "api.example.com"])
    expect(server.checkHost(name)).toBe(name);
  for (const ip of ["127.0.0.1", "10.0.0.7", "fd00::12:3", "::1"]) expect(server.checkIP(ip)).toBe(ip);
  expect(server.checkIP("10.0.0.8")).toBeUndefined();
  expect(server.checkIssued(authority)).toBe(true);
  expect(admin.subject).toBe("O=system:masters\nCN=celadon-admin");
  expect(server.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(admin.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
});

test("names are text of any kind", () => {
  const { caKey, caCertificate } = createPki([]);
  const client = new X509Certificate(clientCertificate(caKey, "grüße, CN=root", []).certificate);
  expect(client.verify(new X509Certificate(caCertificate).publicKey)).toBe(true);
  expect(client.toLegacyObject().subject).toEqual({ CN: "grüße, CN=root" });
});
