// PolicyReports in a cluster (wgpolicyk8s.io/v1alpha2): one for each object with problems, named by its uid and owned
// by it, so no report grows with the cluster and deleting an object deletes its report. Unchanged reports are not
// written again; outdated ones are deleted.

import { createHash } from "node:crypto";
import { toJson } from "@celadon/base";
import { type Api, ApiError } from "@celadon/client";
import { type GroupVersionResource, type KubeObject, nameOf, namespaceOf } from "@celadon/kube";
import { listAll } from "./list-all.ts";

export const REPORTS: GroupVersionResource = {
  group: "wgpolicyk8s.io",
  version: "v1alpha2",
  resource: "policyreports",
};
export const CLUSTER_REPORTS: GroupVersionResource = { ...REPORTS, resource: "clusterpolicyreports" };

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

/** Writes PolicyReports, only where they change. */
export class ReportWriter {
  readonly #api: Api;
  /** Reports in the cluster, by namespace and name; the remaining ones are deleted in the end. */
  readonly #known = new Map<string, KnownReport>();
  readonly counts = { written: 0, unchanged: 0, deleted: 0 };

  constructor(api: Api) {
    this.#api = api;
  }

  /** Reads which reports there are. False where the cluster does not have the kinds. */
  async start(): Promise<boolean> {
    for (const resource of [REPORTS, CLUSTER_REPORTS]) {
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
    const report = reportOf(object, results);
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
      await this.#api.apply(namespace === "" ? CLUSTER_REPORTS : REPORTS, target, report, {
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
        await this.#api.delete(namespace === "" ? CLUSTER_REPORTS : REPORTS, {
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
}

const isTerminating = ({ status }: ApiError): boolean =>
  status.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") === true;

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
const LEVELS = ["pass", "fail", "warn", "error", "skip"] as const;

function reportOf(object: ReportedObject, results: readonly ReportResult[]): KubeObject {
  const { apiVersion, kind, namespace, name, uid } = object;
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
    scope: { apiVersion, kind, name, uid, ...(namespace && { namespace }) },
    summary: Object.fromEntries(LEVELS.map((level) => [level, rows.filter(({ result }) => result === level).length])),
    results: rows,
  };
  const hash = createHash("sha256").update(toJson(body)).digest("hex").slice(0, 16);
  return {
    apiVersion: "wgpolicyk8s.io/v1alpha2",
    kind: namespace ? "PolicyReport" : "ClusterPolicyReport",
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
