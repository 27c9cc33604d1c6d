// The columns `kubectl get` prints. Built-in kinds have those people know; a definition may name its own.

import type { PrinterColumn } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import { type ColumnDefinition, DEFAULT_COLUMNS, type TableColumns } from "./table.ts";

type Cell = (object: KubeObject, now: number) => unknown;
type Column = readonly [name: string, cell: Cell, type?: string, priority?: number];

const NAME: Column = ["Name", ({ metadata }) => metadata?.name ?? ""];
const AGE: Column = ["Age", ({ metadata }, now) => ageOf(metadata?.creationTimestamp ?? undefined, now)];

/** The value at a dotted path. */
function at(path: string, absent: unknown = ""): Cell {
  const steps = path.split(".");
  return (object) => {
    let value: unknown = object;
    for (const step of steps) value = (value as Record<string, unknown> | null | undefined)?.[step];
    return value ?? absent;
  };
}

const sizeOf = (path: string): Cell => {
  const read = at(path, {});
  return (object) => Object.keys(read(object, 0) as object).length;
};

const joined = (path: string, text: (item: Record<string, unknown>) => unknown): Cell => {
  const read = at(path, []);
  return (object) => (read(object, 0) as Record<string, unknown>[]).map(text).join(",") || "<none>";
};

const ready: Cell = (object) => {
  const statuses = at("status.containerStatuses", [])(object, 0) as { ready?: boolean }[];
  const containers = at("spec.containers", [])(object, 0) as unknown[];
  return `${statuses.filter((one) => one.ready).length}/${containers.length}`;
};

const portText = ({ port, nodePort, protocol }: Record<string, unknown>): string =>
  `${port}${nodePort ? `:${nodePort}` : ""}/${protocol ?? "TCP"}`;

const restarts: Cell = (object) =>
  (at("status.containerStatuses", [])(object, 0) as { restartCount?: number }[]).reduce(
    (sum, one) => sum + (one.restartCount ?? 0),
    0,
  );

// biome-ignore format: one kind per line
const KINDS: Readonly<Record<string, readonly Column[]>> = {
  "v1/Namespace": [NAME, ["Status", at("status.phase")], AGE],
  "v1/ConfigMap": [NAME, ["Data", (object) => sizeOf("data")(object, 0) as number + (sizeOf("binaryData")(object, 0) as number), "string"], AGE],
  "v1/Secret": [NAME, ["Type", at("type")], ["Data", sizeOf("data"), "string"], AGE],
  "v1/ServiceAccount": [NAME, ["Secrets", (object) => (at("secrets", [])(object, 0) as unknown[]).length, "string"], AGE],
  "v1/Pod": [NAME, ["Ready", ready], ["Status", at("status.phase")], ["Restarts", restarts, "string"], AGE, ["IP", at("status.podIP", "<none>"), "string", 1], ["Node", at("spec.nodeName", "<none>"), "string", 1]],
  "v1/Service": [NAME, ["Type", at("spec.type")], ["Cluster-IP", at("spec.clusterIP", "<none>")], ["External-IP", joined("status.loadBalancer.ingress", ({ ip, hostname }) => ip ?? hostname)], ["Port(s)", joined("spec.ports", portText)], AGE],
  "v1/Node": [NAME, ["Status", (object) => ((at("status.conditions", [])(object, 0) as { type?: string; status?: string }[]).some(({ type, status }) => type === "Ready" && status === "True") ? "Ready" : "NotReady")], AGE, ["Version", at("status.nodeInfo.kubeletVersion")]],
  "v1/Event": [["Last Seen", (object, now) => ageOf((object.lastTimestamp ?? object.eventTime ?? object.metadata?.creationTimestamp) as string | undefined, now)], ["Type", at("type")], ["Reason", at("reason")], ["Object", (object) => `${String(at("involvedObject.kind")(object, 0)).toLowerCase()}/${at("involvedObject.name")(object, 0)}`], ["Message", at("message")]],
  "v1/PersistentVolumeClaim": [NAME, ["Status", at("status.phase")], ["Volume", at("spec.volumeName")], ["Capacity", at("status.capacity.storage")], AGE],
  "v1/ResourceQuota": [NAME, ["Request", (object) => Object.entries(at("status.hard", {})(object, 0) as object).map(([key, hard]) => `${key}: ${(at("status.used", {})(object, 0) as Record<string, string>)[key] ?? 0}/${hard}`).join(", ")], AGE],
  "apps/v1/Deployment": [NAME, ["Ready", (object) => `${at("status.readyReplicas", 0)(object, 0)}/${at("spec.replicas", 0)(object, 0)}`], ["Up-to-date", at("status.updatedReplicas", 0), "string"], ["Available", at("status.availableReplicas", 0), "string"], AGE],
  "apps/v1/ReplicaSet": [NAME, ["Desired", at("spec.replicas", 0), "integer"], ["Current", at("status.replicas", 0), "integer"], ["Ready", at("status.readyReplicas", 0), "integer"], AGE],
  "apps/v1/StatefulSet": [NAME, ["Ready", (object) => `${at("status.readyReplicas", 0)(object, 0)}/${at("spec.replicas", 0)(object, 0)}`], AGE],
  "apps/v1/DaemonSet": [NAME, ["Desired", at("status.desiredNumberScheduled", 0), "integer"], ["Current", at("status.currentNumberScheduled", 0), "integer"], ["Ready", at("status.numberReady", 0), "integer"], AGE],
  "batch/v1/Job": [NAME, ["Status", (object) => (at("status.completionTime")(object, 0) ? "Complete" : "Running")], ["Completions", (object) => `${at("status.succeeded", 0)(object, 0)}/${at("spec.completions", 1)(object, 0)}`], AGE],
  "batch/v1/CronJob": [NAME, ["Schedule", at("spec.schedule")], ["Suspend", (object) => (at("spec.suspend", false)(object, 0) ? "True" : "False")], AGE],
  "coordination.k8s.io/v1/Lease": [NAME, ["Holder", at("spec.holderIdentity")], AGE],
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": [NAME, ["Validations", (object) => (at("spec.validations", [])(object, 0) as unknown[]).length, "integer"], ["ParamKind", (object) => { const { apiVersion, kind } = at("spec.paramKind", {})(object, 0) as { apiVersion?: string; kind?: string }; return kind === undefined ? "<unset>" : `${apiVersion}/${kind}`; }], AGE],
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": [NAME, ["PolicyName", at("spec.policyName")], ["ParamRef", (object) => String(at("spec.paramRef.name", "<unset>")(object, 0))], AGE],
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": [NAME, ["Webhooks", (object) => (at("webhooks", [])(object, 0) as unknown[]).length, "integer"], AGE],
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": [NAME, ["Webhooks", (object) => (at("webhooks", [])(object, 0) as unknown[]).length, "integer"], AGE],
  "rbac.authorization.k8s.io/v1/RoleBinding": [NAME, ["Role", (object) => `${at("roleRef.kind")(object, 0)}/${at("roleRef.name")(object, 0)}`], AGE],
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": [NAME, ["Role", (object) => `${at("roleRef.kind")(object, 0)}/${at("roleRef.name")(object, 0)}`], AGE],
};

const NAME_DESCRIPTION: string = DEFAULT_COLUMNS.definitions[0]!.description;

/** Of a built-in kind, in its own version. */
export function builtinColumns(apiVersion: string, kind: string): TableColumns {
  const columns = KINDS[`${apiVersion}/${kind}`];
  return columns === undefined ? DEFAULT_COLUMNS : columnsOf(columns);
}

function columnsOf(columns: readonly Column[]): TableColumns {
  const definitions = columns.map(([name, , type = "string", priority = 0]): ColumnDefinition => {
    const isName = name === "Name";
    return { name, type, format: isName ? "name" : "", description: isName ? NAME_DESCRIPTION : "", priority };
  });
  return { definitions, cells: (object, now) => columns.map(([, cell]) => cell(object, now)) };
}

/** Of a custom resource: what its definition names, or the age. */
export function customColumns(columns: readonly PrinterColumn[] | undefined): TableColumns {
  if (columns === undefined || columns.length === 0) return columnsOf([NAME, ["Age", AGE[1], "date"]]);
  const own = columns.map(({ name = "", type = "string", format = "", description = "", priority = 0 }) => ({
    name,
    type,
    format,
    description: description || "Custom resource definition column (in JSONPath format): ",
    priority,
  }));
  const cells = columns.map(({ jsonPath = "", type }) => cellOf(jsonPath, type));
  const first = columnsOf([NAME]);
  return {
    definitions: [...first.definitions, ...own],
    cells: (object, now) => [object.metadata?.name ?? "", ...cells.map((cell) => cell(object, now))],
  };
}

function cellOf(jsonPath: string, type: string | undefined): Cell {
  const steps = jsonPath.match(/[^.[\]'"]+/g) ?? [];
  return (object, now) => {
    let value: unknown = object;
    for (const step of steps) value = (value as Record<string, unknown> | null | undefined)?.[step];
    if (value === undefined || value === null) return null;
    if (type === "date") return ageOf(String(value), now);
    return typeof value === "object" ? JSON.stringify(value) : type === "string" ? String(value) : value;
  };
}

/** As kubectl shortens durations: `45s`, `3m20s`, `5h2m`, `12d`. */
export function ageOf(time: string | undefined, now: number): string {
  if (time === undefined) return "<unknown>";
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1000));
  if (Number.isNaN(seconds)) return "<invalid>";
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return withRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return withRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return `${hours}h`;
  if (days < 8) return withRest(days, "d", hours % 24, "h");
  if (days < 730) return `${days}d`;
  return withRest(Math.floor(days / 365), "y", days % 365, "d");
}

const withRest = (whole: number, unit: string, rest: number, lesser: string): string =>
  rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${lesser}`;
