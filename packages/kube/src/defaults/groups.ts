// Defaults of the kinds of other groups: k8s.io/kubernetes pkg/apis/*, k8s.io/kube-aggregator, Kubernetes 1.36.

import {
  each,
  eachValue,
  type Fields,
  isStruct,
  isZero,
  ofObject,
  ofStruct,
  type Rule,
  sequence,
  set,
  unsetTo,
  whenUnset,
  withoutKeys,
  zero,
} from "./rules.ts";
import { volumeSpec } from "./volume.ts";

// rbac.authorization.k8s.io

const RBAC = "rbac.authorization.k8s.io";

const subject: Rule = ofObject((given) => {
  const isPerson = given.kind === "User" || given.kind === "Group";
  if (isPerson && isZero(given.apiGroup)) given.apiGroup = RBAC;
});

export const roleBinding: Rule = ofStruct({ subjects: each(subject), roleRef: ofStruct({ apiGroup: zero(RBAC) }) });

// networking.k8s.io

const portRules: Rule = each(ofStruct({ ports: each(ofStruct({ protocol: whenUnset("TCP") })) }));

export const networkPolicy: Rule = ofStruct({
  spec: sequence(
    ofStruct({ ingress: portRules, egress: portRules }),
    ofObject((spec) => {
      if (isZero(spec.policyTypes)) spec.policyTypes = isZero(spec.egress) ? ["Ingress"] : ["Ingress", "Egress"];
    }),
  ),
});

export const ingressClass: Rule = ofStruct({
  spec: ofStruct({ parameters: ofStruct({ scope: whenUnset("Cluster") }) }),
});

// storage.k8s.io, scheduling.k8s.io, discovery.k8s.io, policy, authentication.k8s.io, apiregistration.k8s.io

export const storageClass: Rule = ofStruct({
  reclaimPolicy: whenUnset("Delete"),
  volumeBindingMode: whenUnset("Immediate"),
});

export const csiDriver: Rule = ofStruct({
  spec: ofStruct({
    attachRequired: whenUnset(true),
    podInfoOnMount: whenUnset(false),
    storageCapacity: whenUnset(false),
    fsGroupPolicy: whenUnset("ReadWriteOnceWithFSType"),
    volumeLifecycleModes: (given) => (isZero(given) ? ["Persistent"] : given),
    requiresRepublish: whenUnset(false),
    seLinuxMount: whenUnset(false),
  }),
});

export const volumeAttachment: Rule = ofStruct({
  spec: ofStruct({ source: ofStruct({ inlineVolumeSpec: volumeSpec }) }),
});

export const priorityClass: Rule = ofStruct({ preemptionPolicy: whenUnset("PreemptLowerPriority") });

export const endpointSlice: Rule = ofStruct({
  ports: each(ofStruct({ name: whenUnset(""), protocol: whenUnset("TCP") })),
});

export const tokenRequest: Rule = ofStruct({ spec: ofStruct({ expirationSeconds: whenUnset(3600) }) });

export const apiService: Rule = ofStruct({ spec: ofStruct({ service: ofStruct({ port: whenUnset(443) }) }) });

// The label by which an older version distinguished "all" from "none" has no other effect.
const EMPTY_SELECTOR = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match";

export const disruptionBudget: Rule = ofStruct({
  spec: ofStruct({
    selector: ofObject((selector) => {
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

const rule: Rule = ofStruct({ scope: whenUnset("*") });

const matching: Fields = {
  matchPolicy: whenUnset("Equivalent"),
  namespaceSelector: unsetTo(() => ({})),
  objectSelector: unsetTo(() => ({})),
};

const webhook: Fields = {
  ...matching,
  failurePolicy: whenUnset("Fail"),
  timeoutSeconds: whenUnset(10),
  clientConfig: ofStruct({ service: ofStruct({ port: whenUnset(443) }) }),
  rules: each(rule),
};

const resources: Rule = ofStruct({ ...matching, resourceRules: each(rule), excludeResourceRules: each(rule) });

export const validatingWebhooks: Rule = ofStruct({ webhooks: each(ofStruct(webhook)) });
export const mutatingWebhooks: Rule = ofStruct({
  webhooks: each(ofStruct({ ...webhook, reinvocationPolicy: whenUnset("Never") })),
});
export const admissionPolicy: Rule = ofStruct({
  spec: ofStruct({ failurePolicy: whenUnset("Fail"), matchConstraints: resources }),
});
export const admissionBinding: Rule = ofStruct({ spec: ofStruct({ matchResources: resources }) });

// flowcontrol.apiserver.k8s.io

export const flowSchema: Rule = ofStruct({ spec: ofStruct({ matchingPrecedence: zero(1000) }) });

export const priorityLevel: Rule = ofStruct({
  spec: ofStruct({
    exempt: ofStruct({ nominalConcurrencyShares: whenUnset(0), lendablePercent: whenUnset(0) }),
    limited: ofStruct({
      nominalConcurrencyShares: whenUnset(30),
      lendablePercent: whenUnset(0),
      limitResponse: ofStruct({
        queuing: ofStruct({ handSize: zero(8), queues: zero(64), queueLengthLimit: zero(50) }),
      }),
    }),
  }),
});

// resource.k8s.io. When a device was tainted is filled in by the clock, so it is not here.

const tolerations: Rule = each(ofStruct({ operator: zero("Equal") }));

const deviceRequest: Rule = sequence(
  ofStruct({ allocationMode: zero("ExactCount"), tolerations }),
  ofObject((request) => {
    if (request.allocationMode === "ExactCount" && isZero(request.count)) request.count = 1;
  }),
);

const claim: Rule = ofStruct({
  devices: ofStruct({ requests: each(ofStruct({ exactly: deviceRequest, firstAvailable: each(deviceRequest) })) }),
});

export const resourceClaim: Rule = ofStruct({
  spec: claim,
  status: ofStruct({ allocation: ofStruct({ devices: ofStruct({ results: each(ofStruct({ tolerations })) }) }) }),
});
export const resourceClaimTemplate: Rule = ofStruct({ spec: ofStruct({ spec: claim }) });

export const resourceSlice: Rule = ofStruct({
  spec: ofStruct({
    devices: each(
      ofStruct({ nodeAllocatableResourceMappings: eachValue(ofStruct({ allocationMultiplier: whenUnset("1") })) }),
    ),
  }),
});
