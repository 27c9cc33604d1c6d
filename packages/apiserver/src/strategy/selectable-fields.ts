// Fields that field selectors may name, per kind, beside metadata.name and metadata.namespace.

import type { KubeObject } from "@celadon/kube";

type Read = (object: KubeObject) => string;

/** The text at a path; numbers and booleans as Go prints them. */
function at(path: string, absent = ""): Read {
  const steps = path.split(".");
  return (object) => {
    let value: unknown = object;
    for (const step of steps) {
      if (typeof value !== "object" || value === null) return absent;
      value = (value as Record<string, unknown>)[step];
    }
    return value === undefined || value === null ? absent : String(value);
  };
}

const REFERENCE = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

// biome-ignore format: one kind per line
export const SELECTABLE_FIELDS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  "v1/Pod": {
    "spec.nodeName": at("spec.nodeName"),
    "spec.restartPolicy": at("spec.restartPolicy"),
    "spec.schedulerName": at("spec.schedulerName"),
    "spec.serviceAccountName": at("spec.serviceAccountName"),
    "spec.hostNetwork": at("spec.hostNetwork", "false"),
    "status.phase": at("status.phase"),
    "status.podIP": at("status.podIP"),
    "status.podIPs": at("status.podIP"),
    "status.nominatedNodeName": at("status.nominatedNodeName"),
  },
  "v1/Event": {
    ...Object.fromEntries(REFERENCE.map((name) => [`involvedObject.${name}`, at(`involvedObject.${name}`)])),
    reason: at("reason"),
    reportingComponent: (event) => at("reportingComponent")(event) || at("source.component")(event),
    source: (event) => at("source.component")(event) || at("reportingComponent")(event),
    type: at("type"),
  },
  "v1/Namespace": { "status.phase": at("status.phase") },
  "v1/Node": { "spec.unschedulable": at("spec.unschedulable", "false") },
  "v1/ReplicationController": { "status.replicas": at("status.replicas", "0") },
  "v1/Secret": { type: at("type") },
  "v1/Service": { "spec.clusterIP": at("spec.clusterIP"), "spec.type": at("spec.type") },
  "apps/v1/ReplicaSet": { "status.replicas": at("status.replicas", "0") },
  "batch/v1/Job": { "status.successful": at("status.succeeded", "0") },
  "certificates.k8s.io/v1/CertificateSigningRequest": { "spec.signerName": at("spec.signerName") },
  "networking.k8s.io/v1/IPAddress": {},
  "resource.k8s.io/v1/ResourceSlice": { "spec.nodeName": at("spec.nodeName"), "spec.driver": at("spec.driver") },
};
