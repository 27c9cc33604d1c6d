import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createPki } from "../pki/authority.ts";
import { CONFIG_MAPS, configMap, testServer } from "../server.testing.ts";

test("a webhook behind a service is called at one of its ready endpoints", async () => {
  const { admin, server } = await testServer();
  const pki = createPki(["hook.default.svc"]);
  const asked: string[] = [];
  const hook = createServer({ key: pki.serverKey, cert: pki.serverCertificate }, (request, response) => {
    asked.push(request.url ?? "");
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      const { uid } = JSON.parse(text).request;
      const answer = { uid, allowed: false, status: { message: "not today" } };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: answer }));
    });
  });
  await new Promise<void>((done) => hook.listen(0, "127.0.0.1", () => done()));
  const { port } = hook.address() as AddressInfo;
  const create = async () => {
    const { code, json } = await admin.call("POST", CONFIG_MAPS, { body: configMap("a") });
    return [code, json().message];
  };
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "hook" },
    webhooks: [
      {
        name: "hook.example.com",
        clientConfig: {
          service: { namespace: "default", name: "hook", port: 8443, path: "/review" },
          caBundle: Buffer.from(pki.caCertificate).toString("base64"),
        },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
      },
    ],
  };
  const path = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  await admin.call("POST", path, { body: configuration });
  const failed = (why: string) =>
    `Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: Post "https://hook.default.svc:8443/review?timeout=10s": ${why}`;
  expect(await create()).toEqual([500, failed('service "hook" not found')]);

  const service = (ports: readonly object[]) => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "hook" },
    spec: { ports },
  });
  const services = "/api/v1/namespaces/default/services";
  await admin.call("POST", services, { body: service([{ name: "web", port: 8443, targetPort: port }]) });
  expect(await create()).toEqual([500, failed('no endpoints available for service "hook"')]);

  const slice = (ready: boolean, address: string) => ({
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { generateName: "hook-", labels: { "kubernetes.io/service-name": "hook" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [address], conditions: { ready } }],
    ports: [{ name: "web", port }],
  });
  const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  await admin.call("POST", slices, { body: slice(false, "192.0.2.1") });
  expect((await create())[1]).toContain("no endpoints available");
  // Endpoints at loopback addresses are refused over the API; the resolver reads the stored slice.
  const made = await admin.call("POST", slices, { body: slice(true, "192.0.2.2") });
  const { name } = made.json().metadata;
  const cache = server.objects.cache(server.kinds.resource("discovery.k8s.io", "v1", "endpointslices")!.storage);
  const stored = cache.get(`${cache.storage.prefix}default/${name}`)!;
  const text = stored.json
    .toString()
    .replace("192.0.2.2", "127.0.0.1")
    .replace(/"resourceVersion":"\d+",/, "");
  await server.objects.put(cache, stored.key, Buffer.from(text), stored.revision);
  expect(await create()).toEqual([400, 'admission webhook "hook.example.com" denied the request: not today']);
  expect(asked).toEqual(["/review?timeout=10s"]);
  hook.close();
  await server.close();
});
