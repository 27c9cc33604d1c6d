// Defaults of what makes pods: k8s.io/kubernetes pkg/apis/{apps,batch,core}/v1, Kubernetes 1.36.

import { isRecord } from "@celadon/base";
import { podTemplate } from "./pod.ts";
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
import { claimSpec } from "./volume.ts";

/** What a strategy of this type says further; it is the type where none is given. */
function rolling(fields: Fields): Rule {
  return sequence(
    always({ type: zero("RollingUpdate") }),
    whole((given) =>
      get(given, "type") === "RollingUpdate" ? (within({ rollingUpdate: always(fields) })(given) as JsonObject) : given,
    ),
  );
}

// A stateful set that names the type gets no rolling update of its own.
const statefulUpdate: Rule = sequence(
  (given) => given ?? {},
  whole((given) => {
    if (!isZero(get(given, "type"))) return given;
    return withFields(given, { type: "RollingUpdate", rollingUpdate: get(given, "rollingUpdate") ?? {} });
  }),
  whole((given) =>
    get(given, "type") === "RollingUpdate"
      ? (within({ rollingUpdate: within({ partition: unset(0) }) })(given) as JsonObject)
      : given,
  ),
);

const failurePolicy: Rule = within({
  rules: each(within({ onPodConditions: each(within({ status: zero("True") })) })),
});

const jobSpec: Rule = sequence(
  always({ template: podTemplate, podFailurePolicy: failurePolicy }),
  whole((spec) =>
    get(spec, "completions") === undefined && get(spec, "parallelism") === undefined
      ? withFields(spec, { completions: 1, parallelism: 1 })
      : spec,
  ),
  whole((spec) =>
    withFields(spec, {
      parallelism: get(spec, "parallelism") ?? 1,
      backoffLimit: get(spec, "backoffLimit") ?? (get(spec, "backoffLimitPerIndex") === undefined ? 6 : 2 ** 31 - 1),
      podReplacementPolicy:
        get(spec, "podReplacementPolicy") ??
        (get(spec, "podFailurePolicy") === undefined ? "TerminatingOrFailed" : "Failed"),
    }),
  ),
  within({ completionMode: unset("NonIndexed"), suspend: unset(false), manualSelector: unset(false) }),
);

/** The labels of the template are those of an object that has none. */
const labelsOfTemplate: Rule = whole((object) => {
  const labels = templateLabels(object);
  const metadata = get(object, "metadata");
  if (labels === undefined || !isRecord(metadata) || !isEmpty(get(metadata, "labels"))) return object;
  return withFields(object, { metadata: withFields(metadata, { labels }) });
});

const selectorOfTemplate: Rule = whole((object) => {
  const labels = templateLabels(object);
  const spec = get(object, "spec");
  if (labels === undefined || !isRecord(spec) || !isEmpty(get(spec, "selector"))) return object;
  return withFields(object, { spec: withFields(spec, { selector: labels }) });
});

function templateLabels(object: JsonObject): JsonObject | undefined {
  let found: unknown = object;
  for (const step of ["spec", "template", "metadata", "labels"]) found = isRecord(found) ? get(found, step) : undefined;
  return isRecord(found) ? found : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}

export const deployment: Rule = within({
  spec: always({
    replicas: unset(1),
    strategy: rolling({ maxUnavailable: unset("25%"), maxSurge: unset("25%") }),
    revisionHistoryLimit: unset(10),
    progressDeadlineSeconds: unset(600),
    template: podTemplate,
  }),
});

export const daemonSet: Rule = within({
  spec: always({
    updateStrategy: rolling({ maxUnavailable: unset(1), maxSurge: unset(0) }),
    revisionHistoryLimit: unset(10),
    template: podTemplate,
  }),
});

export const statefulSet: Rule = within({
  spec: always({
    podManagementPolicy: zero("OrderedReady"),
    updateStrategy: statefulUpdate,
    persistentVolumeClaimRetentionPolicy: always({ whenDeleted: zero("Retain"), whenScaled: zero("Retain") }),
    replicas: unset(1),
    revisionHistoryLimit: unset(10),
    template: podTemplate,
    volumeClaimTemplates: each(
      within({
        spec: always(claimSpec),
        status: always({ phase: zero("Pending"), capacity: resourceList }),
      }),
    ),
  }),
});

export const replicaSet: Rule = within({ spec: always({ replicas: unset(1), template: podTemplate }) });

export const replicationController: Rule = sequence(
  within({
    spec: always({ replicas: unset(1), template: (given) => (given === undefined ? given : podTemplate(given)) }),
  }),
  selectorOfTemplate,
  labelsOfTemplate,
);

export const job: Rule = sequence(within({ spec: jobSpec }), labelsOfTemplate);

/** The job in a cron job is a template: it gets the defaults of a job when it is one. */
export const cronJob: Rule = within({
  spec: always({
    concurrencyPolicy: zero("Allow"),
    suspend: unset(false),
    successfulJobsHistoryLimit: unset(3),
    failedJobsHistoryLimit: unset(1),
    jobTemplate: always({ spec: always({ template: podTemplate, podFailurePolicy: failurePolicy }) }),
  }),
});
