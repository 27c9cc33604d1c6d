// Defaults of pods and of the pods in templates: k8s.io/kubernetes pkg/apis/core/v1, Kubernetes 1.36. Defaults of requests from limits,
// service links and host ports are for pods alone, not for templates.

import { imagePullPolicy } from "./image.ts";
import { podResources } from "./pod-resources.ts";
import { resourceList, resources } from "./quantities.ts";
import {
  each,
  type Fields,
  isStruct,
  isZero,
  ofObject,
  ofStruct,
  type Rule,
  type Struct,
  sequence,
  set,
  unsetTo,
  whenUnset,
  withoutKeys,
  zero,
} from "./rules.ts";
import { fieldRef, volume } from "./volume.ts";

const httpGet: Rule = ofStruct({ path: zero("/"), scheme: zero("HTTP") });

const probe: Rule = ofStruct({
  timeoutSeconds: zero(1),
  periodSeconds: zero(10),
  successThreshold: zero(1),
  failureThreshold: zero(3),
  httpGet,
  grpc: ofStruct({ service: whenUnset("") }),
});

const hook: Rule = ofStruct({ httpGet });

const containerFields: Fields = {
  ports: each(ofStruct({ protocol: zero("TCP") })),
  env: each(ofStruct({ valueFrom: ofStruct({ fieldRef, fileKeyRef: ofStruct({ optional: whenUnset(false) }) }) })),
  resources: ofStruct(resources),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: ofStruct({ postStart: hook, preStop: hook }),
  terminationMessagePath: zero("/dev/termination-log"),
  terminationMessagePolicy: zero("File"),
};

const container: Rule = sequence(
  ofStruct(containerFields),
  ofObject((given) => {
    if (isZero(given.imagePullPolicy)) given.imagePullPolicy = imagePullPolicy(given.image);
  }),
);

/** The older name of the account's field is kept the same as the newer. */
const serviceAccount: Rule = ofObject((spec) => {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  if (name === undefined) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
});

const podSpec: Rule = sequence(
  ofStruct({
    volumes: each(volume),
    initContainers: each(container),
    containers: each(container),
    ephemeralContainers: each(container),
    overhead: resourceList,
    resources: ofStruct(resources),
    restartPolicy: zero("Always"),
    terminationGracePeriodSeconds: whenUnset(30),
    dnsPolicy: zero("ClusterFirst"),
    securityContext: unsetTo(() => ({})),
    schedulerName: zero("default-scheduler"),
  }),
  serviceAccount,
);

// Conversion through the internal version drops what old clients wrote there.
const INIT_CONTAINERS = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];
const metadata: Rule = ofStruct({ annotations: (given) => withoutKeys(given, INIT_CONTAINERS) });

/** A pod template, as workloads and PodTemplate have it. */
export const podTemplate: Rule = ofStruct({ metadata, spec: podSpec });

// Limits stand for requests that are not given.
const requestsOfLimits: Rule = ofStruct({
  resources: ofObject((given) => {
    const { limits, requests } = given;
    if (isStruct(limits)) given.requests = { ...limits, ...(isStruct(requests) ? requests : {}) };
  }),
});

const hostPorts: Rule = ofStruct({
  ports: each(
    ofObject((port) => {
      if (isZero(port.hostPort) && !isZero(port.containerPort)) port.hostPort = port.containerPort;
    }),
  ),
});

const onHostNetwork: Rule = ofObject((spec, by) => {
  if (spec.hostNetwork === true) ofStruct({ containers: each(hostPorts), initContainers: each(hostPorts) })(spec, by);
});

const containerStatus: Rule = ofStruct({ allocatedResources: resourceList, resources: ofStruct(resources) });

/** One address and the list of addresses say the same; the one counts where they do not. */
function addresses(
  text: string,
  list: string,
  asElement: (address: unknown) => unknown,
  ofElement: (element: unknown) => unknown,
) {
  return (given: Struct): void => {
    const listed = given[list];
    const first: unknown = Array.isArray(listed) && listed.length > 0 ? ofElement(listed[0]) : undefined;
    if (first === undefined) {
      if (given[text] !== undefined) given[list] = [asElement(given[text])];
    } else if (given[text] === undefined) set(given, text, first === "" ? undefined : first);
    else if (given[text] !== first) given[list] = [asElement(given[text])];
  };
}

const podAddresses: Rule = ofObject(
  addresses(
    "podIP",
    "podIPs",
    (ip) => ({ ip }),
    (element) => (isStruct(element) ? (element.ip ?? "") : ""),
  ),
);

export const nodeAddresses: Rule = ofObject(
  addresses(
    "podCIDR",
    "podCIDRs",
    (cidr) => cidr,
    (element) => element,
  ),
);

export const pod: Fields = {
  metadata,
  spec: sequence(
    podSpec,
    ofStruct({
      containers: each(requestsOfLimits),
      initContainers: each(requestsOfLimits),
      enableServiceLinks: whenUnset(true),
      terminationGracePeriodSeconds: (given) => (typeof given === "number" && given < 0 ? 1 : given),
    }),
    (given, by) => (by.enables("PodLevelResourcesFixDefaulting") ? given : podResources(given, by)),
    onHostNetwork,
  ),
  status: sequence(
    ofStruct({
      initContainerStatuses: each(containerStatus),
      containerStatuses: each(containerStatus),
      ephemeralContainerStatuses: each(containerStatus),
      allocatedResources: resourceList,
      resources: ofStruct(resources),
    }),
    podAddresses,
  ),
};
