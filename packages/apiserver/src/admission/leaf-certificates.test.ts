// Go trusts each certificate of a bundle for itself; suites that make their own webhook servers rely on it.

import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate, type KeyPair, keyPem } from "@celadon/pki";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";

const authority = issueCertificate({ subject: { commonName: "tiny-ca" }, days: 2, usage: "authority" });
const served = serverCertificate(authority, ["127.0.0.1", "localhost"]);
const other = serverCertificate(authority, ["127.0.0.1", "localhost"]);
const stranger = issueCertificate({ subject: { commonName: "tiny-ca" }, days: 2, usage: "authority" });

function serverCertificate({ key }: KeyPair, names: readonly string[]): KeyPair {
  const issuer = { subject: { commonName: "tiny-ca" }, key };
  return issueCertificate({ subject: { commonName: "localhost" }, days: 2, usage: "server", names, issuer });
}

const asked: string[] = [];
const hook = createServer({ key: keyPem(served.key), cert: served.certificate }, (request, response) => {
  asked.push(request.url ?? "");
  let text = "";
  request.on("data", (chunk: Buffer) => (text += chunk.toString()));
  request.on("end", () => {
    const { uid } = JSON.parse(text).request;
    const answer = { uid, allowed: false, status: { message: "Always denied" } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: answer }));
  });
});

let port = 0;

beforeAll(async () => {
  await new Promise<void>((done) => hook.listen(0, "127.0.0.1", () => done()));
  port = (hook.address() as AddressInfo).port;
});

afterAll(() => hook.close());

const WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

const configuration = (bundle: string): object => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "hook" },
  webhooks: [
    {
      name: "hook.example.com",
      clientConfig: {
        url: `https://127.0.0.1:${port}//deny/`,
        caBundle: Buffer.from(bundle).toString("base64"),
      },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
    },
  ],
});

/** The messages for one object under each bundle. */
async function answersUnder(bundles: readonly string[]): Promise<readonly unknown[]> {
  const { admin, server } = await testServer();
  const answers: unknown[] = [];
  for (const [index, bundle] of bundles.entries()) {
    await admin.call("POST", WEBHOOKS, { body: configuration(bundle) });
    const { json } = await admin.call("POST", CONFIG_MAPS, { body: configMap(`a${index}`) });
    answers.push(json().message);
    await admin.call("DELETE", `${WEBHOOKS}/hook`);
  }
  await server.close();
  return answers;
}

const failed = (why: string): string =>
  `Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: Post "https://127.0.0.1:${port}/deny?timeout=10s": tls: failed to verify certificate: x509: ${why}`;

test("a bundle may hold the authority or the certificate that is served, and nothing else", async () => {
  const bundles = [authority, served, other, stranger].map(({ certificate }) => certificate);
  const denied = 'admission webhook "hook.example.com" denied the request: Always denied';
  const unknown = failed("certificate signed by unknown authority");
  expect(await answersUnder(bundles)).toEqual([denied, denied, unknown, unknown]);
  expect(asked).toEqual(["/deny?timeout=10s", "/deny?timeout=10s"]);
});

test.each([
  [["10.0.0.1", "localhost"], "certificate is valid for 10.0.0.1, not 127.0.0.1"],
  [["localhost"], "cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"],
])("a certificate for %s has other names than the host", async (names, why) => {
  const { key, certificate } = serverCertificate(authority, names);
  hook.setSecureContext({ key: keyPem(key), cert: certificate });
  expect(await answersUnder([authority.certificate])).toEqual([failed(why)]);
});
