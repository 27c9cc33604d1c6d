// The first objects of a server: the namespaces everybody expects, the service that stands for the server itself, priorities, and the roles
// people rely on, and how its seats are shared.

import type { Minor } from "@celadon/kube/versions";
import { timestamp } from "@celadon/write";
import { bootstrapRoles } from "../authz/bootstrap-roles.ts";
import type { LocalClient } from "../client/local-client.ts";
import { callServer } from "../controllers/controller.ts";
import { ensure, ensureRole } from "../controllers/ensure.ts";
import { flowCollection, mandatoryFlows } from "../flow/mandatory-flows.ts";
import { suggestedFlows } from "../flow/suggested-flows.ts";
import { addressIn } from "../store/service-addresses.ts";

/** The default address range of services. */
export const SERVICE_RANGE = "10.0.0.0/16";
export const NAMESPACES: readonly string[] = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** A server emulates a minor; without one, the newest. */
export async function bootstrap(
  client: LocalClient,
  serviceRange: string = SERVICE_RANGE,
  minor?: Minor,
): Promise<void> {
  for (const name of NAMESPACES) {
    await ensure(client, "/api/v1/namespaces", name, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  await ensure(
    client,
    "/api/v1/namespaces/default/services",
    "kubernetes",
    kubernetesService(addressIn(serviceRange, 1)),
  );
  await ensureServiceRange(client, serviceRange);
  for (const priority of systemPriorities()) {
    await ensure(client, "/apis/scheduling.k8s.io/v1/priorityclasses", priority.metadata.name, priority);
  }
  for (const object of [...mandatoryFlows(), ...suggestedFlows(minor)]) {
    await ensure(client, flowCollection(object), object.metadata?.name ?? "", object);
  }
  for (const role of bootstrapRoles(minor)) {
    const plural = role.kind === "ClusterRole" ? "clusterroles" : "clusterrolebindings";
    const collection = `/apis/rbac.authorization.k8s.io/v1/${plural}`;
    await ensureRole(client, collection, role);
  }
}

/** The range of the addresses of services, as an object that clients can read. */
async function ensureServiceRange(client: LocalClient, range: string): Promise<void> {
  const collection = "/apis/networking.k8s.io/v1/servicecidrs";
  // Older versions do not serve it.
  if ((await client.call("GET", collection)).code === 404) return;
  const body = { metadata: { name: "kubernetes" }, spec: { cidrs: [range] } };
  if ((await ensure(client, collection, "kubernetes", body)) !== undefined) return;
  const ready = {
    type: "Ready",
    status: "True",
    lastTransitionTime: timestamp(Date.now()),
    reason: "",
    message: "Kubernetes default Service CIDR is ready",
  };
  await callServer(client, "PATCH", `${collection}/kubernetes/status`, { status: { conditions: [ready] } }, [404, 409]);
}

/** Priority classes of system pods; they cannot be changed. */
function systemPriorities(): readonly { readonly metadata: { readonly name: string } }[] {
  const priority = (name: string, value: number, description: string) => ({
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name },
    value,
    description,
  });
  return [
    priority(
      "system-node-critical",
      2_000_001_000,
      "Used for system critical pods that must not be moved from their current node.",
    ),
    priority(
      "system-cluster-critical",
      2_000_000_000,
      "Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.",
    ),
  ];
}

function kubernetesService(address: string): unknown {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
    spec: {
      type: "ClusterIP",
      clusterIP: address,
      clusterIPs: [address],
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
      sessionAffinity: "None",
    },
  };
}
