// The pod of a program: restricted profile, a read-only root, probes, bounded memory, spread over nodes.

import type { KubeObject } from "@celadon/kube";
import { labelsOf, type ManifestSettings, selectorOf } from "./settings.ts";

export interface PodPorts {
  /** The port and scheme of probes. */
  readonly probes: { readonly port: string; readonly scheme: "HTTPS" | "HTTP" };
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
}

export function podSpec(
  settings: ManifestSettings,
  verb: string,
  args: readonly string[],
  ports?: PodPorts,
): Readonly<Record<string, unknown>> {
  const { name, image, cpu, memory } = settings;
  return {
    serviceAccountName: name,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      runAsGroup: 65532,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: verb,
        image,
        args: [verb, ...args, ...settings.args],
        ...(ports && {
          ports: ports.ports,
          livenessProbe: probe("/healthz", ports, { periodSeconds: 10, failureThreshold: 6 }),
          readinessProbe: probe("/readyz", ports, { periodSeconds: 2, failureThreshold: 1 }),
          // 10,000 policies take a few seconds.
          startupProbe: probe("/readyz", ports, { periodSeconds: 1, failureThreshold: 120 }),
        }),
        resources: { requests: { cpu, memory }, limits: { memory } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        },
      },
    ],
  };
}

function probe(path: string, { probes }: PodPorts, times: object): object {
  return { httpGet: { path, port: probes.port, scheme: probes.scheme }, timeoutSeconds: 2, ...times };
}

/** Rolled out one by one, so that others answer meanwhile. */
export function deployment(
  settings: ManifestSettings,
  verb: string,
  args: readonly string[],
  ports: PodPorts,
): readonly KubeObject[] {
  const { name, namespace, replicas } = settings;
  const labels = labelsOf(settings, verb);
  const matchLabels = selectorOf(settings);
  const workload: KubeObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: { labels },
        spec: {
          ...podSpec(settings, verb, args, ports),
          // Longer than it serves on after a signal to stop.
          terminationGracePeriodSeconds: 40,
          topologySpreadConstraints: ["kubernetes.io/hostname", "topology.kubernetes.io/zone"].map((topologyKey) => ({
            maxSkew: 1,
            topologyKey,
            whenUnsatisfiable: "ScheduleAnyway",
            labelSelector: { matchLabels },
          })),
        },
      },
    },
  };
  const budget: KubeObject = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name, namespace, labels },
    spec: { minAvailable: 1, selector: { matchLabels } },
  };
  // A budget of one pod for one pod would keep its node from being drained.
  return replicas > 1 ? [workload, budget] : [workload];
}

export function service(
  settings: ManifestSettings,
  component: string,
  ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[],
): KubeObject {
  const { name, namespace } = settings;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace, labels: labelsOf(settings, component) },
    spec: { selector: selectorOf(settings), ports },
  };
}

/** Lets clients reach the pods only through one port, and from the addresses of the API servers if those are known. */
export function ingressPolicy(
  settings: ManifestSettings,
  component: string,
  port: number,
  sources: readonly string[],
): KubeObject {
  const { name, namespace } = settings;
  const from = sources.map((cidr) => ({ ipBlock: { cidr } }));
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name, namespace, labels: labelsOf(settings, component) },
    spec: {
      podSelector: { matchLabels: selectorOf(settings) },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port, protocol: "TCP" }], ...(from.length > 0 && { from }) }],
    },
  };
}
