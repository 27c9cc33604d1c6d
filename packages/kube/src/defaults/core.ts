// Defaults of the other kinds of the core group: k8s.io/kubernetes pkg/apis/core/v1, Kubernetes 1.36.

import { encodeBase64, encodeUtf8 } from "@celadon/base";
import { nodeAddresses } from "./pod.ts";
import { resourceList } from "./quantities.ts";
import {
  each,
  isStruct,
  isZero,
  ofObject,
  ofStruct,
  type Rule,
  type Struct,
  sequence,
  set,
  whenUnset,
  withKey,
  zero,
} from "./rules.ts";
import { claim, volumeSpec } from "./volume.ts";

const THREE_HOURS = 10_800;

const servicePort: Rule = ofObject((port) => {
  if (isZero(port.protocol)) port.protocol = "TCP";
  if (isZero(port.targetPort)) port.targetPort = port.port;
});

// An affinity without a timeout gets one, with any other fields.
function affinity(spec: Struct): void {
  if (spec.sessionAffinity === "None") delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== "ClientIP") return;
  const config = spec.sessionAffinityConfig;
  const client = isStruct(config) ? config.clientIP : undefined;
  if (isStruct(client) && client.timeoutSeconds !== undefined) return;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: THREE_HOURS } };
}

function traffic(spec: Struct): void {
  const { type } = spec;
  const isBalanced = type === "LoadBalancer";
  const isOnNodes = isBalanced || type === "NodePort";
  const isReachable = isOnNodes || (type === "ClusterIP" && !isZero(spec.externalIPs));
  if (isReachable && isZero(spec.externalTrafficPolicy)) spec.externalTrafficPolicy = "Cluster";
  if (isOnNodes || type === "ClusterIP") spec.internalTrafficPolicy ??= "Cluster";
  if (isBalanced) spec.allocateLoadBalancerNodePorts ??= true;
}

const addressMode: Rule = ofStruct({
  loadBalancer: ofStruct({
    ingress: each(
      ofObject((address) => {
        if (!isZero(address.ip)) address.ipMode ??= "VIP";
      }),
    ),
  }),
});

export const service: Rule = ofObject((object, by) => {
  ofStruct({
    spec: sequence(
      ofStruct({ sessionAffinity: zero("None"), type: zero("ClusterIP"), ports: each(servicePort) }),
      ofObject(affinity),
      ofObject(traffic),
    ),
  })(object, by);
  if (isStruct(object.spec) && object.spec.type === "LoadBalancer") addressMode(object.status, by);
});

/** A secret's text becomes bytes; a server never shows the text again. */
export const secret: Rule = ofObject((object) => {
  if (isZero(object.type)) object.type = "Opaque";
  const texts = object.stringData;
  if (!isStruct(texts)) return;
  const bytes = Object.entries(texts).map(([key, text]) => [key, encodeBase64(encodeUtf8(String(text)))]);
  object.data = { ...(isStruct(object.data) ? object.data : {}), ...Object.fromEntries(bytes) };
  delete object.stringData;
});

export const persistentVolume: Rule = ofStruct({
  spec: sequence(
    ofStruct({ persistentVolumeReclaimPolicy: zero("Retain"), volumeMode: whenUnset("Filesystem") }),
    volumeSpec,
  ),
  status: ofStruct({ phase: zero("Pending") }),
});

export const persistentVolumeClaim: Rule = ofStruct(claim);

/** Every namespace carries its name as a label. */
export const namespace: Rule = ofStruct({
  metadata: ofObject((metadata) => {
    if (!isZero(metadata.name))
      metadata.labels = withKey(metadata.labels, "kubernetes.io/metadata.name", metadata.name);
  }),
  status: ofStruct({ phase: zero("Active") }),
});

/** Without allocatable, it is the capacity. */
export const node: Rule = ofStruct({
  spec: nodeAddresses,
  status: ofObject((status, by) => {
    set(status, "capacity", resourceList(status.capacity, by));
    const free = resourceList(status.allocatable, by) ?? status.capacity;
    set(status, "allocatable", isStruct(free) && Object.keys(free).length === 0 ? undefined : free);
  }),
});

const limit: Rule = sequence(
  ofObject((item) => {
    if (item.type !== "Container") return;
    const of = (field: string): Struct => (isStruct(item[field]) ? item[field] : {});
    const limits = { ...of("max"), ...of("default") };
    const requests = { ...of("min"), ...limits, ...of("defaultRequest") };
    if (Object.keys(limits).length > 0) item.default = limits;
    if (Object.keys(requests).length > 0) item.defaultRequest = requests;
  }),
  ofStruct({
    max: resourceList,
    min: resourceList,
    default: resourceList,
    defaultRequest: resourceList,
    maxLimitRequestRatio: resourceList,
  }),
);

export const limitRange: Rule = ofStruct({ spec: ofStruct({ limits: each(limit) }) });
export const resourceQuota: Rule = ofStruct({
  spec: ofStruct({ hard: resourceList }),
  status: ofStruct({ hard: resourceList, used: resourceList }),
});
export const endpoints: Rule = ofStruct({
  subsets: each(ofStruct({ ports: each(ofStruct({ protocol: zero("TCP") })) })),
});
