import { Invalid } from "@celadon/kube/errors";
import { expect, test } from "vitest";
import { csrOf } from "../evaluate/request.ts";
import { parseLiteralSubject } from "./literal-subject.ts";
import { requestOfCertificate } from "./request-of.ts";

const requestOf = (spec: Readonly<Record<string, unknown>>) =>
  requestOfCertificate({
    apiVersion: "cert-manager.io/v1",
    kind: "Certificate",
    metadata: { name: "web", namespace: "shop" },
    spec,
  });

function csr(spec: Readonly<Record<string, unknown>>) {
  const request = requestOf(spec);
  if (request instanceof Invalid) throw new Error(request.message);
  const decoded = csrOf(request);
  if (decoded instanceof Invalid) throw new Error(decoded.message);
  return decoded;
}

test("what a policy looks at comes out as it was asked for", () => {
  const decoded = csr({
    commonName: "web.shop",
    subject: { organizations: ["Acme"], countries: ["DE"], serialNumber: "7" },
    dnsNames: ["web.shop.svc", "*.shop"],
    ipAddresses: ["10.0.0.1", "fd00::1"],
    uris: ["spiffe://x/ns/shop"],
    emailAddresses: ["a@b.c"],
    usages: ["server auth", "client auth", "digital signature"],
  });
  expect(decoded.subject.map(({ oid, value }) => `${oid}=${value}`)).toEqual([
    "2.5.4.6=DE",
    "2.5.4.10=Acme",
    "2.5.4.3=web.shop",
    "2.5.4.5=7",
  ]);
  expect(decoded.names).toMatchObject({
    dnsNames: ["web.shop.svc", "*.shop"],
    ipAddresses: ["10.0.0.1", "fd00::1"],
    uris: ["spiffe://x/ns/shop"],
    emailAddresses: ["a@b.c"],
  });
});

// biome-ignore format: one case per line
test.each([
  [{},                                                  "RSA", 2048],
  [{ privateKey: { algorithm: "RSA", size: 4096 } },    "RSA", 4096],
  [{ privateKey: { algorithm: "ECDSA" } },              "ECDSA", 256],
  [{ privateKey: { algorithm: "ECDSA", size: 384 } },   "ECDSA", 384],
  [{ privateKey: { algorithm: "ECDSA", size: 521 } },   "ECDSA", 521],
  [{ privateKey: { algorithm: "Ed25519" } },            "Ed25519", undefined],
])("%j", (spec, algorithm, size) => {
  const { publicKey } = csr({ commonName: "x", ...spec });
  expect(publicKey).toMatchObject({ algorithm, ...(size !== undefined && { size }) });
});

// biome-ignore format: one case per line
test.each([
  [{ privateKey: { algorithm: "RSA", size: 512 } },     "spec.privateKey.size 512 is not between 2048 and 8192 bits"],
  [{ privateKey: { algorithm: "ECDSA", size: 300 } },   "spec.privateKey.size 300 is not 256, 384 or 521"],
  [{ privateKey: { algorithm: "DSA" } },                'spec.privateKey.algorithm "DSA" is not RSA, ECDSA or Ed25519'],
  [{ ipAddresses: ["x"] },                              'spec.ipAddresses: "x" is no IP address'],
  [{ literalSubject: "CN" },                            'literalSubject: "CN" has no "="'],
  [{ literalSubject: "XX=1" },                          'literalSubject: unknown attribute type "XX"'],
])("%j is refused", (spec, message) => expect(requestOf(spec)).toMatchObject({ message }));

// biome-ignore format: one case per line
test.each([
  ["CN=a,OU=b,O=c",             [[["2.5.4.10", "c"]], [["2.5.4.11", "b"]], [["2.5.4.3", "a"]]]],
  ["CN=a+UID=b, O=c",           [[["2.5.4.10", "c"]], [["2.5.4.3", "a"], ["0.9.2342.19200300.100.1.1", "b"]]]],
  ["CN=a\\,b\\+c,1.2.3=d",      [[["1.2.3", "d"]], [["2.5.4.3", "a,b+c"]]]],
  ["CN=Gr\\C3\\BC\\C3\\9Fe",    [[["2.5.4.3", "Grüße"]]]],
  ['CN="a"',                    [[["2.5.4.3", "a"]]]],
])("%s", (text, want) => expect(parseLiteralSubject(text)).toEqual(want));

test("the request is the controller's, with what the Certificate asks of its issuer", () => {
  const request = requestOf({
    dnsNames: ["a"],
    issuerRef: { name: "ca" },
    duration: "24h",
    isCA: true,
    usages: ["signing"],
  });
  expect(request).toMatchObject({
    kind: "CertificateRequest",
    metadata: { name: "web-1", namespace: "shop" },
    spec: {
      issuerRef: { name: "ca" },
      duration: "24h",
      isCA: true,
      usages: ["signing"],
      username: "system:serviceaccount:cert-manager:cert-manager",
    },
  });
});
