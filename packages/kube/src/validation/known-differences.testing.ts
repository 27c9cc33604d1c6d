// Recorded requests that are answered otherwise here, with the reason.

/** By file of recordings: the id of the request, and why it differs. */
export const KNOWN_DIFFERENCES: Readonly<Record<string, Readonly<Record<string, string>>>> = {};

/**
 * The number of answers of a version that are not yet given here, in their texts or warnings. Up to 1.33 these are values that Go prints in
 * its own syntax with types that no table has yet, and orders of errors; none is about being allowed or denied but those listed.
 */
export const MINOR_DIFFERENCES: Readonly<Record<string, number>> = {
  "1.30": 511,
  "1.32": 423,
  "1.33": 355,
  "1.34": 44,
  "1.35": 1,
  "1.37": 0,
};

/** By minor, requests that are allowed here and denied there, or the other way round. */
export const VERDICT_DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  "1.30": [
    "controllerrevision/data list",
    "controllerrevision/data text",
    'pod-container/spec.containers.0.env.0.name " "',
    "pod-min/env name ..",
    "pod-min/env name A B",
    "pod-min/envFrom prefix",
    "pod-min/metadata generation",
    "pv/update vac removed",
    "resourcequota/vac scope",
    "service-lb/port 10250",
    "statefulset/update revisionHistoryLimit",
    "statefulset/update warn history",
  ],
  "1.32": [
    "pod-min/metadata generation",
    "resourcequota/vac scope",
    "service-lb/port 10250",
    "statefulset/update revisionHistoryLimit",
    "statefulset/update warn history",
  ],
  "1.33": ["pod-min/userns devices"],
};

/** Kinds without rules. */
export const NOT_COVERED: ReadonlySet<string> = new Set([]);
