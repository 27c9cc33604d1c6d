// The pod that a workload's controller would create: the one that policies about pods decide on.

import { isRecord } from "@celadon/base";
import { type KubeObject, nameOf, namespaceOf } from "@celadon/kube";

/** Controllers by the kinds whose pods they create. */
const CONTROLLERS: ReadonlyMap<string, string> = new Map([
  ["Deployment", "replicaset-controller"],
  ["ReplicaSet", "replicaset-controller"],
  ["ReplicationController", "replication-controller"],
  ["StatefulSet", "statefulset-controller"],
  ["DaemonSet", "daemon-set-controller"],
  ["Job", "job-controller"],
  ["CronJob", "job-controller"],
]);

export interface PodOf {
  readonly pod: KubeObject;
  /** The service account that creates it. */
  readonly user: string;
}

/** Undefined for kinds without pods. */
export function podOf(object: KubeObject): PodOf | undefined {
  const controller = CONTROLLERS.get(object.kind ?? "");
  if (controller === undefined) return undefined;
  const template =
    object.kind === "CronJob" ? at(object, "spec", "jobTemplate", "spec", "template") : at(object, "spec", "template");
  const spec = at(template, "spec");
  if (!isRecord(spec)) return undefined;
  const metadata = at(template, "metadata");
  const { labels, annotations } = isRecord(metadata) ? metadata : {};
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      generateName: `${nameOf(object)}-`,
      namespace: namespaceOf(object),
      ...(isRecord(labels) && { labels }),
      ...(isRecord(annotations) && { annotations }),
    },
    spec,
  } as KubeObject;
  return { pod, user: `system:serviceaccount:kube-system:${controller}` };
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);
}
