// The endpoints of the service `kubernetes`, at which clients reach the server.

import type { LocalClient } from "../client/local-client.ts";
import { callServer } from "../controllers/controller.ts";
import { isLoopback } from "../http/addresses.ts";

/** Does nothing for a loopback address: others could not use it, and validation rejects it as an endpoint. */
export async function publishEndpoints(client: LocalClient, host: string, port: number): Promise<void> {
  if (isLoopback(host)) return;
  const metadata = { name: "kubernetes", namespace: "default" };
  const ports = [{ name: "https", port, protocol: "TCP" }];
  await replace(client, "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: host.includes(":") ? "IPv6" : "IPv4",
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports,
  });
  await replace(client, "/api/v1/namespaces/default/endpoints", {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: { ...metadata, labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } },
    subsets: [{ addresses: [{ ip: host }], ports }],
  });
}

/** Another server was faster, or the address is not valid for endpoints. */
const UNUSABLE = [409, 422];

async function replace(client: LocalClient, collection: string, object: object): Promise<void> {
  const path = `${collection}/kubernetes`;
  const { code } = await client.call("GET", path);
  if (code === 404) await callServer(client, "POST", collection, object, UNUSABLE);
  else await callServer(client, "PUT", path, object, UNUSABLE);
}
