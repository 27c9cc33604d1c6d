// The least of an object that a server takes, of the kinds policies are mostly about. Other kinds begin with their name.

import type { KubeObject } from "@celadon/kube";

const POD = { containers: [{ name: "example", image: "registry.example.com/example:1" }] };
const LABELS = { app: "example" };
const TEMPLATE = { metadata: { labels: LABELS }, spec: POD };
const WORKLOAD = { selector: { matchLabels: LABELS }, template: TEMPLATE };
const JOB = { template: { spec: { ...POD, restartPolicy: "Never" } } };
const RULES = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];

// biome-ignore format: one kind per line
const BODIES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "v1/Pod":                                 { spec: POD },
  "v1/ReplicationController":               { spec: { selector: LABELS, template: TEMPLATE } },
  "v1/Service":                             { spec: { ports: [{ port: 80 }] } },
  "v1/PersistentVolumeClaim":               { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } },
  "apps/v1/Deployment":                     { spec: WORKLOAD },
  "apps/v1/DaemonSet":                      { spec: WORKLOAD },
  "apps/v1/ReplicaSet":                     { spec: WORKLOAD },
  "apps/v1/StatefulSet":                    { spec: { serviceName: "example", ...WORKLOAD } },
  "batch/v1/Job":                           { spec: JOB },
  "batch/v1/CronJob":                       { spec: { schedule: "0 0 * * *", jobTemplate: { spec: JOB } } },
  "networking.k8s.io/v1/Ingress":           { spec: { defaultBackend: { service: { name: "example", port: { number: 80 } } } } },
  "networking.k8s.io/v1/NetworkPolicy":     { spec: { podSelector: {} } },
  "policy/v1/PodDisruptionBudget":          { spec: { minAvailable: 1, selector: { matchLabels: LABELS } } },
  "rbac.authorization.k8s.io/v1/Role":        { rules: RULES },
  "rbac.authorization.k8s.io/v1/ClusterRole": { rules: RULES },
};

export function sampleBody(apiVersion: string, kind: string): Partial<KubeObject> {
  return BODIES[`${apiVersion}/${kind}`] ?? {};
}
