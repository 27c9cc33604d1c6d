import { mkdirSync, writeFileSync } from "node:fs";
import { openMemory } from "@celadon/storage/memory";
import { staticTokens } from "./dist/authn/static-tokens.js";
import { listen } from "./dist/http/listener.js";
import { createPki } from "./dist/pki/authority.js";
import { ApiServer } from "./dist/server.js";

const store = await openMemory();
const server = new ApiServer({
  store,
  tokens: [staticTokens(new Map([["t", { username: "admin", groups: ["system:masters"] }]]))],
});
await server.start();
const pki = createPki([]);
const l = await listen(server, {
  host: "127.0.0.1",
  port: Number(process.env.PORT ?? 18080),
  tls: { certificate: pki.serverCertificate, key: pki.serverKey, clientCa: pki.caCertificate },
});
const b = (t) => Buffer.from(t).toString("base64");
mkdirSync("/tmp/try", { recursive: true });
writeFileSync(
  "/tmp/try/kubeconfig",
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: l.url, "certificate-authority-data": b(pki.caCertificate) } }],
    users: [
      { name: "u", user: { "client-certificate-data": b(pki.adminCertificate), "client-key-data": b(pki.adminKey) } },
    ],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  }),
);
writeFileSync("/tmp/try/ca.crt", pki.caCertificate);
console.log(l.url, process.pid);
