// Prepares a pod before validation: a fresh status, keys merged into selectors, profiles from annotations, and nothing of features that are
// not on.

import { semanticEqual } from "@celadon/base";
import type {
  AppArmorProfile,
  Container,
  Pod,
  PodAffinity,
  PodCondition,
  PodSpec,
  PodTemplateSpec,
} from "../../../api/generated/core-v1.ts";
import type { LabelSelector } from "../../../api/generated/meta-v1.ts";
import { podResources } from "../../../defaults/pod-resources.ts";
import type { Emulation } from "../../../emulation.ts";
import { fieldPath } from "../../../field-path.ts";
import { copyEmpty } from "../../../types/empty-fields.ts";
import { fieldWarning } from "../../../warning.ts";
import { ValidatedField } from "../../field.ts";
import { withField } from "../../fields-of.ts";
import type { Request } from "../../rules.ts";
import { APPARMOR_CONTAINER } from "./annotations.ts";
import { CONTAINER_LISTS } from "./container/each-container.ts";
import { podQos } from "./qos.ts";
import { appArmorProfile } from "./security.ts";

type Labels = Readonly<Record<string, string>>;

export function prepareNewPod(given: Pod, request: Request): Pod {
  let pod: Pod = { ...given, status: { phase: "Pending" } };
  if (pod.spec?.schedulingGates?.length) {
    pod = { ...pod, status: { ...pod.status, conditions: [gated(request.now)] } };
  }
  const labels = pod.metadata?.labels ?? {};
  const spec = withPodResources(
    withMergedKeys(withoutDisabled(pod.spec ?? {}, request.by), labels, request.by),
    request.by,
  );
  const status = { ...pod.status, qosClass: podQos(spec) };
  return withAppArmorFields({ ...pod, spec, status }, request);
}

/** The resources of a whole pod stay where a client that does not know them leaves them out. */
export function withResourcesKept(spec: PodSpec, old: Pod, by: Emulation): PodSpec {
  if (!by.enables("PodLevelResourcesFixDefaulting") || spec.resources !== undefined) return spec;
  return withField(spec, ["resources"], old.spec?.resources);
}

/** Defaults of the resources of a whole pod, once admission has added all its containers. */
export function withPodResources(spec: PodSpec, by: Emulation): PodSpec {
  if (spec.resources === undefined || !by.enables("PodLevelResourcesFixDefaulting")) return spec;
  return podResources({ ...spec, resources: copyEmpty(spec.resources, { ...spec.resources }) }, by) as PodSpec;
}

/** Times are always written; a probe that never ran has null. */
function gated(now: string | undefined): PodCondition {
  const times = { lastProbeTime: null, lastTransitionTime: now ?? null } as unknown as Pick<
    PodCondition,
    "lastProbeTime" | "lastTransitionTime"
  >;
  const message = "Scheduling is blocked due to non-empty scheduling gates";
  return { type: "PodScheduled", status: "False", ...times, reason: "SchedulingGated", message };
}

/** Fields that features govern which are off by default. A source left without any stays, empty. */
export function withoutDisabled(spec: PodSpec, by: Emulation): PodSpec {
  let result = by.enables("ImageVolume") ? spec : withoutImageVolumes(spec);
  if (!by.enables("ContainerStopSignals")) {
    for (const list of CONTAINER_LISTS) result = withList(result, list, withoutStopSignal);
  }
  return result;
}

/** Volumes of images go with what mounts them. */
function withoutImageVolumes(spec: PodSpec): PodSpec {
  const names = new Set((spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name));
  if (names.size === 0) return spec;
  const volumes = (spec.volumes ?? []).filter(({ image }) => image === undefined);
  let result = withField(spec, ["volumes"], volumes.length === 0 ? undefined : volumes);
  for (const list of CONTAINER_LISTS) {
    result = withList(result, list, (container: Container) => {
      const mounts = container.volumeMounts?.filter(({ name }) => !names.has(name));
      if (mounts === undefined || mounts.length === container.volumeMounts!.length) return container;
      return withField(container, ["volumeMounts"], mounts.length === 0 ? undefined : mounts);
    });
  }
  return result;
}

export function templateWithoutDisabled(
  template: PodTemplateSpec | undefined,
  by: Emulation,
): PodTemplateSpec | undefined {
  if (template?.spec === undefined) return template;
  const spec = withoutDisabled(template.spec, by);
  return spec === template.spec ? template : { ...template, spec };
}

function withList<T>(spec: PodSpec, name: keyof PodSpec, change: (item: T) => T): PodSpec {
  const list = spec[name] as readonly T[] | null | undefined;
  if (list == null) return spec;
  const changed = list.map(change);
  return changed.every((item, i) => item === list[i]) ? spec : { ...spec, [name]: changed };
}

function withoutStopSignal(container: Container): Container {
  if (container.lifecycle?.stopSignal === undefined) return container;
  const lifecycle = withField(container.lifecycle, ["stopSignal"], undefined);
  return withField(container, ["lifecycle"], Object.keys(lifecycle).length === 0 ? undefined : lifecycle);
}

/** Up to 1.33, the keys of spread constraints are merged by the scheduler. */
function withMergedKeys(spec: PodSpec, labels: Labels, by: Emulation): PodSpec {
  let result = spec;
  if (spec.affinity?.podAffinity) {
    result = withField(result, ["affinity", "podAffinity"], mergedAffinity(spec.affinity.podAffinity, labels));
  }
  if (spec.affinity?.podAntiAffinity) {
    result = withField(result, ["affinity", "podAntiAffinity"], mergedAffinity(spec.affinity.podAntiAffinity, labels));
  }
  if (by.before(34)) return result;
  return withList(result, "topologySpreadConstraints", (constraint: KeyedTerm) => mergedTerm(constraint, labels));
}

interface KeyedTerm {
  readonly labelSelector?: LabelSelector | undefined;
  readonly matchLabelKeys?: readonly string[] | undefined;
  readonly mismatchLabelKeys?: readonly string[] | undefined;
}

function mergedAffinity(affinity: PodAffinity, labels: Labels): PodAffinity {
  const {
    requiredDuringSchedulingIgnoredDuringExecution: required,
    preferredDuringSchedulingIgnoredDuringExecution: preferred,
  } = affinity;
  return {
    ...(required && {
      requiredDuringSchedulingIgnoredDuringExecution: required.map((term) => mergedTerm(term, labels)),
    }),
    ...(preferred && {
      preferredDuringSchedulingIgnoredDuringExecution: preferred.map((term) =>
        term.podAffinityTerm ? { ...term, podAffinityTerm: mergedTerm(term.podAffinityTerm, labels) } : term,
      ),
    }),
  };
}

/** The pod's own values of the keys become part of the selector. */
function mergedTerm<T extends KeyedTerm>(term: T, labels: Labels): T {
  if (term.labelSelector === undefined) return term;
  const expressions = [
    ...valuesOf(term.matchLabelKeys, labels, "In"),
    ...valuesOf(term.mismatchLabelKeys, labels, "NotIn"),
  ];
  if (expressions.length === 0) return term;
  const matchExpressions = [...(term.labelSelector.matchExpressions ?? []), ...expressions];
  return { ...term, labelSelector: { ...term.labelSelector, matchExpressions } };
}

function valuesOf(keys: readonly string[] | undefined, labels: Labels, operator: string) {
  return (keys ?? [])
    .filter((key) => Object.hasOwn(labels, key))
    .map((key) => ({ key, operator, values: [labels[key]!] }));
}

/** Profiles of AppArmor in annotations become fields, with a warning. */
function withAppArmorFields(pod: Pod, request: Request): Pod {
  if (pod.spec?.os?.name === "windows") return pod;
  const annotations = pod.metadata?.annotations ?? {};
  const ofPod = pod.spec?.securityContext?.appArmorProfile;
  let spec = pod.spec ?? {};
  for (const list of CONTAINER_LISTS) {
    spec = withList(spec, list, (container: Container) => {
      const key = `${APPARMOR_CONTAINER}${container.name ?? ""}`;
      const annotation = annotations[key];
      if (annotation === undefined || container.securityContext?.appArmorProfile !== undefined) return container;
      const profile = appArmorField(annotation);
      const isValid = profile !== undefined && isAppArmorProfile(profile);
      if (isValid && semanticEqual(profile, ofPod)) return container;
      const at = fieldPath("metadata", "annotations").key(key);
      request.warn(fieldWarning(at, 'deprecated since v1.30; use the "appArmorProfile" field instead'));
      if (!isValid) return container;
      return { ...container, securityContext: { ...container.securityContext, appArmorProfile: profile } };
    });
  }
  return spec === pod.spec ? pod : { ...pod, spec };
}

/** The profile that an annotation names. */
export function appArmorField(annotation: string): AppArmorProfile | undefined {
  if (annotation === "unconfined") return { type: "Unconfined" };
  if (annotation === "runtime/default") return { type: "RuntimeDefault" };
  if (!annotation.startsWith("localhost/")) return undefined;
  const localhostProfile = annotation.slice("localhost/".length);
  return localhostProfile === "" ? undefined : { type: "Localhost", localhostProfile };
}

function isAppArmorProfile(profile: AppArmorProfile): boolean {
  const at = ValidatedField.root();
  appArmorProfile(profile, at);
  return at.errors.length === 0;
}
