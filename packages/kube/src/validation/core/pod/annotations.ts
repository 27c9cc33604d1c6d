// Annotations that mean something to pods: mirror pods, tolerations and deletion costs from before they were fields, and
// profiles of seccomp and AppArmor that must agree with the fields.

import { compareStrings } from "@celadon/base";
import type { AppArmorProfile, PodSpec, SeccompProfile, Toleration } from "../../../api/generated/core-v1.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import { goJsonError } from "../../../read/json/go-json-error.ts";
import { localPath } from "../../checks/paths.ts";
import type { ValidatedField } from "../../field.ts";
import { allContainers, eachContainer } from "./container/each-container.ts";
import { tolerations } from "./scheduling.ts";

export const MIRROR_POD = "kubernetes.io/config.mirror";
export const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
export const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
export const APPARMOR_CONTAINER = "container.apparmor.security.beta.kubernetes.io/";
const TOLERATIONS = "scheduler.alpha.kubernetes.io/tolerations";
const DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
const LOCALHOST = "localhost/";

type Annotations = Readonly<Record<string, string>>;

export function podAnnotations(annotations: Annotations, spec: PodSpec, at: ValidatedField): void {
  const mirror = annotations[MIRROR_POD];
  if (mirror !== undefined && !spec.nodeName) {
    at.key(MIRROR_POD).invalid(mirror, "must set spec.nodeName if mirror pod annotation is set");
  }
  if (annotations[TOLERATIONS]) tolerationsAnnotation(annotations[TOLERATIONS], at);
  const cost = annotations[DELETION_COST];
  if (cost !== undefined && !isDeletionCost(cost)) at.key(DELETION_COST).invalid(cost, "must be a 32bit integer");
  if (annotations[SECCOMP_POD] !== undefined) seccompName(annotations[SECCOMP_POD], at.child(SECCOMP_POD));
  for (const key of sortedKeys(annotations)) {
    if (key.startsWith(SECCOMP_CONTAINER)) seccompName(annotations[key]!, at.child(key));
  }
  for (const key of sortedKeys(annotations)) {
    if (key.startsWith(APPARMOR_CONTAINER)) appArmorName(key, annotations[key]!, spec, at.key(key));
  }
}

function tolerationsAnnotation(text: string, at: ValidatedField): void {
  const problem = goJsonError(text);
  if (problem !== undefined) {
    at.invalid(TOLERATIONS, problem);
    return;
  }
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) tolerations(value as Toleration[], at.child(TOLERATIONS));
  else if (value !== null) {
    const kind = typeof value === "boolean" ? "bool" : typeof value;
    at.invalid(TOLERATIONS, `json: cannot unmarshal ${kind} into Go value of type []core.Toleration`);
  }
}

function isDeletionCost(text: string): boolean {
  return /^(0|-[0-9]+|[1-9][0-9]*)$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function seccompName(profile: string, at: ValidatedField): void {
  if (profile === "runtime/default" || profile === "docker/default" || profile === "unconfined") return;
  if (profile.startsWith(LOCALHOST)) localPath(profile.slice(LOCALHOST.length), at);
  else at.invalid(profile, "must be a valid seccomp profile");
}

function appArmorName(key: string, profile: string, spec: PodSpec, at: ValidatedField): void {
  const name = key.slice(APPARMOR_CONTAINER.length);
  if (!allContainers(spec).some((container) => (container.name ?? "") === name))
    at.invalid(name, "container not found");
  if (profile === "" || profile === "runtime/default" || profile === "unconfined") return;
  if (!profile.startsWith(LOCALHOST)) at.invalid(profile, `invalid AppArmor profile name: ${JSON.stringify(profile)}`);
}

/** A profile in the older annotations and in the fields has to be the same one. */
export function profilesMatch(meta: ObjectMeta, spec: PodSpec, at: ValidatedField): void {
  const annotations = meta.annotations ?? {};
  const ofPod = spec.securityContext?.seccompProfile;
  const podAnnotation = annotations[SECCOMP_POD];
  if (ofPod && podAnnotation !== undefined) {
    sameProfile("seccomp", podAnnotation, ofPod, at.child("securityContext", "seccompProfile"));
  }
  eachContainer(spec, at, (container, each) => {
    const profile = container.securityContext?.seccompProfile;
    const annotation = annotations[`${SECCOMP_CONTAINER}${container.name ?? ""}`];
    if (profile && annotation !== undefined) {
      sameProfile("seccomp", annotation, profile, each.child("securityContext", "seccompProfile"));
    }
  });
  if (spec.os?.name === "windows") return;
  eachContainer(spec, at, (container, each) => {
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile;
    const annotation = annotations[`${APPARMOR_CONTAINER}${container.name ?? ""}`];
    if (profile && annotation !== undefined) {
      sameProfile("apparmor", annotation, profile, each.child("securityContext", "appArmorProfile"));
    }
  });
}

function sameProfile(
  what: "seccomp" | "apparmor",
  name: string,
  profile: AppArmorProfile | SeccompProfile,
  at: ValidatedField,
) {
  const types: Readonly<Record<string, readonly string[]>> = {
    Unconfined: ["unconfined"],
    RuntimeDefault: what === "seccomp" ? ["runtime/default", "docker/default"] : ["runtime/default"],
  };
  const differs = (field: string, part: string): void =>
    at.child(field).forbidden(`${what} ${part} in annotation and field must match`);
  if (profile.type === "Localhost") {
    if (!name.startsWith(LOCALHOST)) differs("type", "type");
    else if (name.slice(LOCALHOST.length) !== profile.localhostProfile) differs("localhostProfile", "profile");
  } else if (types[profile.type ?? ""]?.includes(name) === false) differs("type", "type");
}

export function sortedKeys(map: Annotations): string[] {
  return Object.keys(map).sort(compareStrings);
}
