// Reports in a cluster, of openreports.io/v1alpha1 or its predecessor wgpolicyk8s.io/v1alpha2: one for each object with problems, named by its
// uid and owned by it, so no report grows with the cluster and deleting an object deletes its report. Unchanged reports are not
// written again; outdated ones are deleted.

import { createHash } from "node:crypto";
import { toJson } from "@celadon/base";
import { type Api, ApiError } from "@celadon/client";
import { type GroupVersionResource, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { listAll } from "./list-all.ts";

/** An API for reports: its resources and kinds for objects in a namespace and for others. Results have the same fields in all. */
export interface ReportApi {
  readonly reports: GroupVersionResource;
  readonly clusterReports: GroupVersionResource;
  readonly kind: string;
  readonly clusterKind: string;
  /** Fields of the report itself. */
  readonly fields: Readonly<Record<string, string>>;
}

const openReports = { group: "openreports.io", version: "v1alpha1" };
const policyReports = { group: "wgpolicyk8s.io", version: "v1alpha2" };

/** The newer one first: a cluster that serves both has it on purpose. */
export const REPORT_APIS: readonly ReportApi[] = [
  {
    reports: { ...openReports, resource: "reports" },
    clusterReports: { ...openReports, resource: "clusterreports" },
    kind: "Report",
    clusterKind: "ClusterReport",
    fields: { source: "celadon" },
  },
  {
    reports: { ...policyReports, resource: "policyreports" },
    clusterReports: { ...policyReports, resource: "clusterpolicyreports" },
    kind: "PolicyReport",
    clusterKind: "ClusterPolicyReport",
    fields: {},
  },
];

/** The object a report is about. */
export interface ReportedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly uid: string;
}

/** One line of a report. */
export interface ReportResult {
  readonly policy: string;
  readonly rule?: string;
  readonly result: "pass" | "fail" | "warn" | "error" | "skip";
  readonly message: string;
  readonly properties?: Readonly<Record<string, string>>;
}

interface KnownReport {
  readonly namespace: string;
  readonly name: string;
  readonly hash: string;
}

const MANAGED_BY = "celadon-audit";
const HASH = "celadon.dev/hash";
/** The longest message that alerting compares; a longer one is cut. */
const MESSAGE = 1024;

/** Writes reports, only where they change. */
export class ReportWriter {
  readonly #api: Api;
  readonly #kinds: ReportApi;
  /** Reports in the cluster, by namespace and name; the remaining ones are deleted in the end. */
  readonly #known = new Map<string, KnownReport>();
  readonly counts = { written: 0, unchanged: 0, deleted: 0 };

  constructor(api: Api, kinds: ReportApi) {
    this.#api = api;
    this.#kinds = kinds;
  }

  /** Reads which reports there are. False where the cluster does not have the kinds. */
  async start(): Promise<boolean> {
    for (const resource of [this.#kinds.reports, this.#kinds.clusterReports]) {
      const pages = listAll(this.#api, resource, { labelSelector: `app.kubernetes.io/managed-by=${MANAGED_BY}` });
      for (;;) {
        const { value, done } = await pages.next();
        if (done) {
          if (value?.why === "not served") return false;
          if (value !== undefined) throw new Error(`cannot read reports: ${value.message}`);
          break;
        }
        for (const report of value) {
          const [namespace, name] = [namespaceOf(report), nameOf(report)];
          this.#known.set(keyOf(namespace, name), {
            namespace,
            name,
            hash: report.metadata?.annotations?.[HASH] ?? "",
          });
        }
      }
    }
    return true;
  }

  async write(object: ReportedObject, results: readonly ReportResult[]): Promise<void> {
    const report = reportOf(object, results, this.#kinds);
    const { namespace = "", uid } = object;
    const key = keyOf(namespace, uid);
    const hash = report.metadata?.annotations?.[HASH];
    const isSame = this.#known.get(key)?.hash === hash;
    this.#known.delete(key);
    if (isSame) {
      this.counts.unchanged++;
      return;
    }
    const target = { name: uid, ...(namespace !== "" && { namespace }) };
    try {
      await this.#api.apply(this.#resourceFor(namespace), target, report, {
        fieldManager: MANAGED_BY,
        force: true,
      });
      this.counts.written++;
    } catch (error) {
      // The namespace is being deleted, and the reported object with it.
      if (!(error instanceof ApiError) || (error.code !== 404 && !isTerminating(error))) throw error;
    }
  }

  /** Deletes reports that were not written again. Only after an audit that saw everything. */
  async finish(): Promise<void> {
    for (const { namespace, name } of this.#known.values()) {
      try {
        await this.#api.delete(this.#resourceFor(namespace), {
          name,
          ...(namespace !== "" && { namespace }),
        });
        this.counts.deleted++;
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 404) throw error;
      }
    }
    this.#known.clear();
  }

  #resourceFor(namespace: string): GroupVersionResource {
    return namespace === "" ? this.#kinds.clusterReports : this.#kinds.reports;
  }
}

const isTerminating = ({ status }: ApiError): boolean =>
  status.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true;

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
const LEVELS = ["pass", "fail", "warn", "error", "skip"] as const;

function reportOf(object: ReportedObject, results: readonly ReportResult[], kinds: ReportApi): KubeObject {
  const { apiVersion, kind, namespace, name, uid } = object;
  const { group, version } = kinds.reports;
  const rows = results.map(({ policy, rule, result, message, properties }) => ({
    source: "celadon",
    policy,
    ...(rule && { rule }),
    result,
    scored: result !== "skip",
    message: message.length > MESSAGE ? `${message.slice(0, MESSAGE - 1)}…` : message,
    ...(properties && { properties }),
  }));
  const body = {
    ...kinds.fields,
    scope: { apiVersion, kind, name, uid, ...(namespace && { namespace }) },
    summary: Object.fromEntries(LEVELS.map((level) => [level, rows.filter(({ result }) => result === level).length])),
    results: rows,
  };
  const hash = createHash("sha256").update(toJson(body)).digest("hex").slice(0, 16);
  return {
    apiVersion: `${group}/${version}`,
    kind: namespace ? kinds.kind : kinds.clusterKind,
    metadata: {
      name: uid,
      ...(namespace && { namespace }),
      labels: { "app.kubernetes.io/managed-by": MANAGED_BY },
      annotations: { [HASH]: hash },
      ownerReferences: [{ apiVersion, kind, name, uid }],
    },
    ...body,
  };
}
