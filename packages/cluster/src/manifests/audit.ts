// `celadon audit` in a cluster, every so often.

import type { KubeObject } from "@celadon/kube";
import { POLICY_GROUP_KINDS } from "../audit/policy-sources.ts";
import { REPORT_APIS } from "../audit/report-writer.ts";
import { podSpec } from "./pod.ts";
import { rights, rule } from "./rbac.ts";
import { labelsOf, type ManifestSettings, namespaceObjects } from "./settings.ts";

/** Settings of the audit's manifests. */
export interface AuditManifestSettings extends ManifestSettings {
  /** The schedule in the form of CronJobs. */
  readonly schedule: string;
  readonly writeReports: boolean;
  /** The resources that it may list beside workloads, as `resource.group`; `*` for everything. */
  readonly resources: readonly string[];
}

const WORKLOADS = [
  rule("", "pods services serviceaccounts persistentvolumeclaims configmaps replicationcontrollers", "list"),
  rule("apps", "deployments daemonsets replicasets statefulsets", "list"),
  rule("batch", "jobs cronjobs", "list"),
  rule("networking.k8s.io", "ingresses networkpolicies", "list"),
];

/** The objects that run audits in a cluster. */
export function auditManifests(settings: AuditManifestSettings): readonly KubeObject[] {
  const { name, namespace, schedule, writeReports, resources } = settings;
  const labels = labelsOf(settings, "audit");
  const args = ["--fail-on=never", "--color=never", ...(writeReports ? ["--write-reports"] : [])];
  return [
    ...namespaceObjects(settings),
    ...rights(settings, "audit", {
      cluster: [
        ...POLICY_GROUP_KINDS.flatMap(({ group, resource, as }) =>
          as.startsWith("Validating") ? [rule(group, resource, "list")] : [],
        ),
        rule("apiextensions.k8s.io", "customresourcedefinitions", "list"),
        rule("rbac.authorization.k8s.io", "clusterroles clusterrolebindings roles rolebindings", "list"),
        rule("", "namespaces", "list"),
        ...WORKLOADS,
        ...resources.map((text) => {
          const [resource = "", ...group] = text.split(".");
          return rule(text === "*" ? "*" : group.join("."), resource, "list");
        }),
        ...(writeReports
          ? REPORT_APIS.map(({ reports, clusterReports }) =>
              rule(reports.group, `${reports.resource} ${clusterReports.resource}`, "list create patch delete"),
            )
          : []),
      ],
      own: [],
    }),
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name, namespace, labels },
      spec: {
        schedule,
        // Two at once would write the same reports.
        concurrencyPolicy: "Forbid",
        startingDeadlineSeconds: 600,
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 3,
        jobTemplate: {
          metadata: { labels },
          spec: {
            backoffLimit: 1,
            activeDeadlineSeconds: 3600,
            template: {
              metadata: { labels },
              spec: { ...podSpec(settings, "audit", args), restartPolicy: "Never" },
            },
          },
        },
      },
    },
  ];
}
