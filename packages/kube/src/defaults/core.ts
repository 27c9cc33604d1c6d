// Defaults of the other kinds of the core group: k8s.io/kubernetes pkg/apis/core/v1, Kubernetes 1.36.

import { encodeBase64, encodeUtf8, isRecord } from "@celadon/base";
import { resourceList } from "./quantities.ts";
import {
  always,
  each,
  get,
  isZero,
  type JsonObject,
  type Rule,
  sequence,
  unset,
  whole,
  withFields,
  within,
  zero,
} from "./rules.ts";
import { claimSpec, sharedSources } from "./volume.ts";

const THREE_HOURS = 10_800;
const INTERNAL_TYPES: readonly unknown[] = ["NodePort", "LoadBalancer", "ClusterIP"];

const servicePort: Rule = sequence(
  within({ protocol: zero("TCP") }),
  whole((port) => (isZero(get(port, "targetPort")) ? withFields(port, { targetPort: get(port, "port") }) : port)),
);

// An affinity without a timeout gets one, whatever else was said of it.
function affinity(spec: JsonObject): JsonObject {
  if (get(spec, "sessionAffinity") === "None") return withFields(spec, { sessionAffinityConfig: undefined });
  if (get(spec, "sessionAffinity") !== "ClientIP") return spec;
  const config = get(spec, "sessionAffinityConfig");
  const client = isRecord(config) ? get(config, "clientIP") : undefined;
  if (isRecord(client) && get(client, "timeoutSeconds") !== undefined) return spec;
  return withFields(spec, { sessionAffinityConfig: { clientIP: { timeoutSeconds: THREE_HOURS } } });
}

function traffic(spec: JsonObject): JsonObject {
  const type = get(spec, "type");
  const isExternal =
    type === "LoadBalancer" || type === "NodePort" || (type === "ClusterIP" && !isZero(get(spec, "externalIPs")));
  return withFields(spec, {
    ...(isExternal && isZero(get(spec, "externalTrafficPolicy")) ? { externalTrafficPolicy: "Cluster" } : {}),
    ...(INTERNAL_TYPES.includes(type) && get(spec, "internalTrafficPolicy") === undefined
      ? { internalTrafficPolicy: "Cluster" }
      : {}),
    ...(type === "LoadBalancer" && get(spec, "allocateLoadBalancerNodePorts") === undefined
      ? { allocateLoadBalancerNodePorts: true }
      : {}),
  });
}

export const service: Rule = within({
  spec: sequence(
    always({ sessionAffinity: zero("None"), type: zero("ClusterIP"), ports: each(servicePort) }),
    whole(affinity),
    whole(traffic),
  ),
});

/** What is given as text becomes bytes; a server never shows the text again. */
export const secret: Rule = sequence(
  within({ type: zero("Opaque") }),
  whole((given) => {
    if (!Object.hasOwn(given, "stringData")) return given;
    const texts = get(given, "stringData");
    const data = get(given, "data");
    if (!isRecord(texts) || Object.values(texts).some((text) => typeof text !== "string")) return given;
    const bytes = Object.fromEntries(
      Object.entries(texts).map(([key, text]) => [key, encodeBase64(encodeUtf8(text as string))]),
    );
    const merged = { ...(isRecord(data) ? data : {}), ...bytes };
    return withFields(given, { stringData: undefined, data: Object.keys(merged).length === 0 ? data : merged });
  }),
);

export const persistentVolume: Rule = within({
  spec: always({
    persistentVolumeReclaimPolicy: zero("Retain"),
    volumeMode: unset("Filesystem"),
    capacity: resourceList,
    ...sharedSources,
  }),
});

export const persistentVolumeClaim: Rule = within({ spec: always(claimSpec) });

/** Every namespace carries its name as a label. */
export const namespace: Rule = within({
  metadata: whole((metadata) => {
    const name = get(metadata, "name");
    if (typeof name !== "string" || name === "") return metadata;
    const labels = get(metadata, "labels");
    return withFields(metadata, {
      labels: withFields(isRecord(labels) ? labels : {}, { "kubernetes.io/metadata.name": name }),
    });
  }),
});

const limit: Rule = sequence(
  within({ max: resourceList, min: resourceList, default: resourceList, defaultRequest: resourceList }),
  whole((item) => {
    if (get(item, "type") !== "Container") return item;
    const of = (field: string): JsonObject => {
      const found = get(item, field);
      return isRecord(found) ? found : {};
    };
    const limits = { ...of("max"), ...of("default") };
    const requests = { ...of("min"), ...limits, ...of("defaultRequest") };
    return withFields(item, {
      ...(Object.keys(limits).length === Object.keys(of("default")).length ? {} : { default: limits }),
      ...(Object.keys(requests).length === Object.keys(of("defaultRequest")).length
        ? {}
        : { defaultRequest: requests }),
    });
  }),
);

export const limitRange: Rule = within({ spec: always({ limits: each(limit) }) });
export const resourceQuota: Rule = within({ spec: always({ hard: resourceList }) });
export const endpoints: Rule = within({ subsets: each(within({ ports: each(within({ protocol: zero("TCP") })) })) });
