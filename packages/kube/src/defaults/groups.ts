// Defaults of the kinds of other groups: k8s.io/kubernetes pkg/apis/*, k8s.io/kube-aggregator, Kubernetes 1.36.

import {
  each,
  eachValue,
  type Fields,
  isStruct,
  isZero,
  type Rule,
  sequence,
  set,
  unset,
  unsetTo,
  whole,
  within,
  withoutKeys,
  zero,
} from "./rules.ts";
import { volumeSpec } from "./volume.ts";

// rbac.authorization.k8s.io

const RBAC = "rbac.authorization.k8s.io";

const subject: Rule = whole((given) => {
  const isPerson = given.kind === "User" || given.kind === "Group";
  if (isPerson && isZero(given.apiGroup)) given.apiGroup = RBAC;
});

export const roleBinding: Rule = within({ subjects: each(subject), roleRef: within({ apiGroup: zero(RBAC) }) });

// networking.k8s.io

const portRules: Rule = each(within({ ports: each(within({ protocol: unset("TCP") })) }));

export const networkPolicy: Rule = within({
  spec: sequence(
    within({ ingress: portRules, egress: portRules }),
    whole((spec) => {
      if (isZero(spec.policyTypes)) spec.policyTypes = isZero(spec.egress) ? ["Ingress"] : ["Ingress", "Egress"];
    }),
  ),
});

export const ingressClass: Rule = within({ spec: within({ parameters: within({ scope: unset("Cluster") }) }) });

// storage.k8s.io, scheduling.k8s.io, discovery.k8s.io, policy, authentication.k8s.io, apiregistration.k8s.io

export const storageClass: Rule = within({ reclaimPolicy: unset("Delete"), volumeBindingMode: unset("Immediate") });

export const csiDriver: Rule = within({
  spec: within({
    attachRequired: unset(true),
    podInfoOnMount: unset(false),
    storageCapacity: unset(false),
    fsGroupPolicy: unset("ReadWriteOnceWithFSType"),
    volumeLifecycleModes: (given) => (isZero(given) ? ["Persistent"] : given),
    requiresRepublish: unset(false),
    seLinuxMount: unset(false),
  }),
});

export const volumeAttachment: Rule = within({
  spec: within({ source: within({ inlineVolumeSpec: volumeSpec }) }),
});

export const priorityClass: Rule = within({ preemptionPolicy: unset("PreemptLowerPriority") });

export const endpointSlice: Rule = within({ ports: each(within({ name: unset(""), protocol: unset("TCP") })) });

export const tokenRequest: Rule = within({ spec: within({ expirationSeconds: unset(3600) }) });

export const apiService: Rule = within({ spec: within({ service: within({ port: unset(443) }) }) });

// The label by which an older version distinguished "all" from "none" has no other effect.
const EMPTY_SELECTOR = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

export const disruptionBudget: Rule = within({
  spec: within({
    selector: whole((selector) => {
      const expressions = Array.isArray(selector.matchExpressions) ? selector.matchExpressions : [];
      const isMark = (given: unknown): boolean => isStruct(given) && given.key === EMPTY_SELECTOR;
      const isAlone = selector.matchLabels === undefined && expressions.length === 1 && isMark(expressions[0]);
      if (isAlone && isPlainMark(expressions[0])) return;
      set(selector, "matchLabels", withoutKeys(selector.matchLabels, [EMPTY_SELECTOR]));
      if (!expressions.some(isMark)) return;
      const left = expressions.filter((given) => !isMark(given));
      set(selector, "matchExpressions", left.length === 0 ? undefined : left);
    }),
  }),
});

function isPlainMark(given: unknown): boolean {
  if (!isStruct(given) || given.values !== undefined) return false;
  return given.operator === "Exists" || given.operator === "DoesNotExist";
}

// admissionregistration.k8s.io

const rule: Rule = within({ scope: unset("*") });

const matching: Fields = {
  matchPolicy: unset("Equivalent"),
  namespaceSelector: unsetTo(() => ({})),
  objectSelector: unsetTo(() => ({})),
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
  spec: within({ failurePolicy: unset("Fail"), matchConstraints: resources }),
});
export const admissionBinding: Rule = within({ spec: within({ matchResources: resources }) });

// flowcontrol.apiserver.k8s.io

export const flowSchema: Rule = within({ spec: within({ matchingPrecedence: zero(1000) }) });

export const priorityLevel: Rule = within({
  spec: within({
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

// resource.k8s.io. When a device was tainted is filled in by the clock, so it is not here.

const tolerations: Rule = each(within({ operator: zero("Equal") }));

const deviceRequest: Rule = sequence(
  within({ allocationMode: zero("ExactCount"), tolerations }),
  whole((request) => {
    if (request.allocationMode === "ExactCount" && isZero(request.count)) request.count = 1;
  }),
);

const claim: Rule = within({
  devices: within({ requests: each(within({ exactly: deviceRequest, firstAvailable: each(deviceRequest) })) }),
});

export const resourceClaim: Rule = within({
  spec: claim,
  status: within({ allocation: within({ devices: within({ results: each(within({ tolerations })) }) }) }),
});
export const resourceClaimTemplate: Rule = within({ spec: within({ spec: claim }) });

export const resourceSlice: Rule = within({
  spec: within({
    devices: each(within({ nodeAllocatableResourceMappings: eachValue(within({ allocationMultiplier: unset("1") })) })),
  }),
});
