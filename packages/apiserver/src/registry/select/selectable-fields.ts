// Fields that field selectors may name, per kind, beside metadata.name and metadata.namespace.

import type { KubeObject } from "@celadon/kube";

type Read = (object: KubeObject) => string;

/** The text at a path; numbers and booleans as Go prints them. */
export function fieldAt(path: string, absent = ""): Read {
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
/** By the kind that is served; read from the object as it is stored. */
export const SELECTABLE_FIELDS: Readonly<Record<string, Readonly<Record<string, Read>>>> = {
  "v1/Pod": {
    "spec.nodeName": fieldAt("spec.nodeName"),
    "spec.restartPolicy": fieldAt("spec.restartPolicy"),
    "spec.schedulerName": fieldAt("spec.schedulerName"),
    "spec.serviceAccountName": fieldAt("spec.serviceAccountName"),
    "spec.hostNetwork": fieldAt("spec.hostNetwork", "false"),
    "status.phase": fieldAt("status.phase"),
    "status.podIP": fieldAt("status.podIP"),
    "status.podIPs": fieldAt("status.podIP"),
    "status.nominatedNodeName": fieldAt("status.nominatedNodeName"),
  },
  "v1/Event": {
    ...Object.fromEntries(REFERENCE.map((name) => [`involvedObject.${name}`, fieldAt(`involvedObject.${name}`)])),
    reason: fieldAt("reason"),
    reportingComponent: (event) => fieldAt("reportingComponent")(event) || fieldAt("source.component")(event),
    source: (event) => fieldAt("source.component")(event) || fieldAt("reportingComponent")(event),
    type: fieldAt("type"),
  },
  "events.k8s.io/v1/Event": {
    ...Object.fromEntries(REFERENCE.map((name) => [`regarding.${name}`, fieldAt(`involvedObject.${name}`)])),
    reason: fieldAt("reason"),
    reportingController: (event) => fieldAt("reportingComponent")(event) || fieldAt("source.component")(event),
    type: fieldAt("type"),
  },
  "v1/Namespace": { "status.phase": fieldAt("status.phase") },
  "v1/Node": { "spec.unschedulable": fieldAt("spec.unschedulable", "false") },
  "v1/ReplicationController": { "status.replicas": fieldAt("status.replicas", "0") },
  "v1/Secret": { type: fieldAt("type") },
  "v1/Service": { "spec.clusterIP": fieldAt("spec.clusterIP"), "spec.type": fieldAt("spec.type") },
  "batch/v1/Job": { "status.successful": fieldAt("status.succeeded", "0") },
  "certificates.k8s.io/v1/CertificateSigningRequest": { "spec.signerName": fieldAt("spec.signerName") },
  "networking.k8s.io/v1/IPAddress": {},
  "resource.k8s.io/v1/ResourceSlice": { "spec.nodeName": fieldAt("spec.nodeName"), "spec.driver": fieldAt("spec.driver") },
};
