// Kubernetes objects to evaluate against: plain JSON of realistic shape and size, made by a seeded generator, so that every run and every
// engine sees the same documents. Variants differ in the fields that the cases read, so that no answer is a constant.

export interface Metadata {
  name: string;
  namespace: string;
  creationTimestamp: string;
  generation: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}
export interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: { name: string; value: string }[];
  ports?: { containerPort: number; protocol: string }[];
  resources?: { limits?: Record<string, string>; requests?: Record<string, string> };
  securityContext?: { runAsNonRoot?: boolean; allowPrivilegeEscalation?: boolean };
}
export interface PodSpec {
  nodeName: string;
  securityContext?: { runAsNonRoot?: boolean };
  containers: Container[];
  volumes?: { name: string; hostPath?: { path: string }; configMap?: { name: string } }[];
}
export interface Pod {
  apiVersion: "v1";
  kind: "Pod";
  metadata: Metadata;
  spec: PodSpec;
}
export interface Deployment {
  apiVersion: "apps/v1";
  kind: "Deployment";
  metadata: Metadata;
  spec: {
    replicas: number;
    paused?: boolean;
    strategy: { type: string };
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: PodSpec };
  };
}
export interface Params {
  maxReplicas: number;
  cpuPerReplica: number;
  reserve: number;
  quota: number;
  strategies: string[];
  registries: string[];
  notBefore: string;
}

/** Linear congruential generator (Numerical Recipes): integers below `n`. */
export type Random = (n: number) => number;

export function random(seed: number): Random {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

const TEAMS = ["payments", "search", "identity", "billing", "logistics", "media"];
const REGISTRIES = ["registry.example.com/", "mirror.internal:5000/", "ghcr.example.org/"];

export function pod(next: Random, containers: number): Pod {
  const team = pick(next, TEAMS);
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: metadata(next, team),
    spec: podSpec(next, containers, team),
  };
}

export function deployment(next: Random, containers: number): Deployment {
  const team = pick(next, TEAMS);
  const labels = { app: team, tier: pick(next, ["frontend", "backend", "batch"]) };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadata(next, team),
    spec: {
      replicas: 1 + next(20),
      ...(next(3) === 0 && { paused: true }),
      strategy: { type: pick(next, ["RollingUpdate", "Recreate", "OnDelete"]) },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec(next, containers, team) },
    },
  };
}

export function params(next: Random): Params {
  return {
    maxReplicas: 5 + next(10),
    cpuPerReplica: 100 + next(400),
    reserve: 250,
    quota: 2000 + next(3000),
    strategies: ["RollingUpdate", pick(next, ["Recreate", "BlueGreen"])],
    registries: REGISTRIES.slice(0, 2),
    notBefore: time(next),
  };
}

function metadata(next: Random, team: string): Metadata {
  const labels: Record<string, string> = {
    app: team,
    "app.kubernetes.io/name": team,
    "app.kubernetes.io/version": version(next),
    "app.kubernetes.io/managed-by": "helm",
  };
  if (next(2) === 0) labels["example.com/owner"] = `${team}-owners`;
  return {
    name: `${pick(next, ["web", "api", "job"])}-${team}-${next(1000)}-${pick(next, ["prod", "staging", "dev"])}`,
    namespace: `${team}-${pick(next, ["eu", "us"])}`,
    creationTimestamp: time(next),
    generation: 1 + next(50),
    labels,
    ...(next(4) !== 0 && {
      annotations: { team, "example.com/reviewed": pick(next, ["true", "false"]), note: "rolled out by the pipeline" },
    }),
  };
}

function podSpec(next: Random, containers: number, team: string): PodSpec {
  // One document in three lacks something in its last container, so that `all` goes through every element first.
  const complete = next(3) !== 0;
  const list = Array.from({ length: containers }, (_, i) =>
    container(next, `${team}-${i}`, complete || i < containers - 1),
  );
  return {
    nodeName: `node-${next(100)}.eu-west-1.compute.internal`,
    ...(next(2) === 0 && { securityContext: { runAsNonRoot: next(2) === 0 } }),
    containers: list,
    ...(next(4) !== 0 && {
      volumes: [
        { name: "config", configMap: { name: `${team}-config` } },
        next(3) === 0 ? { name: "docker", hostPath: { path: "/var/run/docker.sock" } } : { name: "tmp" },
      ],
    }),
  };
}

function container(next: Random, name: string, complete: boolean): Container {
  const registry = complete ? pick(next, REGISTRIES.slice(0, 2)) : "docker.io/";
  return {
    name,
    image: `${registry}${name.replace("-", "/")}:${complete ? version(next) : "latest"}`,
    args: ["--listen=:8080", `--workers=${1 + next(8)}`],
    env: [
      { name: "LOG_LEVEL", value: pick(next, ["info", "debug"]) },
      { name: "REGION", value: "eu-west-1" },
    ],
    ...(next(3) !== 0 && { ports: [{ containerPort: 8000 + next(100), protocol: "TCP" }] }),
    resources: {
      requests: { cpu: "100m", memory: "128Mi" },
      ...(complete && { limits: { cpu: `${1 + next(4)}`, memory: `${256 * (1 + next(4))}Mi` } }),
    },
    securityContext: { allowPrivilegeEscalation: false, ...(complete && { runAsNonRoot: true }) },
  };
}

function pick<T>(next: Random, from: readonly T[]): T {
  return from[next(from.length)] as T;
}

const version = (next: Random): string => `${1 + next(3)}.${next(20)}.${next(10)}`;

/** Some second of 2025, as the API server writes it. */
const time = (next: Random): string =>
  new Date(Date.UTC(2025, 0, 1) + next(365 * 86_400) * 1000).toISOString().replace(".000Z", "Z");
