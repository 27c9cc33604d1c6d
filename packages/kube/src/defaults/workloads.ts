// Defaults of workloads: k8s.io/kubernetes pkg/apis/{apps,batch,core}/v1, Kubernetes 1.36.

import { podTemplate } from "./pod.ts";
import {
  each,
  ensured,
  type Fields,
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
  withoutKeys,
  zero,
} from "./rules.ts";
import { claim } from "./volume.ts";

/** The defaults of this type of strategy; it is the type where none is given. */
function rolling(fields: Fields): Rule {
  const update = ensured(fields);
  // Numbers that may be absent in this version may not inside the server.
  const passed = ofStruct({ maxUnavailable: whenUnset(0), maxSurge: whenUnset(0) });
  return ofObject((strategy, by) => {
    if (isZero(strategy.type)) strategy.type = "RollingUpdate";
    if (strategy.type === "RollingUpdate") strategy.rollingUpdate = update(strategy.rollingUpdate, by);
    else passed(strategy.rollingUpdate, by);
  });
}

// A stateful set that names the type gets no rolling update of its own.
const statefulUpdate: Rule = ofObject((strategy, by) => {
  if (isZero(strategy.type)) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  ofStruct({ partition: whenUnset(0) })(strategy.rollingUpdate, by);
  if (strategy.type === "RollingUpdate" && by.enables("MaxUnavailableStatefulSet")) {
    ofStruct({ maxUnavailable: whenUnset(1) })(strategy.rollingUpdate, by);
  }
});

const failurePolicy: Rule = ofStruct({
  rules: each(ofStruct({ onPodConditions: each(ofStruct({ status: zero("True") })) })),
});

const jobTemplateSpec: Rule = ofStruct({ template: podTemplate, podFailurePolicy: failurePolicy });

const jobSpec: Rule = sequence(
  jobTemplateSpec,
  ofObject((spec) => {
    if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
    spec.parallelism ??= 1;
    spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1;
    spec.completionMode ??= "NonIndexed";
    spec.suspend ??= false;
    spec.podReplacementPolicy ??= spec.podFailurePolicy === undefined ? "TerminatingOrFailed" : "Failed";
    spec.manualSelector ??= false;
  }),
);

/** An object without labels gets those of its template. */
const labelsOfTemplate: Rule = ofObject((object) => {
  const { metadata } = object;
  if (isStruct(metadata)) set(metadata, "labels", metadata.labels ?? templateLabels(object));
});

const selectorOfTemplate: Rule = ofObject((object) => {
  const { spec } = object;
  if (isStruct(spec)) set(spec, "selector", spec.selector ?? templateLabels(object));
});

function templateLabels(object: Struct): unknown {
  let found: unknown = object;
  for (const step of ["spec", "template", "metadata", "labels"]) found = isStruct(found) ? found[step] : undefined;
  return found ?? undefined;
}

// A revision that old clients wrote as an annotation passes through a number.
const ROLLBACK = "deprecated.deployment.rollback.to";
const GENERATION = "deprecated.daemonset.template.generation";

const rollback: Rule = (annotations) => {
  if (!isStruct(annotations) || !Object.hasOwn(annotations, ROLLBACK)) return annotations;
  const revision = annotations[ROLLBACK];
  if (revision === "") return withoutKeys(annotations, [ROLLBACK]);
  return withKey(annotations, ROLLBACK, wholeNumber(revision));
};

const generation: Rule = (annotations) => {
  const given = isStruct(annotations) && Object.hasOwn(annotations, GENERATION) ? annotations[GENERATION] : "0";
  const value = wholeNumber(given);
  return isStruct(annotations) && annotations[GENERATION] === value
    ? annotations
    : withKey(annotations, GENERATION, value);
};

/** `+007` is written `7`. A text that is no number stays: a server refuses it. */
function wholeNumber(text: unknown): unknown {
  return typeof text === "string" && /^[+-]?[0-9]+$/.test(text) ? String(BigInt(text.replace("+", ""))) : text;
}

export const deployment: Rule = ofStruct({
  metadata: ofStruct({ annotations: rollback }),
  spec: ofStruct({
    replicas: whenUnset(1),
    strategy: rolling({ maxUnavailable: whenUnset("25%"), maxSurge: whenUnset("25%") }),
    revisionHistoryLimit: whenUnset(10),
    progressDeadlineSeconds: whenUnset(600),
    template: podTemplate,
  }),
});

export const daemonSet: Rule = ofStruct({
  metadata: ofStruct({ annotations: generation }),
  spec: ofStruct({
    updateStrategy: rolling({ maxUnavailable: whenUnset(1), maxSurge: whenUnset(0) }),
    revisionHistoryLimit: whenUnset(10),
    template: podTemplate,
  }),
});

const claimTemplate: Rule = sequence(
  ofStruct(claim),
  ofObject((given) => {
    given.kind = "PersistentVolumeClaim";
    given.apiVersion = "v1";
  }),
);

export const statefulSet: Rule = ofStruct({
  spec: ofStruct({
    podManagementPolicy: zero("OrderedReady"),
    updateStrategy: statefulUpdate,
    persistentVolumeClaimRetentionPolicy: ensured({ whenDeleted: zero("Retain"), whenScaled: zero("Retain") }),
    replicas: whenUnset(1),
    revisionHistoryLimit: whenUnset(10),
    template: podTemplate,
    volumeClaimTemplates: each(claimTemplate),
  }),
});

export const replicaSet: Rule = ofStruct({ spec: ofStruct({ replicas: whenUnset(1), template: podTemplate }) });

export const replicationController: Rule = sequence(
  ofStruct({ spec: ofStruct({ replicas: whenUnset(1), template: podTemplate }) }),
  selectorOfTemplate,
  labelsOfTemplate,
);

export const job: Rule = sequence(ofStruct({ spec: jobSpec }), labelsOfTemplate);

/** The job in a cron job is a template: it gets the defaults of a job when it is one. */
export const cronJob: Rule = ofStruct({
  spec: ofStruct({
    concurrencyPolicy: zero("Allow"),
    suspend: whenUnset(false),
    successfulJobsHistoryLimit: whenUnset(3),
    failedJobsHistoryLimit: whenUnset(1),
    jobTemplate: ofStruct({ spec: jobTemplateSpec }),
  }),
});
