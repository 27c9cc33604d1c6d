// The columns of the kinds of other groups.

import type { KubeObject } from "@celadon/kube";
import type { HorizontalPodAutoscaler, MetricSpec, MetricStatus } from "@celadon/kube/api/autoscaling-v2";
import {
  AGE,
  ageOf,
  at,
  balancers,
  type Cell,
  type Column,
  durationText,
  type Fields,
  firstOf,
  flagAt,
  isCondition,
  labels,
  listAt,
  NAME,
  NONE,
  selector,
  selectorText,
  sizeOf,
  text,
  UNSET,
  wide,
  workload,
} from "./cells.ts";

const SELECTOR = selector("spec.selector");
const readyOf: Cell = (object, now) =>
  `${at("status.readyReplicas", 0)(object, now)}/${at("spec.replicas", 0)(object, now)}`;

const JOB_STATES = ["Complete", "Failed", "", "Suspended", "FailureTarget", "SuccessCriteriaMet"];

const jobStatus: Cell = (object) => {
  const state = JOB_STATES.find((type) =>
    type === "" ? Boolean(object.metadata?.deletionTimestamp) : isCondition(object, type),
  );
  return state === "" ? "Terminating" : (state ?? "Running");
};

const completions: Cell = (object, now) => {
  const done = at("status.succeeded", 0)(object, now);
  const wanted = at("spec.completions", null)(object, now);
  if (wanted !== null) return `${done}/${wanted}`;
  const parallelism = at("spec.parallelism", 0)(object, now) as number;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
};

const jobDuration: Cell = (object, now) => {
  const start = at("status.startTime")(object, now) as string;
  const end = at("status.completionTime")(object, now) as string;
  if (start === "") return "";
  return durationText(((end === "" ? now : Date.parse(end)) - Date.parse(start)) / 1000);
};

const since =
  (path: string, absent: string): Cell =>
  (object, now) => {
    const time = at(path)(object, now) as string;
    return time === "" ? absent : ageOf(time, now);
  };

/** `True`, `False` or nothing known. */
const boolText = (path: string): Cell => {
  const read = at(path, null);
  return (object, now) => {
    const value = read(object, now);
    return value === null ? UNSET : value ? "True" : "False";
  };
};

const METRIC_FIELDS = {
  External: "external",
  Pods: "pods",
  Object: "object",
  Resource: "resource",
  ContainerResource: "containerResource",
} as const;

function metricText(spec: MetricSpec, status: MetricStatus | undefined): string {
  const field = METRIC_FIELDS[spec.type as keyof typeof METRIC_FIELDS];
  if (field === undefined) return "<unknown type>";
  const { target = {}, name = "" } = (spec[field] ?? {}) as { target?: Fields; name?: string };
  const { current = {} } = (status?.[field] ?? {}) as { current?: Fields };
  const isResource = field === "resource" || field === "containerResource";
  if (isResource) {
    if (target.averageValue !== undefined)
      return `${name}: ${current.averageValue ?? "<unknown>"}/${target.averageValue}`;
    const share = (value: unknown, absent: string): string => (value === undefined ? absent : `${value}%`);
    return `${name}: ${share(current.averageUtilization, "<unknown>")}/${share(target.averageUtilization, "<auto>")}`;
  }
  if (target.averageValue !== undefined) {
    const average = field === "pods" ? "" : " (avg)";
    return `${current.averageValue ?? "<unknown>"}/${target.averageValue}${average}`;
  }
  return `${current.value ?? "<unknown>"}/${target.value ?? "0"}`;
}

function targets({ spec, status }: HorizontalPodAutoscaler): string {
  const metrics = spec?.metrics ?? [];
  if (metrics.length === 0) return NONE;
  const texts = metrics.map((metric, i) => metricText(metric, status?.currentMetrics?.[i]));
  const shown = texts.slice(0, 2).join(", ");
  return texts.length > 2 ? `${shown} + ${texts.length - 2} more...` : shown;
}

const AUTOSCALER: readonly Column[] = [
  NAME,
  [
    "Reference",
    (object, now) => `${at("spec.scaleTargetRef.kind")(object, now)}/${at("spec.scaleTargetRef.name")(object, now)}`,
  ],
  ["Targets", (object) => targets(object as HorizontalPodAutoscaler)],
  ["MinPods", (object, now) => String(at("spec.minReplicas", UNSET)(object, now))],
  ["MaxPods", at("spec.maxReplicas", 0)],
  ["Replicas", at("status.currentReplicas", 0)],
  AGE,
];

const hosts: Cell = (object) => {
  const rules = listAt(object, "spec.rules");
  const named = rules.map(({ host }) => host).filter(Boolean);
  if (named.length === 0) return "*";
  const shown = named.slice(0, 3).join(",");
  return named.length >= 3 && rules.length > 3 ? `${shown} + ${rules.length - 3} more...` : shown;
};

const isDefault = ({ metadata }: KubeObject, annotation: string): boolean =>
  metadata?.annotations?.[annotation] === "true";

const nameWithDefault = (...annotations: readonly string[]): Column =>
  // prettier-ignore
  [
    "Name",
    (object) =>
      `${object.metadata?.name ?? ""}${annotations.some((name) => isDefault(object, name)) ? " (default)" : ""}`,
  ];

const STORAGE_DEFAULTS = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

const parameters: Cell = (object, now) => {
  const { kind, apiGroup, name } = at("spec.parameters", {})(object, now) as Fields;
  return kind === undefined ? NONE : `${kind}${apiGroup === undefined ? "" : `.${apiGroup}`}/${name}`;
};

const subjects =
  (kind: string): Cell =>
  (object) =>
    listAt(object, "subjects")
      .filter((subject) => subject.kind === kind)
      .map(({ name, namespace }) => (kind === "ServiceAccount" ? `${namespace ?? ""}/${name}` : name))
      .join(", ");

const BINDING: readonly Column[] = [
  NAME,
  ["Role", (object, now) => `${at("roleRef.kind")(object, now)}/${at("roleRef.name")(object, now)}`],
  AGE,
  wide("Users", subjects("User")),
  wide("Groups", subjects("Group")),
  wide("ServiceAccounts", subjects("ServiceAccount")),
];

const certificateState: Cell = (object, now) => {
  const types = new Set(listAt(object, "status.conditions").map(({ type }) => type));
  const decision = types.has("Denied") ? "Denied" : types.has("Approved") ? "Approved" : "Pending";
  return `${decision}${types.has("Failed") ? ",Failed" : ""}${at("status.certificate")(object, now) === "" ? "" : ",Issued"}`;
};

const paramKind: Cell = (object, now) => {
  const { apiVersion, kind } = at("spec.paramKind", {})(object, now) as Fields;
  return kind === undefined ? UNSET : `${apiVersion}/${kind}`;
};

const paramRef: Cell = (object, now) => {
  const reference = at("spec.paramRef", {})(object, now) as Fields;
  if (reference.name) return `${reference.namespace || "*"}/${reference.name}`;
  return reference.selector === undefined ? UNSET : goSelector(reference.selector as Fields);
};

/** Prints the struct as Go does. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: Fields): string {
  const pairs = Object.entries(matchLabels as Record<string, string>).sort(([a], [b]) => (a < b ? -1 : 1));
  const map = `map[string]string{${pairs.map(([key, value]) => `${key}: ${value},`).join("")}}`;
  const expressions = (matchExpressions as Fields[]).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values as string[]).join(" ")}],}`,
  );
  const list = `[]LabelSelectorRequirement{${expressions.map((expression) => `${expression},`).join("")}}`;
  return `&LabelSelector{MatchLabels:${map},MatchExpressions:${list},}`;
}

const POLICY_BINDING: readonly Column[] = [NAME, ["PolicyName", at("spec.policyName")], ["ParamRef", paramRef], AGE];
const WEBHOOKS: readonly Column[] = [NAME, ["Webhooks", sizeOf("webhooks"), "integer"], AGE];

const controllerOf: Cell = ({ metadata }) => {
  const owner = ((metadata?.ownerReferences ?? []) as readonly unknown[] as readonly Fields[]).find(
    ({ controller }) => controller,
  );
  if (owner === undefined) return NONE;
  const [group = ""] = String(owner.apiVersion).includes("/") ? String(owner.apiVersion).split("/") : [];
  return `${`${owner.kind}${group === "" ? "" : `.${group}`}`.toLowerCase()}/${owner.name}`;
};

const claimState: Cell = (object, now) => {
  const isDeleted = Boolean(object.metadata?.deletionTimestamp);
  const states = isDeleted ? ["deleted"] : [];
  if (at("status.allocation", null)(object, now) === null)
    return [...states, ...(isDeleted ? [] : ["pending"])].join(",");
  return [...states, "allocated", ...(listAt(object, "status.reservedFor").length > 0 ? ["reserved"] : [])].join(",");
};

const parentOf: Cell = (object, now) => {
  const { group = "", resource = "", namespace, name = "" } = at("spec.parentRef", {})(object, now) as Fields;
  if (name === "") return NONE;
  const kind = `${resource}${group === "" ? "" : `.${group}`}`.toLowerCase();
  return `${kind}${namespace ? `/${namespace}` : ""}/${name}`;
};

const slicePorts: Cell = (object) =>
  firstOf(
    listAt(object, "ports").map(({ port, name }) => port ?? name ?? "*"),
    3,
    UNSET,
  );
const sliceAddresses: Cell = (object) =>
  firstOf(
    listAt(object, "endpoints").flatMap(({ addresses }) => addresses as string[]),
    3,
    UNSET,
  );

const queuing = (field: string): Cell => at(`spec.limited.limitResponse.queuing.${field}`, NONE);

const serviceOf: Cell = (object, now) => {
  const { namespace, name } = at("spec.service", {})(object, now) as Fields;
  return name === undefined ? "Local" : `${namespace}/${name}`;
};

const availability: Cell = (object) => {
  const found = listAt(object, "status.conditions").find(({ type }) => type === "Available");
  if (found === undefined) return "Unknown";
  return found.status === "True" ? "True" : `${found.status} (${found.reason ?? ""})`;
};

// biome-ignore format: one kind per line
export const GROUPS: Readonly<Record<string, readonly Column[]>> = {
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicy": [NAME, ["Mutations", sizeOf("spec.mutations"), "integer"], ["ParamKind", paramKind], AGE],
  "admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding": POLICY_BINDING,
  "admissionregistration.k8s.io/v1/MutatingWebhookConfiguration": WEBHOOKS,
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy": [NAME, ["Validations", sizeOf("spec.validations"), "integer"], ["ParamKind", paramKind], AGE],
  "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding": POLICY_BINDING,
  "admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration": WEBHOOKS,
  "apiregistration.k8s.io/v1/APIService": [NAME, ["Service", serviceOf], ["Available", availability], AGE],
  "apps/v1/ControllerRevision": [NAME, ["Controller", controllerOf], ["Revision", at("revision", 0)], AGE],
  "apps/v1/DaemonSet": [NAME, ["Desired", at("status.desiredNumberScheduled", 0), "integer"], ["Current", at("status.currentNumberScheduled", 0), "integer"], ["Ready", at("status.numberReady", 0), "integer"], ["Up-to-date", at("status.updatedNumberScheduled", 0), "integer"], ["Available", at("status.numberAvailable", 0), "integer"], ["Node Selector", labels("spec.template.spec.nodeSelector")], AGE, ...workload("spec.template", SELECTOR)],
  "apps/v1/Deployment": [NAME, ["Ready", readyOf], ["Up-to-date", at("status.updatedReplicas", 0)], ["Available", at("status.availableReplicas", 0)], AGE, ...workload("spec.template", (object, now) => selectorText(at("spec.selector", {})(object, now)))],
  "apps/v1/ReplicaSet": [NAME, ["Desired", at("spec.replicas", 0), "integer"], ["Current", at("status.replicas", 0), "integer"], ["Ready", at("status.readyReplicas", 0), "integer"], AGE, ...workload("spec.template", SELECTOR)],
  "apps/v1/StatefulSet": [NAME, ["Ready", readyOf], AGE, ...workload("spec.template")],
  "autoscaling/v1/HorizontalPodAutoscaler": AUTOSCALER,
  "autoscaling/v2/HorizontalPodAutoscaler": AUTOSCALER,
  "batch/v1/CronJob": [NAME, ["Schedule", at("spec.schedule")], ["Timezone", at("spec.timeZone", NONE)], ["Suspend", boolText("spec.suspend"), "boolean"], ["Active", sizeOf("status.active"), "integer"], ["Last Schedule", since("status.lastScheduleTime", NONE)], AGE, ...workload("spec.jobTemplate.spec.template", selector("spec.jobTemplate.spec.selector"))],
  "batch/v1/Job": [NAME, ["Status", jobStatus], ["Completions", completions], ["Duration", jobDuration], AGE, ...workload("spec.template", SELECTOR)],
  "certificates.k8s.io/v1/CertificateSigningRequest": [NAME, AGE, ["SignerName", text("spec.signerName", NONE)], ["Requestor", at("spec.username")], ["RequestedDuration", (object, now) => { const seconds = at("spec.expirationSeconds", null)(object, now); return seconds === null ? NONE : durationText(seconds as number); }], ["Condition", certificateState]],
  "coordination.k8s.io/v1/Lease": [NAME, ["Holder", at("spec.holderIdentity")], AGE],
  "discovery.k8s.io/v1/EndpointSlice": [NAME, ["AddressType", at("addressType")], ["Ports", slicePorts], ["Endpoints", sliceAddresses], AGE],
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": [NAME, ["PriorityLevel", at("spec.priorityLevelConfiguration.name")], ["MatchingPrecedence", at("spec.matchingPrecedence", 0)], ["DistinguisherMethod", at("spec.distinguisherMethod.type", NONE)], AGE, ["MissingPL", (object) => listAt(object, "status.conditions").find(({ type }) => type === "Dangling")?.status ?? "?"]],
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": [NAME, ["Type", at("spec.type")], ["NominalConcurrencyShares", at("spec.limited.nominalConcurrencyShares", NONE)], ["Queues", queuing("queues")], ["HandSize", queuing("handSize")], ["QueueLengthLimit", queuing("queueLengthLimit")], AGE],
  "networking.k8s.io/v1/Ingress": [NAME, ["Class", at("spec.ingressClassName", NONE)], ["Hosts", hosts], ["Address", balancers], ["Ports", (object) => (listAt(object, "spec.tls").length > 0 ? "80, 443" : "80")], AGE],
  "networking.k8s.io/v1/IngressClass": [nameWithDefault("ingressclass.kubernetes.io/is-default-class"), ["Controller", at("spec.controller")], ["Parameters", parameters], AGE],
  "networking.k8s.io/v1/IPAddress": [NAME, ["ParentRef", parentOf], ["", AGE[1]]],
  "networking.k8s.io/v1/NetworkPolicy": [NAME, ["Pod-Selector", selector("spec.podSelector")], AGE],
  "networking.k8s.io/v1/ServiceCIDR": [NAME, ["CIDRs", (object, now) => (at("spec.cidrs", [])(object, now) as string[]).join(",")], AGE],
  "node.k8s.io/v1/RuntimeClass": [NAME, ["Handler", at("handler")], AGE],
  "policy/v1/PodDisruptionBudget": [NAME, ["Min Available", (object, now) => String(at("spec.minAvailable", "N/A")(object, now))], ["Max Unavailable", (object, now) => String(at("spec.maxUnavailable", "N/A")(object, now))], ["Allowed Disruptions", at("status.disruptionsAllowed", 0), "integer"], AGE],
  "rbac.authorization.k8s.io/v1/ClusterRoleBinding": BINDING,
  "rbac.authorization.k8s.io/v1/RoleBinding": BINDING,
  "resource.k8s.io/v1/DeviceClass": [NAME, AGE],
  "resource.k8s.io/v1/ResourceClaim": [NAME, ["State", claimState], AGE],
  "resource.k8s.io/v1/ResourceClaimTemplate": [NAME, AGE],
  "resource.k8s.io/v1/ResourceSlice": [NAME, ["Node", at("spec.nodeName")], ["Driver", at("spec.driver")], ["Pool", at("spec.pool.name")], AGE],
  "scheduling.k8s.io/v1/PriorityClass": [NAME, ["Value", at("value", 0), "integer"], ["Global-Default", flagAt("globalDefault", false), "boolean"], AGE, ["PreemptionPolicy", at("preemptionPolicy")]],
  "storage.k8s.io/v1/CSIDriver": [NAME, ["AttachRequired", flagAt("spec.attachRequired", true), "boolean"], ["PodInfoOnMount", flagAt("spec.podInfoOnMount", false), "boolean"], ["StorageCapacity", flagAt("spec.storageCapacity", false), "boolean"], ["TokenRequests", (object, now) => { const requests = at("spec.tokenRequests", null)(object, now) as Fields[] | null; return requests === null ? UNSET : requests.map(({ audience }) => audience).join(","); }], ["RequiresRepublish", flagAt("spec.requiresRepublish", false), "boolean"], ["Modes", (object, now) => (at("spec.volumeLifecycleModes", [])(object, now) as string[]).join(",") || NONE], AGE],
  "storage.k8s.io/v1/CSINode": [NAME, ["Drivers", sizeOf("spec.drivers"), "integer"], AGE],
  "storage.k8s.io/v1/StorageClass": [nameWithDefault(...STORAGE_DEFAULTS), ["Provisioner", at("provisioner")], ["ReclaimPolicy", at("reclaimPolicy", "Delete")], ["VolumeBindingMode", at("volumeBindingMode", "Immediate")], ["AllowVolumeExpansion", flagAt("allowVolumeExpansion", false)], AGE],
  "storage.k8s.io/v1/VolumeAttachment": [NAME, ["Attacher", at("spec.attacher")], ["PV", at("spec.source.persistentVolumeName")], ["Node", at("spec.nodeName")], ["Attached", flagAt("status.attached", false), "boolean"], AGE],
  "storage.k8s.io/v1/VolumeAttributesClass": [NAME, ["DriverName", at("driverName")], AGE],
};
