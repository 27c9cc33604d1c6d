// An API server's guarantees about built-in kinds beyond their published schemas, by type: fields that defaulting fills in, lists that
// validation does not accept empty, values that it accepts. A proof relies on it, so a row is here only if nothing that a policy sees
// breaks it. Sources: kubernetes pkg/apis/*/v1/defaults.go and pkg/apis/*/validation.

import type { Schema } from "@celadon/kube/schemas";

/** A narrower schema of a field. */
export type Narrower = Partial<Schema> & {
  /** The pattern of a map's keys. */
  readonly names?: string;
};

export interface Guarantee {
  /** Fields that every such object has by the time a policy sees it. */
  readonly always?: readonly string[];
  /** Narrower schemas of fields. */
  readonly fields?: Readonly<Record<string, Narrower>>;
}

const LABEL_VALUE: Schema = {
  type: "string",
  maxLength: 63,
  pattern: "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$",
};
const LABEL: Partial<Schema> = { minLength: 1, maxLength: 63, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$" };
/** Qualified names; those of annotations may have a prefix with capital letters. */
const NAMES =
  "^([a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?([.][a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";
const NOT_EMPTY: Partial<Schema> = { minLength: 1 };
const SOME: Partial<Schema> = { minItems: 1 };
const ACCESS_MODES: Narrower = {
  minItems: 1,
  items: { type: "string", enum: ["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"] },
};
const COUNT: Partial<Schema> = { minimum: 0 };
const PORT: Partial<Schema> = { minimum: 1, maximum: 65535 };
const ID: Partial<Schema> = { minimum: 0, maximum: 2147483647 };
const NAMED: Partial<Schema> = { listType: "map", listMapKeys: ["name"] };

const CONTAINER: Guarantee = {
  always: ["name", "image", "resources", "terminationMessagePath", "terminationMessagePolicy", "imagePullPolicy"],
  fields: { name: LABEL, image: NOT_EMPTY, imagePullPolicy: { enum: ["Always", "IfNotPresent", "Never"] } },
};

// biome-ignore format: one type per line
const GUARANTEES: Readonly<Record<string, Guarantee>> = {
  "meta/v1.ObjectMeta": { fields: { labels: { additionalProperties: LABEL_VALUE, names: NAMES }, annotations: { names: NAMES } } },
  "core/v1.Pod": { always: ["spec"] },
  "core/v1.PodSpec": { always: ["restartPolicy", "dnsPolicy", "schedulerName", "terminationGracePeriodSeconds", "securityContext"], fields: { containers: { ...SOME, ...NAMED }, initContainers: NAMED, ephemeralContainers: NAMED, volumes: NAMED, restartPolicy: { enum: ["Always", "OnFailure", "Never"] } } },
  "core/v1.Container": CONTAINER,
  "core/v1.EphemeralContainer": CONTAINER,
  "core/v1.ContainerPort": { always: ["protocol"], fields: { containerPort: PORT, hostPort: { minimum: 0, maximum: 65535 }, protocol: { enum: ["TCP", "UDP", "SCTP"] } } },
  "core/v1.TopologySpreadConstraint": { fields: { maxSkew: { minimum: 1 }, topologyKey: NOT_EMPTY, whenUnsatisfiable: { enum: ["DoNotSchedule", "ScheduleAnyway"] } } },
  "core/v1.EnvVar": { fields: { name: NOT_EMPTY } },
  "core/v1.SeccompProfile": { fields: { type: { enum: ["Localhost", "RuntimeDefault", "Unconfined"] } } },
  "core/v1.AppArmorProfile": { fields: { type: { enum: ["Localhost", "RuntimeDefault", "Unconfined"] } } },
  "meta/v1.LabelSelectorRequirement": { fields: { operator: { enum: ["In", "NotIn", "Exists", "DoesNotExist"] } } },
  "rbac/v1.PolicyRule": { fields: { verbs: SOME } },
  "core/v1.SecurityContext": { fields: { runAsUser: ID, runAsGroup: ID } },
  "core/v1.PodSecurityContext": { fields: { runAsUser: ID, runAsGroup: ID, fsGroup: ID } },
  "apps/v1.Deployment": { always: ["spec"] },
  "apps/v1.DeploymentSpec": { always: ["replicas", "strategy", "revisionHistoryLimit", "progressDeadlineSeconds", "selector", "template"], fields: { replicas: COUNT } },
  "apps/v1.StatefulSet": { always: ["spec"] },
  "apps/v1.StatefulSetSpec": { always: ["replicas", "revisionHistoryLimit", "podManagementPolicy", "selector", "template"], fields: { replicas: COUNT } },
  "apps/v1.DaemonSet": { always: ["spec"] },
  "apps/v1.DaemonSetSpec": { always: ["revisionHistoryLimit", "updateStrategy", "selector", "template"] },
  "apps/v1.ReplicaSet": { always: ["spec"] },
  "apps/v1.ReplicaSetSpec": { always: ["replicas", "selector"], fields: { replicas: COUNT } },
  "batch/v1.Job": { always: ["spec"] },
  "batch/v1.JobSpec": { always: ["backoffLimit", "template"], fields: { parallelism: COUNT, completions: COUNT, backoffLimit: COUNT } },
  "batch/v1.CronJob": { always: ["spec"] },
  "batch/v1.CronJobSpec": { always: ["schedule", "concurrencyPolicy", "suspend", "jobTemplate"], fields: { schedule: NOT_EMPTY } },
  "batch/v1.JobTemplateSpec": { always: ["spec"] },
  "core/v1.PodTemplateSpec": { always: ["spec"] },
  "core/v1.Service": { always: ["spec"] },
  "core/v1.ServiceSpec": { always: ["type", "sessionAffinity"], fields: { type: { enum: ["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"] } } },
  "core/v1.ServicePort": { always: ["protocol"], fields: { port: PORT } },
  "networking/v1.Ingress": { always: ["spec"] },
  "networking/v1.HTTPIngressRuleValue": { fields: { paths: SOME } },
  "networking/v1.NetworkPolicy": { always: ["spec"] },
  "networking/v1.NetworkPolicySpec": { always: ["podSelector", "policyTypes"] },
  "core/v1.PersistentVolumeClaim": { always: ["spec"] },
  "core/v1.PersistentVolumeClaimSpec": { always: ["volumeMode", "accessModes"], fields: { accessModes: ACCESS_MODES } },
  "core/v1.PersistentVolume": { always: ["spec"] },
  "storage/v1.StorageClass": { always: ["provisioner", "reclaimPolicy", "volumeBindingMode"] },
  "autoscaling/v2.HorizontalPodAutoscaler": { always: ["spec"] },
  "autoscaling/v2.HorizontalPodAutoscalerSpec": { always: ["minReplicas"], fields: { maxReplicas: { minimum: 1 } } },
};

export function guaranteeOf(type: string | undefined): Guarantee | undefined {
  return type !== undefined && Object.hasOwn(GUARANTEES, type) ? GUARANTEES[type] : undefined;
}
