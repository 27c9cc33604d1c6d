// `-o policyreport`: reports of wgpolicyk8s.io/v1alpha2, and of its successor for openreports.ts: one per namespace and one for the
// cluster, ready for kubectl apply. Without time stamps, so that two runs over the same files write the same reports.

import type { CommandReport, Level, ReportRow, Subject } from "../answer.ts";
import { groupBy } from "../group-by.ts";
import { LazyList } from "../lazy-list.ts";
import { yamlPieces } from "./yaml.ts";

const LEVELS: readonly Level[] = ["pass", "fail", "warn", "error", "skip"];

/** The kinds of an API for reports. Results have the same fields in both. */
export interface ReportApi {
  readonly apiVersion: string;
  /** The kind in a namespace, and that of the cluster. */
  readonly kinds: readonly [string, string];
  /** Fields of the report itself. */
  readonly fields: Readonly<Record<string, string>>;
}

const POLICY_REPORTS: ReportApi = {
  apiVersion: "wgpolicyk8s.io/v1alpha2",
  kinds: ["PolicyReport", "ClusterPolicyReport"],
  fields: {},
};

export const render = (answer: CommandReport): Generator<string> => renderReports(answer, POLICY_REPORTS);

export function* renderReports(answer: CommandReport, api: ReportApi): Generator<string> {
  const groups = groupBy(answer.results, ({ subject }) => subject?.namespace ?? "");
  if (groups.size === 0) groups.set("", []);
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [i, [namespace, results]] of inOrder.entries()) {
    if (i > 0) yield "---\n";
    yield* yamlPieces(reportOf(namespace, results, api));
  }
}

function reportOf(
  namespace: string,
  results: readonly ReportRow[],
  { apiVersion, kinds, fields }: ReportApi,
): Readonly<Record<string, unknown>> {
  const clusterWide = namespace === "";
  return {
    apiVersion,
    kind: kinds[clusterWide ? 1 : 0],
    metadata: {
      name: "celadon",
      namespace: clusterWide ? undefined : namespace,
      labels: { "app.kubernetes.io/managed-by": "celadon" },
    },
    ...fields,
    summary: Object.fromEntries(
      LEVELS.map((level) => [level, results.filter((result) => result.level === level).length]),
    ),
    results: new LazyList(results, resultOf),
  };
}

function resultOf({ policy, policyRule, rule, level, message, system, subject, ...row }: ReportRow): unknown {
  return {
    source: "celadon",
    policy: policy ?? rule,
    rule: policyRule,
    category: system,
    result: level,
    scored: level !== "skip",
    message: message === "" ? undefined : message,
    resources: subject === undefined ? undefined : [referenceOf(subject)],
    properties: row.ruleUrl === undefined ? row.properties : { ...row.properties, url: row.ruleUrl },
  };
}

function referenceOf({ apiVersion, kind, namespace, name, uid }: Subject): unknown {
  return { apiVersion, kind, namespace, name, uid };
}
