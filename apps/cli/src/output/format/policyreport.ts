// `-o policyreport`: reports of wgpolicyk8s.io/v1alpha2, one per namespace and one for the cluster, ready for kubectl apply. Without
// time stamps, so that two runs over the same files write the same reports.

import type { CommandReport, Level, ReportRow, Subject } from "../answer.ts";
import { groupBy } from "../group-by.ts";
import { LazyList } from "../lazy-list.ts";
import { yamlPieces } from "./yaml.ts";

const LEVELS: readonly Level[] = ["pass", "fail", "warn", "error", "skip"];

export function* render(answer: CommandReport): Generator<string> {
  const groups = groupBy(answer.results, ({ subject }) => subject?.namespace ?? "");
  if (groups.size === 0) groups.set("", []);
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  for (const [i, [namespace, results]] of inOrder.entries()) {
    if (i > 0) yield "---\n";
    yield* yamlPieces(reportOf(namespace, results));
  }
}

function reportOf(namespace: string, results: readonly ReportRow[]): Readonly<Record<string, unknown>> {
  const clusterWide = namespace === "";
  return {
    apiVersion: "wgpolicyk8s.io/v1alpha2",
    kind: clusterWide ? "ClusterPolicyReport" : "PolicyReport",
    metadata: {
      name: "celadon",
      namespace: clusterWide ? undefined : namespace,
      labels: { "app.kubernetes.io/managed-by": "celadon" },
    },
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
