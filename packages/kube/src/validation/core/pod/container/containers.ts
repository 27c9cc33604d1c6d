// Containers, init containers and ephemeral containers of a pod.

import type { Container, EphemeralContainer, PodSpec } from "../../../../api/generated/core-v1.ts";
import { JsonShown } from "../../../../field-error.ts";
import { RESOURCE_NAME } from "../../../../go-syntax.ts";
import { checkDns1123Label } from "../../../../names.ts";
import { trimSpace } from "../../../../trim-space.ts";
import { wasEmpty } from "../../../../types/empty-fields.ts";
import { isEmpty, type ValidatedField } from "../../../field.ts";
import type { Volumes } from "../../volume/volumes.ts";
import { containerSecurity } from "../security.ts";
import { isSidecar } from "./aggregate-resources.ts";
import { environment, environmentFrom } from "./env.ts";
import { volumeDevices, volumeMounts } from "./mounts.ts";
import { containerPorts, uniqueHostPorts } from "./ports.ts";
import { lifecycle, probes } from "./probes.ts";
import { containerResources } from "./resources.ts";

export const PULL_POLICIES: readonly string[] = ["Always", "IfNotPresent", "Never"];

/** The facts about a pod that its containers need. */
export interface PodOfContainers {
  readonly spec: PodSpec;
  readonly volumes: Volumes;
  /** Names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
}

export function containers(pod: PodOfContainers, at: ValidatedField): void {
  const list = pod.spec.containers ?? [];
  if (list.length === 0) {
    at.required();
    return;
  }
  const names = new Set<string>();
  at.each(list, (container, each) => {
    const name = container.name ?? "";
    anyContainer(container, pod, each);
    if (names.has(name)) each.child("name").duplicate(name);
    names.add(name);
    if (container.lifecycle) lifecycle(container.lifecycle, gracePeriodOf(pod), each.child("lifecycle"));
    probes(container, gracePeriodOf(pod), each);
    if (each.by.before(34)) {
      const detail = "may not be set for non-init containers";
      if (container.restartPolicy) each.child("restartPolicy").forbidden(detail);
    } else restartPolicy(container, each);
  });
  uniqueHostPorts(list, at);
}

export function initContainers(pod: PodOfContainers, at: ValidatedField): void {
  const names = new Set((pod.spec.containers ?? []).map((container) => container.name ?? ""));
  at.each(pod.spec.initContainers, (container, each) => {
    const name = container.name ?? "";
    anyContainer(container, pod, each);
    if (each.by.before(34)) {
      each.child("restartPolicy").mayBeOneOf(container.restartPolicy, ["Always"]);
    } else if (container.restartPolicy === undefined && container.restartPolicyRules?.length) ruleWithoutPolicy(each);
    else if (container.restartPolicy === "Always" && each.by.before(36)) {
      if (container.restartPolicyRules?.length) {
        const detail = "restartPolicyRules are not allowed for init containers with restart policy Always";
        each.child("restartPolicyRules").forbidden(detail);
      }
    } else restartPolicy(container, each);
    if (names.has(name)) each.child("name").duplicate(name);
    else if (name !== "") names.add(name);
    // Only its own ports are compared, and the path is the path of a list with it alone.
    uniqueHostPorts([container], at);
    if (isSidecar(container)) {
      if (container.lifecycle) lifecycle(container.lifecycle, gracePeriodOf(pod), each.child("lifecycle"));
      probes(container, gracePeriodOf(pod), each);
    } else onlyForSidecars(container, each);
  });
}

function onlyForSidecars(container: Container, at: ValidatedField): void {
  for (const field of ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"] as const) {
    if (container[field]) at.child(field).forbidden("may not be set for init containers without restartPolicy=Always");
  }
  if (at.by.before(36)) return;
  at.child("resizePolicy").each(container.resizePolicy, (policy, each) => {
    if (policy.restartPolicy !== "RestartContainer") return;
    const detail = "must not be set to 'RestartContainer' for non-sidecar initContainers";
    each.child("restartPolicy").invalid(new JsonShown(policy.restartPolicy), detail);
  });
}

const NOT_FOR_EPHEMERAL = "cannot be set for an Ephemeral Container";
/** Fields of containers that a running pod cannot be given anymore, in the order in which they are checked. */
const FIXED_FIELDS: readonly (keyof Container)[] = [
  "ports",
  "resources",
  "resizePolicy",
  "restartPolicy",
  "restartPolicyRules",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
];

export function ephemeralContainers(pod: PodOfContainers, at: ValidatedField): void {
  const others = new Set(
    [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map((container) => container.name ?? ""),
  );
  const names = new Set(others);
  at.each<EphemeralContainer>(pod.spec.ephemeralContainers, (container, each) => {
    const name = container.name ?? "";
    anyContainer(container, pod, each);
    imageWithoutBlanks(container, each);
    if (names.has(name)) each.child("name").duplicate(name);
    names.add(name);
    if (container.targetContainerName && !others.has(container.targetContainerName)) {
      each.child("targetContainerName").notFound(container.targetContainerName);
    }
    for (const field of FIXED_FIELDS) {
      if (isSet(container as Container, field)) each.child(field).forbidden(NOT_FOR_EPHEMERAL);
    }
    each.child("volumeMounts").each(container.volumeMounts, (mount, place) => {
      if (mount.subPath) place.child("subPath").forbidden(NOT_FOR_EPHEMERAL);
      if (mount.subPathExpr) place.child("subPathExpr").forbidden(NOT_FOR_EPHEMERAL);
    });
  });
}

/** Whether a field differs from Go's zero value: a list that is empty is set, resources without members are not. */
function isSet(container: Container, field: keyof Container): boolean {
  const value = container[field];
  if (field === "resources") return value !== undefined && Object.keys(value as object).length > 0;
  return wasEmpty(container, field) || !isEmpty(value);
}

function gracePeriodOf(pod: PodOfContainers): number | undefined {
  return pod.spec.terminationGracePeriodSeconds;
}

/** Rules for containers of all sorts. */
function anyContainer(container: Container, pod: PodOfContainers, at: ValidatedField): void {
  at.child("name").mustBe(container.name, checkDns1123Label);
  at.child("image").mustExist(container.image);
  at.child("terminationMessagePolicy").mustBeOneOf(container.terminationMessagePolicy, [
    "File",
    "FallbackToLogsOnError",
  ]);
  containerPorts(container.ports, at.child("ports"));
  environment(container.env, at.child("env"));
  environmentFrom(container.envFrom, at.child("envFrom"));
  volumeMounts(container, pod.volumes, at.child("volumeMounts"));
  volumeDevices(container, pod.volumes, at.child("volumeDevices"));
  at.child("imagePullPolicy").mustBeOneOf(container.imagePullPolicy, PULL_POLICIES);
  containerResources(container.resources, pod.claims, at.child("resources"));
  resizePolicy(container, pod.spec.restartPolicy, at.child("resizePolicy"));
  containerSecurity(container.securityContext, pod.spec.hostUsers !== false, at.child("securityContext"));
}

const RESIZABLE: readonly string[] = ["cpu", "memory"];

function resizePolicy(container: Container, ofPod: string | undefined, at: ValidatedField): void {
  const resources = new Set<string>();
  at.each(container.resizePolicy, (policy, each) => {
    const { resourceName = "", restartPolicy: restart = "" } = policy;
    if (resources.has(resourceName)) each.duplicate(new JsonShown(resourceName, RESOURCE_NAME));
    resources.add(resourceName);
    if (resourceName === "") at.required();
    else if (!RESIZABLE.includes(resourceName)) at.unsupportedAs(new JsonShown(resourceName, RESOURCE_NAME), RESIZABLE);
    at.mustBeOneOf(restart, ["NotRequired", "RestartContainer"]);
    if (ofPod === "Never" && restart !== "NotRequired") {
      at.invalid(
        new JsonShown(restart),
        `must be 'NotRequired' when ${at.by.since(36) ? "pod " : ""}\`restartPolicy\` is 'Never'`,
      );
    }
  });
}

/** Too many items were too long before 1.36. */
function tooMany(actual: number, max: number, at: ValidatedField): void {
  if (at.by.since(36)) at.tooMany(actual, max);
  else at.tooLong(max);
}

const MAX_RESTART_RULES = 20;
const MAX_EXIT_CODES = 255;

function restartPolicy(container: Container, at: ValidatedField): void {
  const { restartPolicy: policy, restartPolicyRules: rules = [] } = container;
  if (policy === undefined) {
    if (rules.length === 0) return;
    ruleWithoutPolicy(at);
  } else at.child("restartPolicy").oneOf(policy, ["Always", "Never", "OnFailure"]);
  const place = at.child("restartPolicyRules");
  if (rules.length > MAX_RESTART_RULES) tooMany(rules.length, MAX_RESTART_RULES, place);
  const actions = at.by.enables("RestartAllContainersOnContainerExits")
    ? ["Restart", "RestartAllContainers"]
    : ["Restart"];
  place.each(rules, (rule, each) => {
    each.child("action").oneOf(rule.action, actions);
    const codes = rule.exitCodes;
    if (codes === undefined) return each.child("exitCodes").required("must be specified");
    each.child("exitCodes", "operator").oneOf(codes.operator, ["In", "NotIn"]);
    const count = codes.values?.length ?? 0;
    if (count > MAX_EXIT_CODES) tooMany(count, MAX_EXIT_CODES, each.child("exitCodes", "values"));
  });
}

function ruleWithoutPolicy(at: ValidatedField): void {
  at.child("restartPolicy").required("must specify restartPolicy when restart rules are used");
}

/** Templates may hold images with blanks around them; pods may not. */
export function imageWithoutBlanks(container: Container, at: ValidatedField): void {
  const image = container.image ?? "";
  if (trimSpace(image) !== image) at.child("image").invalid(image, "must not have leading or trailing whitespace");
}
