// Recorded requests that are answered otherwise here, with the reason.

/** By file of recordings: the id of the request, and why it differs. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deployment: {
    "deployment/scale replicas -1": "rule not written yet",
    "deployment/scale replicas 0": "rule not written yet",
  },
  node: {
    "node/avoid pods wrong": "rule not written yet",
  },
  persistentvolume: {
    "pv/spec.capacity.storage remove": "rule not written yet",
  },
  pod: {
    "pod-min/binding ok": "bindings are not served",
    "pod-min/binding no name": "bindings are not served",
    "pod-min/binding kind": "bindings are not served",
    "pod-min/eviction other name": "evictions are not served",
    "pod-min/eviction grace": "evictions are not served",
  },
  replicaset: {
    "replicaset/scale replicas 0": "rule not written yet",
  },
  serviceaccount: {
    "serviceaccount/token ok": "rule not written yet",
    "serviceaccount/token short": "rule not written yet",
    "serviceaccount/token long": "rule not written yet",
    "serviceaccount/token bound": "rule not written yet",
  },
  statefulset: {
    "statefulset/scale replicas 5": "rule not written yet",
  },
};

/** Kinds without rules. */
export const NOT_COVERED: ReadonlySet<string> = new Set([
  "apiservice",
  "binding",
  "deviceclass",
  "localsubjectaccessreview",
  "resourceclaim",
  "resourceclaimtemplate",
  "resourceslice",
  "selfsubjectaccessreview",
  "subjectaccessreview",
  "tokenreview",
]);
