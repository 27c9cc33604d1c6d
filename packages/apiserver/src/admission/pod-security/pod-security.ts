// Pod security: pods must satisfy the level that their namespace enforces; workloads get warnings and audit
// annotations; a change of a namespace to a stricter level warns about its pods that would be denied. Upstream:
// pod-security-admission admission/admission.go.

import type { AdmissionRequest } from "@celadon/admission";
import { objectName } from "@celadon/admission";
import { compareStrings, quoteGo } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Container, Pod, PodSpec, PodTemplateSpec } from "@celadon/kube/api/core-v1";
import { fieldErrorText } from "@celadon/kube/errors";
import { forbidden, invalidObject } from "@celadon/kube/status";
import type { AdmissionContext, AdmissionPlugin } from "@celadon/write";
import type { PodSecurityMetrics } from "../../metrics/pod-security-metrics.ts";
import { StatusError } from "../../wire/status-error.ts";
import { aggregate, type PluginHosts } from "../plugin-hosts.ts";
import type { PodMetadata } from "./checks.ts";
import { detailText, evaluatePod, reasonText } from "./evaluate.ts";
import { compareLevels, isPrivileged, isSame, type LevelVersion, levelVersionText, policyOf } from "./policy-labels.ts";

const ANNOTATION = "pod-security.kubernetes.io/";
/** The number of pods of a namespace that are checked when it becomes stricter. */
const MAX_PODS = 3000;
const IGNORED_SUBRESOURCES = new Set([
  "exec",
  "attach",
  "binding",
  "eviction",
  "log",
  "portforward",
  "proxy",
  "status",
]);

/** The pod templates of workloads. */
const TEMPLATES: Readonly<Record<string, (object: never) => PodTemplateSpec | undefined>> = {
  "/replicationcontrollers": specTemplate,
  "/podtemplates": ({ template }: { template?: PodTemplateSpec }) => template,
  "apps/replicasets": specTemplate,
  "apps/deployments": specTemplate,
  "apps/statefulsets": specTemplate,
  "apps/daemonsets": specTemplate,
  "batch/jobs": specTemplate,
  "batch/cronjobs": ({ spec }: { spec?: { jobTemplate?: { spec?: { template?: PodTemplateSpec } } } }) =>
    spec?.jobTemplate?.spec?.template,
};

function specTemplate({ spec }: { spec?: { template?: PodTemplateSpec } }): PodTemplateSpec | undefined {
  return spec?.template;
}

type Labels = Readonly<Record<string, string>>;

export function podSecurity(hosts: PluginHosts, metrics: PodSecurityMetrics): AdmissionPlugin {
  const labelsOf = (namespace: string): Labels =>
    (hosts.get("namespaces", "", namespace)?.metadata?.labels ?? {}) as Labels;
  return {
    name: "PodSecurity",
    validate(request, context) {
      const { group, resource } = request.resource;
      const { operation, subresource = "" } = request;
      if (operation !== "CREATE" && operation !== "UPDATE") return undefined;
      if (group === "" && resource === "namespaces") {
        return subresource === "" ? checkNamespace(request, context, hosts) : undefined;
      } else if (group === "" && resource === "pods") {
        if (!IGNORED_SUBRESOURCES.has(subresource)) checkPod(request, context, labelsOf, metrics);
      } else if (subresource === "") checkWorkload(request, context, labelsOf, metrics);
      return undefined;
    },
  };
}

function checkNamespace(
  request: AdmissionRequest,
  { notes }: AdmissionContext,
  hosts: PluginHosts,
): Promise<void> | undefined {
  const { policy, errors } = policyOf((request.object?.metadata?.labels ?? {}) as Labels);
  const name = objectName(request);
  const invalid = (): StatusError => new StatusError(invalidObject({ group: "", kind: "Namespace" }, name, errors));
  if (request.operation === "CREATE") {
    if (errors.length > 0) throw invalid();
    return undefined;
  }
  const before = policyOf((request.oldObject?.metadata?.labels ?? {}) as Labels);
  const texts = errors.map(fieldErrorText);
  if (errors.length > 0 && texts.join() !== before.errors.map(fieldErrorText).join()) throw invalid();
  const { enforce } = policy;
  const old = before.policy.enforce;
  if (isSame(enforce, old) || enforce.level === "privileged") return undefined;
  if (enforce.version === old.version && compareLevels(enforce.level, old.level) < 1) return undefined;
  return Promise.resolve(hosts.loaded("pods")).then(() => {
    for (const warning of podWarnings(hosts.list("pods", name) as readonly Pod[], name, enforce)) notes.warn(warning);
  });
}

/** Pods that would not be accepted any more: each kind of violation once, with the first pod that has it. */
function podWarnings(pods: readonly Pod[], namespace: string, enforce: LevelVersion): readonly string[] {
  const all = prioritized(pods);
  const checked = all.slice(0, MAX_PODS);
  const found = new Map<string, { name: string; count: number }>();
  for (const { metadata = {}, spec = {} } of checked) {
    const violations = evaluatePod(enforce, metadata, spec as PodSpec);
    if (violations.length === 0) continue;
    const { name = "" } = metadata;
    const reason = reasonText(violations);
    const known = found.get(reason);
    if (known === undefined) found.set(reason, { name, count: 1 });
    else {
      known.count++;
      if (compareStrings(name, known.name) < 0) known.name = name;
    }
  }
  const warnings: string[] = [];
  if (checked.length < all.length) {
    const text = `the first ${checked.length} of ${all.length} existing pods`;
    warnings.push(`new PodSecurity enforce level only checked against ${text}`);
  }
  if (found.size > 0) {
    const level = quoteGo(levelVersionText(enforce));
    warnings.push(
      `existing pods in namespace ${quoteGo(namespace)} violate the new PodSecurity enforce level ${level}`,
    );
  }
  const own = [...found].map(([reason, { name, count }]) => {
    const others = count === 1 ? "" : count === 2 ? " (and 1 other pod)" : ` (and ${count - 1} other pods)`;
    return `${name}${others}: ${reason}`;
  });
  return [...warnings, ...own.sort(compareStrings)];
}

/** One pod of each controller before its others. */
function prioritized(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Set<string>();
  const later: Pod[] = [];
  const first = pods.filter((pod) => {
    const uid = pod.metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (uid === undefined) return true;
    if (seen.has(uid)) {
      later.push(pod);
      return false;
    }
    seen.add(uid);
    return true;
  });
  return [...first, ...later];
}

type LabelsOf = (namespace: string) => Labels;

function checkPod(
  request: AdmissionRequest,
  { notes }: AdmissionContext,
  labelsOf: LabelsOf,
  metrics: PodSecurityMetrics,
): void {
  const { policy, errors } = policyOf(labelsOf(request.namespace ?? ""));
  if (errors.length === 0 && isPrivileged(policy)) {
    metrics.evaluation("allow", policy.enforce, "enforce", request);
    notes.annotate(`${ANNOTATION}enforce-policy`, "privileged:latest");
    return;
  }
  const pod = request.object as Pod;
  if (request.operation === "UPDATE" && !isSignificant(pod, request.oldObject as Pod)) return;
  evaluate(request, notes, policy, errors, pod.metadata ?? {}, (pod.spec ?? {}) as PodSpec, true, metrics);
}

function checkWorkload(
  request: AdmissionRequest,
  { notes }: AdmissionContext,
  labelsOf: LabelsOf,
  metrics: PodSecurityMetrics,
): void {
  const { group, resource } = request.resource;
  const templateOf = TEMPLATES[`${group}/${resource}`];
  if (templateOf === undefined) return;
  const { policy, errors } = policyOf(labelsOf(request.namespace ?? ""));
  if (errors.length === 0 && policy.warn.level === "privileged" && policy.audit.level === "privileged") return;
  const template = templateOf(request.object as KubeObject as never);
  if (template === undefined) return;
  const { metadata = {}, spec = {} } = template;
  evaluate(request, notes, policy, errors, metadata, spec as PodSpec, false, metrics);
}

function evaluate(
  request: AdmissionRequest,
  notes: AdmissionContext["notes"],
  { enforce, audit, warn }: ReturnType<typeof policyOf>["policy"],
  errors: ReturnType<typeof policyOf>["errors"],
  metadata: PodMetadata,
  spec: PodSpec,
  isEnforced: boolean,
  metrics: PodSecurityMetrics,
): void {
  const known = new Map<string, string>();
  /** The violations, in words; empty when nothing is. */
  const violated = (level: LevelVersion): string => {
    const key = levelVersionText(level);
    let text = known.get(key);
    if (text === undefined) known.set(key, (text = detailText(evaluatePod(level, metadata, spec))));
    return text;
  };
  const sentence = (level: LevelVersion): string =>
    `PodSecurity ${quoteGo(levelVersionText(level))}: ${violated(level)}`;
  if (errors.length > 0) {
    notes.annotate(`${ANNOTATION}error`, `Failed to parse policy: ${aggregate(errors.map(fieldErrorText))}`);
    metrics.error(false, request);
  }
  let isDenied = false;
  if (isEnforced) {
    notes.annotate(`${ANNOTATION}enforce-policy`, levelVersionText(enforce));
    isDenied = violated(enforce) !== "";
    metrics.evaluation(isDenied ? "deny" : "allow", enforce, "enforce", request);
  }
  if (violated(audit) !== "") {
    notes.annotate(`${ANNOTATION}audit-violations`, `would violate ${sentence(audit)}`);
    metrics.evaluation("deny", audit, "audit", request);
  }
  if (isDenied) {
    throw new StatusError(forbidden(request.resource, objectName(request), `violates ${sentence(enforce)}`));
  }
  if (violated(warn) !== "") {
    notes.warn(`would violate ${sentence(warn)}`);
    metrics.evaluation("deny", warn, "warn", request);
  }
}

/** Only images and debugging containers matter among the changes of a pod. */
function isSignificant({ spec: now = {} }: Pod, { spec: before = {} }: Pod): boolean {
  const differ = (a: readonly Container[], b: readonly Container[]): boolean =>
    a.length !== b.length || a.some(({ image }, i) => image !== b[i]?.image);
  if (differ(now.containers ?? [], before.containers ?? [])) return true;
  if (differ(now.initContainers ?? [], before.initContainers ?? [])) return true;
  const old = new Map((before.ephemeralContainers ?? []).map(({ name, image }) => [name, image]));
  return (now.ephemeralContainers ?? []).some(({ name, image }) => !old.has(name) || old.get(name) !== image);
}
