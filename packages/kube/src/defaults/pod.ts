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
  type Rule,
  type Struct,
  sequence,
  set,
  unset,
  unsetTo,
  whole,
  within,
  withoutKeys,
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
  resources: within(resources),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: within({ postStart: hook, preStop: hook }),
  terminationMessagePath: zero("/dev/termination-log"),
  terminationMessagePolicy: zero("File"),
};

const container: Rule = sequence(
  within(containerFields),
  whole((given) => {
    if (isZero(given.imagePullPolicy)) given.imagePullPolicy = imagePullPolicy(given.image);
  }),
);

/** The older name of the account's field is kept the same as the newer. */
const serviceAccount: Rule = whole((spec) => {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  if (name === undefined) return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
});

const podSpec: Rule = sequence(
  within({
    volumes: each(volume),
    initContainers: each(container),
    containers: each(container),
    ephemeralContainers: each(container),
    overhead: resourceList,
    resources: within(resources),
    restartPolicy: zero("Always"),
    terminationGracePeriodSeconds: unset(30),
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
const metadata: Rule = within({ annotations: (given) => withoutKeys(given, INIT_CONTAINERS) });

/** A pod template, as workloads and PodTemplate have it. */
export const podTemplate: Rule = within({ metadata, spec: podSpec });

// Limits stand for requests that are not given.
const requestsOfLimits: Rule = within({
  resources: whole((given) => {
    const { limits, requests } = given;
    if (isStruct(limits)) given.requests = { ...limits, ...(isStruct(requests) ? requests : {}) };
  }),
});

const hostPorts: Rule = within({
  ports: each(
    whole((port) => {
      if (isZero(port.hostPort) && !isZero(port.containerPort)) port.hostPort = port.containerPort;
    }),
  ),
});

const onHostNetwork: Rule = whole((spec, by) => {
  if (spec.hostNetwork === true) within({ containers: each(hostPorts), initContainers: each(hostPorts) })(spec, by);
});

const containerStatus: Rule = within({ allocatedResources: resourceList, resources: within(resources) });

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

const podAddresses: Rule = whole(
  addresses(
    "podIP",
    "podIPs",
    (ip) => ({ ip }),
    (element) => (isStruct(element) ? (element.ip ?? "") : ""),
  ),
);

export const nodeAddresses: Rule = whole(
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
    within({
      containers: each(requestsOfLimits),
      initContainers: each(requestsOfLimits),
      enableServiceLinks: unset(true),
      terminationGracePeriodSeconds: (given) => (typeof given === "number" && given < 0 ? 1 : given),
    }),
    (given, by) => (by.enables("PodLevelResourcesFixDefaulting") ? given : podResources(given, by)),
    onHostNetwork,
  ),
  status: sequence(
    within({
      initContainerStatuses: each(containerStatus),
      containerStatuses: each(containerStatus),
      ephemeralContainerStatuses: each(containerStatus),
      allocatedResources: resourceList,
      resources: within(resources),
    }),
    podAddresses,
  ),
};
