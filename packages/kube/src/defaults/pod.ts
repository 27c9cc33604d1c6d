// Defaults of pods and of the pods in templates: k8s.io/kubernetes pkg/apis/core/v1, Kubernetes 1.36. What limits say about
// requests, service links and host ports hold for pods alone, not for templates.

import { isRecord } from "@celadon/base";
import { imagePullPolicy } from "./image.ts";
import { resourceList } from "./quantities.ts";
import {
  always,
  each,
  type Fields,
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
import { fieldRef, volume } from "./volume.ts";

const httpGet: Rule = within({ path: zero("/"), scheme: zero("HTTP") });

const probe: Rule = within({
  timeoutSeconds: zero(1),
  periodSeconds: zero(10),
  successThreshold: zero(1),
  failureThreshold: zero(3),
  httpGet,
  grpc: within({ service: unset("") }),
});

const hook: Rule = within({ httpGet });

const containerFields: Fields = {
  ports: each(within({ protocol: zero("TCP") })),
  env: each(within({ valueFrom: within({ fieldRef, fileKeyRef: within({ optional: unset(false) }) }) })),
  // A struct that is always written, empty or not.
  resources: always({ limits: resourceList, requests: resourceList }),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: within({ postStart: hook, preStop: hook }),
  terminationMessagePath: zero("/dev/termination-log"),
  terminationMessagePolicy: zero("File"),
};

const container: Rule = sequence(
  within(containerFields),
  whole((given) =>
    isZero(get(given, "imagePullPolicy"))
      ? withFields(given, { imagePullPolicy: imagePullPolicy(get(given, "image")) })
      : given,
  ),
);

/** The older name of the account's field is kept the same as the newer. */
function serviceAccount(spec: JsonObject): JsonObject {
  const name = get(spec, "serviceAccountName") || get(spec, "serviceAccount");
  return isZero(name) ? spec : withFields(spec, { serviceAccountName: name, serviceAccount: name });
}

const podSpecFields: Fields = {
  volumes: each(volume),
  initContainers: each(container),
  containers: each(container),
  ephemeralContainers: each(container),
  overhead: resourceList,
  resources: within({ limits: resourceList, requests: resourceList }),
  restartPolicy: zero("Always"),
  terminationGracePeriodSeconds: unset(30),
  dnsPolicy: zero("ClusterFirst"),
  securityContext: unset({}),
  schedulerName: zero("default-scheduler"),
};

export const podSpec: Rule = sequence((spec) => spec ?? {}, whole(serviceAccount), within(podSpecFields));

/** A pod template, as workloads and PodTemplate have it. */
export const podTemplate: Rule = always({ spec: podSpec });

// Limits stand for requests that are not given.
const requestsOfLimits: Rule = within({
  resources: whole((resources) => {
    const limits = get(resources, "limits");
    if (!isRecord(limits)) return resources;
    const requests = get(resources, "requests");
    const missing = Object.keys(limits).filter((name) => !isRecord(requests) || !Object.hasOwn(requests, name));
    if (missing.length === 0 && requests !== undefined) return resources;
    return withFields(resources, { requests: { ...limits, ...(isRecord(requests) ? requests : {}) } });
  }),
});

const hostPorts: Rule = within({
  ports: each(
    whole((port) =>
      isZero(get(port, "hostPort")) ? withFields(port, { hostPort: get(port, "containerPort") }) : port,
    ),
  ),
});

const onHostNetwork: Rule = whole((spec) =>
  get(spec, "hostNetwork") === true
    ? (within({ containers: each(hostPorts), initContainers: each(hostPorts) })(spec) as JsonObject)
    : spec,
);

export const pod: Fields = {
  spec: sequence(
    podSpec,
    within({
      containers: each(requestsOfLimits),
      initContainers: each(requestsOfLimits),
      enableServiceLinks: unset(true),
      terminationGracePeriodSeconds: (given) => (typeof given === "number" && given < 0 ? 1 : given),
    }),
    onHostNetwork,
  ),
};
