// A webhook that hangs, lies, or sends too much. The server must respond with a Status within the webhook's timeout, in bounded memory, and ignore the
// webhook where its failure policy says so.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { issueCertificate, keyPem } from "@celadon/pki";
import type { Client } from "../server/client.ts";

type Lie = (response: ServerResponse, uid: string, request: IncomingMessage) => void;

const MEGABYTE = "x".repeat(1024 * 1024);
const patchOf = (operations: readonly object[]): object => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});
const review = (response: object): string =>
  JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response });
const json =
  (answer: (uid: string) => object): Lie =>
  (response, uid) => {
    response.setHeader("content-type", "application/json");
    response.end(review({ uid, ...answer(uid) }));
  };

/** Each answers a review with something that must not be accepted. */
const LIES: Readonly<Record<string, Lie>> = {
  hangs: () => {},
  "hangs-after-head": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.flushHeaders();
  },
  "drips-bytes": (response) => {
    const timer = setInterval(() => response.write(" "), 100);
    response.on("close", () => clearInterval(timer));
  },
  "sends-100-mb": (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    let left = 100;
    const more = (): void => {
      while (left-- > 0) if (!response.write(MEGABYTE)) return void response.once("drain", more);
      response.end();
    };
    more();
  },
  "says-100-mb": (response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": 100 * 1024 * 1024 });
    response.write("{");
  },
  "cuts-off": (response) => response.destroy(),
  "cuts-off-in-the-middle": (response, uid) => {
    const text = review({ uid, allowed: true });
    response.writeHead(200, { "content-type": "application/json", "content-length": text.length });
    response.write(text.slice(0, 20), () => response.destroy());
  },
  "wrong-uid": json(() => ({ uid: "another", allowed: true })),
  "no-uid": json(() => ({ uid: undefined, allowed: true })),
  "bad-json": (response) => response.end('{"apiVersion": "admission.k8s.io/v1", "kind": '),
  "no-json": (response) => response.end("<html>allowed</html>"),
  "deep-json": (response) => response.end(`${"[".repeat(200_000)}${"]".repeat(200_000)}`),
  "another-kind": (response, uid) =>
    response.end(JSON.stringify({ apiVersion: "v1", kind: "Pod", response: { uid, allowed: true } })),
  "no-response": (response) =>
    response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" })),
  "code-500": (response) => {
    response.writeHead(500);
    response.end("no");
  },
  redirects: (response) => {
    response.writeHead(302, { location: "https://127.0.0.1:1/" });
    response.end();
  },
  "patch-of-nonsense": json(() => ({ allowed: true, patchType: "JSONPatch", patch: "bm8=" })),
  "patch-of-another-type": json(() => ({ ...patchOf([{ op: "add", path: "/data/a", value: "" }]), patchType: "Full" })),
  "patch-of-the-namespace": json(() => patchOf([{ op: "replace", path: "/metadata/namespace", value: "another" }])),
  "patch-that-is-huge": json(() =>
    patchOf([{ op: "add", path: "/data/huge", value: Buffer.from(MEGABYTE.repeat(2)).toString("base64") }]),
  ),
  // Each copy doubles the object.
  "patch-that-doubles": json(() =>
    patchOf([
      { op: "add", path: "/x", value: "x".repeat(1000) },
      ...Array.from({ length: 40 }, (_, i) => [
        { op: "add", path: `/y${i}`, value: {} },
        ...["a", "b"].map((key) => ({ op: "copy", from: i === 0 ? "/x" : `/y${i - 1}`, path: `/y${i}/${key}` })),
      ]).flat(),
    ]),
  ),
  "patch-of-a-million-operations": json(() =>
    patchOf(Array.from({ length: 60_000 }, () => ({ op: "test", path: "/a", value: 1 }))),
  ),
};

export const LIE_NAMES: readonly string[] = Object.keys(LIES);

export interface WebhookOutcome {
  readonly requests: number;
  readonly problems: readonly string[];
}

export async function lyingWebhook(client: Client, names: readonly string[] = LIE_NAMES): Promise<WebhookOutcome> {
  const { server, ca, port } = await listen();
  const problems: string[] = [];
  let requests = 0;
  try {
    for (const name of names) {
      for (const failurePolicy of ["Fail", "Ignore"] as const) {
        const configuration = configurationOf(name, failurePolicy, port, ca);
        const path = `/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations`;
        const made = await client.call("POST", path, configuration);
        if (made.code !== 201) throw new Error(`${name}: ${made.body.message}`);
        const metadata = { generateName: "lie-", labels: { lie: name } };
        const secret = { apiVersion: "v1", kind: "Secret", metadata, data: {} };
        const { code, body } = await client.call(
          "POST",
          "/api/v1/namespaces/default/secrets",
          secret,
          undefined,
          60_000,
        );
        requests += 1;
        const isStatus = body?.kind === "Status" && body.code === code && body.message !== "";
        // An invalid object after a patch is rejected under every failure policy.
        const isRight =
          code === 201
            ? failurePolicy === "Ignore"
            : isStatus && (failurePolicy === "Fail" || name.startsWith("patch-"));
        if (!isRight) problems.push(`${name} with ${failurePolicy}: ${code} ${JSON.stringify(body).slice(0, 300)}`);
        await client.call("DELETE", `${path}/${configuration.metadata.name}`);
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return { requests, problems };
}

async function listen(): Promise<{ server: Server; ca: string; port: number }> {
  const subject = { commonName: "liar-ca" };
  const authority = issueCertificate({ subject, days: 1, usage: "authority" });
  const issuer = { subject, key: authority.key };
  const own = issueCertificate({
    subject: { commonName: "liar" },
    days: 1,
    usage: "server",
    names: ["127.0.0.1"],
    issuer,
  });
  const server = createServer({ cert: own.certificate, key: keyPem(own.key) }, (request, response) => {
    const chunks: Buffer[] = [];
    response.on("error", () => {});
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { uid } = JSON.parse(Buffer.concat(chunks).toString()).request;
      LIES[request.url!.slice(1).split("?")[0]!]!(response, uid, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, ca: authority.certificate, port: (server.address() as AddressInfo).port };
}

function configurationOf(name: string, failurePolicy: string, port: number, ca: string) {
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: `liar-${name}` },
    webhooks: [
      {
        name: "liar.example.com",
        clientConfig: { url: `https://127.0.0.1:${port}/${name}`, caBundle: Buffer.from(ca).toString("base64") },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["secrets"] }],
        objectSelector: { matchLabels: { lie: name } },
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        timeoutSeconds: 1,
        failurePolicy,
      },
    ],
  };
}
