// Defaults the API server sets on pods and workloads before policies see them: those that policies read.

import { isObject, type Json, type JsonObject } from "./json.ts";

type Fields = Record<string, Json>;

/** Fills in what is absent. */
function defaulted(object: JsonObject, defaults: JsonObject): Fields {
  return { ...defaults, ...object };
}

export function withPodDefaults(pod: JsonObject): JsonObject {
  return isObject(pod.spec) ? { ...pod, spec: podSpec(pod.spec) } : pod;
}

function podSpec(spec: JsonObject): JsonObject {
  const filled = defaulted(spec, {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
    enableServiceLinks: true,
  });
  for (const field of ["containers", "initContainers", "ephemeralContainers"]) {
    const list = filled[field];
    if (Array.isArray(list)) filled[field] = list.map((one) => (isObject(one) ? container(one) : one));
  }
  if (typeof filled.serviceAccountName === "string") filled.serviceAccount ??= filled.serviceAccountName;
  if (Array.isArray(filled.volumes)) filled.volumes = filled.volumes.map((one) => (isObject(one) ? volume(one) : one));
  return filled;
}

function container(given: JsonObject): JsonObject {
  const filled = defaulted(given, {
    resources: {},
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
    imagePullPolicy: pullPolicy(String(given.image ?? "")),
  });
  if (Array.isArray(filled.ports)) {
    filled.ports = filled.ports.map((port) => (isObject(port) ? defaulted(port, { protocol: "TCP" }) : port));
  }
  if (isObject(filled.resources)) filled.resources = resources(filled.resources);
  for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
    const found = filled[probe];
    if (isObject(found)) filled[probe] = defaulted(found, PROBE);
  }
  return filled;
}

const PROBE = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };

// Limits stand for requests that are not given.
function resources(given: JsonObject): JsonObject {
  if (!isObject(given.limits)) return given;
  return { ...given, requests: { ...given.limits, ...(isObject(given.requests) ? given.requests : {}) } };
}

function pullPolicy(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1);
  const at = name.includes("@");
  const tag = name.includes(":") && !at ? name.slice(name.indexOf(":") + 1) : "";
  return at || (tag !== "" && tag !== "latest") ? "IfNotPresent" : "Always";
}

function volume(given: JsonObject): JsonObject {
  const filled: Fields = { ...given };
  const modes: readonly (readonly [string, number])[] = [
    ["secret", 420],
    ["configMap", 420],
    ["downwardAPI", 420],
    ["projected", 420],
  ];
  for (const [field, defaultMode] of modes) {
    const source = filled[field];
    if (isObject(source)) filled[field] = defaulted(source, { defaultMode });
  }
  if (isObject(filled.hostPath)) filled.hostPath = defaulted(filled.hostPath, { type: "" });
  if (Object.keys(filled).length === 1) filled.emptyDir = {};
  return filled;
}

/** Deployments, stateful sets and the like: their own defaults, and those of the pods they make. */
export function withWorkloadDefaults(kind: string, object: JsonObject): JsonObject {
  if (kind === "Pod") return withPodDefaults(object);
  if (Object.hasOwn(TOP_LEVEL, kind)) return defaulted(object, TOP_LEVEL[kind]!);
  if (!isObject(object.spec)) return object;
  if (kind === "CronJob") {
    const { jobTemplate } = object.spec;
    const spec = defaulted(object.spec, CRON_JOB);
    if (isObject(jobTemplate)) spec.jobTemplate = withWorkloadDefaults("Job", jobTemplate);
    return { ...object, spec };
  }
  const spec = defaulted(object.spec, WORKLOADS[kind] ?? {});
  if (isObject(spec.template)) spec.template = withPodDefaults(spec.template);
  return { ...object, spec };
}

/** Kinds without a spec. Go writes a list that may not be left out as null. */
const TOP_LEVEL: Readonly<Record<string, JsonObject>> = {
  Role: { rules: null },
  ClusterRole: { rules: null },
  StorageClass: { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
};

const CRON_JOB = {
  concurrencyPolicy: "Allow",
  suspend: false,
  successfulJobsHistoryLimit: 3,
  failedJobsHistoryLimit: 1,
};

const ROLLING_UPDATE = { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "25%", maxSurge: "25%" } };

const WORKLOADS: Readonly<Record<string, JsonObject>> = {
  Deployment: { replicas: 1, strategy: ROLLING_UPDATE, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  ReplicaSet: { replicas: 1 },
  ReplicationController: { replicas: 1 },
  StatefulSet: { replicas: 1, revisionHistoryLimit: 10, podManagementPolicy: "OrderedReady" },
  DaemonSet: { revisionHistoryLimit: 10 },
  Job: { completions: 1, parallelism: 1, backoffLimit: 6, completionMode: "NonIndexed", suspend: false },
};
