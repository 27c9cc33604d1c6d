// What a server has from the first moment: the namespaces everybody expects, and the service that stands for the server itself.

import { bootstrapRoles } from "./authz/bootstrap-roles.ts";
import type { LocalClient } from "./client/local-client.ts";
import { ask } from "./controllers/controller.ts";

const NAMESPACES = ["default", "kube-system", "kube-public", "kube-node-lease"];
const EXISTS = [409];

export interface BootstrapOptions {
  /** Where clients reach the server, for the endpoints of the service `kubernetes`. */
  readonly address: { readonly host: string; readonly port: number } | undefined;
}

export async function bootstrap(client: LocalClient, { address }: BootstrapOptions): Promise<void> {
  for (const name of NAMESPACES) {
    await ensure(client, "/api/v1/namespaces", name, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  await ensure(client, "/api/v1/namespaces/default/services", "kubernetes", kubernetesService());
  for (const role of bootstrapRoles()) {
    const plural = role.kind === "ClusterRole" ? "clusterroles" : "clusterrolebindings";
    await ensure(client, `/apis/rbac.authorization.k8s.io/v1/${plural}`, role.metadata?.name ?? "", role);
  }
  if (address !== undefined) await publishEndpoints(client, address);
}

/** Another server may be faster. */
async function ensure(client: LocalClient, collection: string, name: string, body: unknown): Promise<void> {
  const { code } = await client.call("GET", `${collection}/${name}`);
  if (code === 404) await ask(client, "POST", collection, body, EXISTS);
}

function kubernetesService(): unknown {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      type: "ClusterIP",
      clusterIP: "10.0.0.1",
      clusterIPs: ["10.0.0.1"],
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
      sessionAffinity: "None",
    },
  };
}

async function publishEndpoints(client: LocalClient, { host, port }: { host: string; port: number }): Promise<void> {
  const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
  const slice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "kubernetes", namespace: "default", labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: host.includes(":") ? "IPv6" : "IPv4",
    endpoints: [{ addresses: [host], conditions: { ready: true } }],
    ports: [{ name: "https", port, protocol: "TCP" }],
  };
  const { code } = await client.call("GET", path);
  if (code === 404) await ask(client, "POST", path.slice(0, path.lastIndexOf("/")), slice, [...EXISTS, 422]);
  else await ask(client, "PUT", path, slice, [409, 422]);
}
