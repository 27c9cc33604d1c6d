// The kinds that have a template for pods, and where it is in them. Kinds with the same place share a derived policy.

/** Kinds policies can be derived for. */
export const WORKLOAD_KINDS = [
  "Deployment",
  "StatefulSet",
  "DaemonSet",
  "ReplicaSet",
  "Job",
  "ReplicationController",
  "CronJob",
  "PodTemplate",
] as const;

/** A kind of object that holds a template of pods. */
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

/** Workloads that create pods. A PodTemplate only stores a template, and must be requested by name. */
export const DEFAULT_KINDS: readonly WorkloadKind[] = WORKLOAD_KINDS.filter((kind) => kind !== "PodTemplate");

export interface WorkloadResource {
  readonly kind: WorkloadKind;
  readonly group: string;
  readonly resource: string;
}

/** Kinds that have the template at the same place. */
export interface Workloads {
  /** Part of the derived names. */
  readonly name: string;
  /** The fields that lead to the template. */
  readonly template: readonly string[];
  readonly resources: readonly WorkloadResource[];
}

// biome-ignore format: one kind per line
const PLACES: readonly Workloads[] = [
  {
    name: "workloads", template: ["spec", "template"],
    resources: [
      { kind: "Deployment",            group: "apps",  resource: "deployments" },
      { kind: "StatefulSet",           group: "apps",  resource: "statefulsets" },
      { kind: "DaemonSet",             group: "apps",  resource: "daemonsets" },
      { kind: "ReplicaSet",            group: "apps",  resource: "replicasets" },
      { kind: "Job",                   group: "batch", resource: "jobs" },
      { kind: "ReplicationController", group: "",      resource: "replicationcontrollers" },
    ],
  },
  {
    name: "cronjobs", template: ["spec", "jobTemplate", "spec", "template"],
    resources: [{ kind: "CronJob",     group: "batch", resource: "cronjobs" }],
  },
  {
    name: "podtemplates", template: ["template"],
    resources: [{ kind: "PodTemplate", group: "",      resource: "podtemplates" }],
  },
];

/** The places of the wanted kinds, each with only those kinds. */
export function workloadsOf(kinds: readonly WorkloadKind[]): Workloads[] {
  return PLACES.map((place) => ({
    ...place,
    resources: place.resources.filter(({ kind }) => kinds.includes(kind)),
  })).filter(({ resources }) => resources.length > 0);
}
