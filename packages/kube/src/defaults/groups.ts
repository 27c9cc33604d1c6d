// Defaults of the kinds of other groups: k8s.io/kubernetes pkg/apis/*, Kubernetes 1.36.

import { quantity } from "./quantities.ts";
import {
  always,
  each,
  type Fields,
  get,
  isZero,
  type Rule,
  sequence,
  unset,
  whole,
  withFields,
  within,
  zero,
} from "./rules.ts";

// rbac.authorization.k8s.io

const RBAC = "rbac.authorization.k8s.io";

const subject: Rule = whole((given) => {
  const kind = get(given, "kind");
  const isPerson = kind === "User" || kind === "Group";
  return isPerson && isZero(get(given, "apiGroup")) ? withFields(given, { apiGroup: RBAC }) : given;
});

/** A list that may not be left out is written as null. */
const nullable: Rule = (given) => given ?? null;

export const role: Rule = within({ rules: nullable });
export const roleBinding: Rule = within({ subjects: each(subject), roleRef: always({ apiGroup: zero(RBAC) }) });

// autoscaling

const DEFAULT_METRIC = {
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } },
};

const scaling = (policies: readonly unknown[], more: Fields): Rule =>
  always({ ...more, selectPolicy: unset("Max"), policies: unset(policies) });

const scaleUp: Rule = scaling(
  [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
  { stabilizationWindowSeconds: unset(0) },
);
const scaleDown: Rule = scaling([{ type: "Percent", value: 100, periodSeconds: 15 }], {});

const target: Rule = within({ value: quantity, averageValue: quantity });
const metric: Rule = within(
  Object.fromEntries(
    ["object", "pods", "resource", "containerResource", "external"].map((source) => [source, within({ target })]),
  ),
);

export const autoscaler: Rule = within({
  spec: always({
    minReplicas: unset(1),
    metrics: sequence(zero([DEFAULT_METRIC]), each(metric)),
    behavior: within({ scaleUp, scaleDown }),
  }),
});

export const autoscalerV1: Rule = within({ spec: always({ minReplicas: unset(1) }) });

// networking.k8s.io

const portRules: Rule = each(within({ ports: each(within({ protocol: unset("TCP") })) }));

export const networkPolicy: Rule = within({
  spec: sequence(
    always({ ingress: portRules, egress: portRules }),
    whole((spec) => {
      if (!isZero(get(spec, "policyTypes"))) return spec;
      return withFields(spec, { policyTypes: isZero(get(spec, "egress")) ? ["Ingress"] : ["Ingress", "Egress"] });
    }),
  ),
});

export const ingressClass: Rule = within({ spec: within({ parameters: within({ scope: unset("Cluster") }) }) });

// storage.k8s.io, scheduling.k8s.io, discovery.k8s.io

export const storageClass: Rule = within({ reclaimPolicy: unset("Delete"), volumeBindingMode: unset("Immediate") });

export const csiDriver: Rule = within({
  spec: always({
    attachRequired: unset(true),
    podInfoOnMount: unset(false),
    storageCapacity: unset(false),
    fsGroupPolicy: unset("ReadWriteOnceWithFSType"),
    volumeLifecycleModes: zero(["Persistent"]),
    requiresRepublish: unset(false),
    seLinuxMount: unset(false),
  }),
});

export const priorityClass: Rule = within({ preemptionPolicy: unset("PreemptLowerPriority") });

export const endpointSlice: Rule = within({ ports: each(within({ name: unset(""), protocol: unset("TCP") })) });

// admissionregistration.k8s.io

const rule: Rule = within({ scope: unset("*") });

const matching: Fields = {
  matchPolicy: unset("Equivalent"),
  namespaceSelector: unset({}),
  objectSelector: unset({}),
};

const webhook: Fields = {
  ...matching,
  failurePolicy: unset("Fail"),
  timeoutSeconds: unset(10),
  clientConfig: within({ service: within({ port: unset(443) }) }),
  rules: each(rule),
};

const resources: Rule = within({ ...matching, resourceRules: each(rule), excludeResourceRules: each(rule) });

export const validatingWebhooks: Rule = within({ webhooks: each(within(webhook)) });
export const mutatingWebhooks: Rule = within({
  webhooks: each(within({ ...webhook, reinvocationPolicy: unset("Never") })),
});
export const admissionPolicy: Rule = within({
  spec: always({ failurePolicy: unset("Fail"), matchConstraints: resources }),
});
export const admissionBinding: Rule = within({ spec: always({ matchResources: resources }) });

// flowcontrol.apiserver.k8s.io

export const flowSchema: Rule = within({ spec: always({ matchingPrecedence: zero(1000) }) });

export const priorityLevel: Rule = within({
  spec: always({
    exempt: within({ nominalConcurrencyShares: unset(0), lendablePercent: unset(0) }),
    limited: within({
      nominalConcurrencyShares: unset(30),
      lendablePercent: unset(0),
      limitResponse: within({
        queuing: within({ handSize: zero(8), queues: zero(64), queueLengthLimit: zero(50) }),
      }),
    }),
  }),
});

// resource.k8s.io

const deviceRequest: Rule = sequence(
  within({ allocationMode: zero("ExactCount") }),
  whole((request) =>
    get(request, "allocationMode") === "ExactCount" && isZero(get(request, "count"))
      ? withFields(request, { count: 1 })
      : request,
  ),
);

const claim: Rule = within({
  devices: within({ requests: each(within({ exactly: deviceRequest, firstAvailable: each(deviceRequest) })) }),
});

export const resourceClaim: Rule = within({ spec: claim });
export const resourceClaimTemplate: Rule = within({ spec: within({ spec: claim }) });
