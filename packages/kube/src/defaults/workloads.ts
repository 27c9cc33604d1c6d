// Defaults of workloads: k8s.io/kubernetes pkg/apis/{apps,batch,core}/v1, Kubernetes 1.36.

import { podTemplate } from "./pod.ts";
import {
  each,
  ensured,
  type Fields,
  isStruct,
  isZero,
  type Rule,
  type Struct,
  sequence,
  set,
  unset,
  whole,
  within,
  withKey,
  withoutKeys,
  zero,
} from "./rules.ts";
import { claim } from "./volume.ts";

/** The defaults of this type of strategy; it is the type where none is given. */
function rolling(fields: Fields): Rule {
  const update = ensured(fields);
  // Numbers that may be absent in this version may not inside the server.
  const passed = within({ maxUnavailable: unset(0), maxSurge: unset(0) });
  return whole((strategy, by) => {
    if (isZero(strategy.type)) strategy.type = "RollingUpdate";
    if (strategy.type === "RollingUpdate") strategy.rollingUpdate = update(strategy.rollingUpdate, by);
    else passed(strategy.rollingUpdate, by);
  });
}

// A stateful set that names the type gets no rolling update of its own.
const statefulUpdate: Rule = whole((strategy, by) => {
  if (isZero(strategy.type)) {
    strategy.type = "RollingUpdate";
    strategy.rollingUpdate ??= {};
  }
  within({ partition: unset(0) })(strategy.rollingUpdate, by);
  if (strategy.type === "RollingUpdate" && by.enables("MaxUnavailableStatefulSet")) {
    within({ maxUnavailable: unset(1) })(strategy.rollingUpdate, by);
  }
});

const failurePolicy: Rule = within({
  rules: each(within({ onPodConditions: each(within({ status: zero("True") })) })),
});

const jobTemplateSpec: Rule = within({ template: podTemplate, podFailurePolicy: failurePolicy });

const jobSpec: Rule = sequence(
  jobTemplateSpec,
  whole((spec) => {
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
const labelsOfTemplate: Rule = whole((object) => {
  const { metadata } = object;
  if (isStruct(metadata)) set(metadata, "labels", metadata.labels ?? templateLabels(object));
});

const selectorOfTemplate: Rule = whole((object) => {
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

export const deployment: Rule = within({
  metadata: within({ annotations: rollback }),
  spec: within({
    replicas: unset(1),
    strategy: rolling({ maxUnavailable: unset("25%"), maxSurge: unset("25%") }),
    revisionHistoryLimit: unset(10),
    progressDeadlineSeconds: unset(600),
    template: podTemplate,
  }),
});

export const daemonSet: Rule = within({
  metadata: within({ annotations: generation }),
  spec: within({
    updateStrategy: rolling({ maxUnavailable: unset(1), maxSurge: unset(0) }),
    revisionHistoryLimit: unset(10),
    template: podTemplate,
  }),
});

const claimTemplate: Rule = sequence(
  within(claim),
  whole((given) => {
    given.kind = "PersistentVolumeClaim";
    given.apiVersion = "v1";
  }),
);

export const statefulSet: Rule = within({
  spec: within({
    podManagementPolicy: zero("OrderedReady"),
    updateStrategy: statefulUpdate,
    persistentVolumeClaimRetentionPolicy: ensured({ whenDeleted: zero("Retain"), whenScaled: zero("Retain") }),
    replicas: unset(1),
    revisionHistoryLimit: unset(10),
    template: podTemplate,
    volumeClaimTemplates: each(claimTemplate),
  }),
});

export const replicaSet: Rule = within({ spec: within({ replicas: unset(1), template: podTemplate }) });

export const replicationController: Rule = sequence(
  within({ spec: within({ replicas: unset(1), template: podTemplate }) }),
  selectorOfTemplate,
  labelsOfTemplate,
);

export const job: Rule = sequence(within({ spec: jobSpec }), labelsOfTemplate);

/** The job in a cron job is a template: it gets the defaults of a job when it is one. */
export const cronJob: Rule = within({
  spec: within({
    concurrencyPolicy: zero("Allow"),
    suspend: unset(false),
    successfulJobsHistoryLimit: unset(3),
    failedJobsHistoryLimit: unset(1),
    jobTemplate: within({ spec: jobTemplateSpec }),
  }),
});
