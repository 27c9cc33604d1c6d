// Security contexts of pods and containers.

import { utf8Length } from "@celadon/base";
import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
} from "../../../api/generated/core-v1.ts";
import type { Emulation } from "../../../emulation.ts";
import { trimSpace } from "../../../trim-space.ts";
import { localPath } from "../../checks/paths.ts";
import { checkId } from "../../checks/texts.ts";
import { shownPointer, type ValidatedField } from "../../field.ts";
import { shownAs } from "../../show/internal.ts";
import { windowsOptions } from "./windows.ts";

const SECCOMP_TYPES: readonly string[] = ["Localhost", "RuntimeDefault", "Unconfined"];
const MAX_PROFILE_LENGTH = 4095;

export function containerSecurity(context: SecurityContext | undefined, hostUsers: boolean, at: ValidatedField): void {
  if (context === undefined) return;
  id(context.runAsUser, at.child("runAsUser"));
  id(context.runAsGroup, at.child("runAsGroup"));
  procMount(context.procMount, hostUsers, at.child("procMount"));
  seccompProfile(context.seccompProfile, at.child("seccompProfile"));
  privilegeEscalation(context, at);
  windowsOptions(context.windowsOptions, at.child("windowsOptions"));
  appArmorProfile(context.appArmorProfile, at.child("appArmorProfile"));
}

function id(value: number | undefined, at: ValidatedField): void {
  if (value !== undefined) for (const problem of checkId(value)) at.invalid(value, problem);
}

function procMount(value: string | undefined, hostUsers: boolean, at: ValidatedField): void {
  if (value === undefined) return;
  at.oneOf(value, ["Default", "Unmasked"]);
  if (hostUsers && value === "Unmasked") at.invalid(value, "`hostUsers` must be false to use `Unmasked`");
}

function privilegeEscalation(context: SecurityContext, at: ValidatedField): void {
  if (context.allowPrivilegeEscalation !== false) return;
  const shown = (): unknown => shownAs("core.SecurityContext", context);
  if (context.privileged === true) {
    at.invalid(shown(), "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
  }
  for (const capability of context.capabilities?.add ?? []) {
    if (capability !== "CAP_SYS_ADMIN") continue;
    at.invalid(shown(), "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
  }
}

export function seccompProfile(profile: SeccompProfile | undefined, at: ValidatedField): void {
  if (profile === undefined) return;
  if (!profile.type) at.child("type").required("type is required when seccompProfile is set");
  else at.child("type").oneOf(profile.type, SECCOMP_TYPES);
  const file = at.child("localhostProfile");
  if (profile.type !== "Localhost") {
    if (profile.localhostProfile !== undefined) {
      file.invalid(shownAs("core.SeccompProfile", profile), "can only be set when seccomp type is Localhost");
    }
  } else if (profile.localhostProfile === undefined) file.required("must be set when seccomp type is Localhost");
  else localPath(profile.localhostProfile, file);
}

export function appArmorProfile(profile: AppArmorProfile | undefined, at: ValidatedField): void {
  if (profile === undefined) return;
  const [type, file] = [at.child("type"), at.child("localhostProfile")];
  const name = profile.localhostProfile;
  switch (profile.type) {
    case "Localhost":
      if (name === undefined) file.required("must be set when AppArmor type is Localhost");
      else localhostProfile(name, file);
      break;
    case "RuntimeDefault":
    case "Unconfined":
      if (name !== undefined) file.invalid(shownPointer(name), "can only be set when AppArmor type is Localhost");
      break;
    default:
      if (!profile.type) type.required("type is required when appArmorProfile is set");
      else type.unsupported(profile.type, ["Localhost", "RuntimeDefault", "Unconfined"]);
  }
}

function localhostProfile(name: string, at: ValidatedField): void {
  if (trimSpace(name) !== name) at.invalid(name, "must not be padded with whitespace");
  else if (name === "") at.required("must be set when AppArmor type is Localhost");
  if (utf8Length(name) > MAX_PROFILE_LENGTH) at.tooLong(MAX_PROFILE_LENGTH);
}

/** `parent` is the field of the whole specification. */
export function podSecurity(spec: PodSpec, old: PodSpec | undefined, parent: ValidatedField): void {
  const at = parent.child("securityContext");
  const context = spec.securityContext;
  if (context === undefined) return;
  id(context.fsGroup, at.child("fsGroup"));
  id(context.runAsUser, at.child("runAsUser"));
  id(context.runAsGroup, at.child("runAsGroup"));
  at.child("supplementalGroups").each(context.supplementalGroups, (group, each) => id(group, each));
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const place = at.by.since(37) ? parent : at;
    place.child("shareProcessNamespace").invalid(true, "ShareProcessNamespace and HostPID cannot both be enabled");
  }
  sysctls(spec, context, at.child("sysctls"));
  at.child("fsGroupChangePolicy").mayBeOneOf(context.fsGroupChangePolicy, ["Always", "OnRootMismatch"]);
  seccompProfile(context.seccompProfile, at.child("seccompProfile"));
  windowsOptions(context.windowsOptions, at.child("windowsOptions"));
  appArmorProfile(context.appArmorProfile, at.child("appArmorProfile"));
  at.child("supplementalGroupsPolicy").mayBeOneOf(context.supplementalGroupsPolicy, ["Merge", "Strict"]);
  at.child("seLinuxChangePolicy").mayBeOneOf(context.seLinuxChangePolicy, changePolicies(old, at.by));
}

/** If a policy is in use already, all of them may be. */
function changePolicies(old: PodSpec | undefined, by: Emulation): readonly string[] {
  return by.before(37) && old?.securityContext?.seLinuxChangePolicy === undefined
    ? ["Recursive"]
    : ["MountOption", "Recursive"];
}

const SYSCTL_SEGMENT = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const SYSCTL = `^(${SYSCTL_SEGMENT}[\\./])*${SYSCTL_SEGMENT}$`;
const sysctlPattern = new RegExp(SYSCTL);
const MAX_SYSCTL_LENGTH = 253;
const IPC_SYSCTL = /^(kernel\.(sem|shmall|shmmax|shmmni|shm_rmid_forced|shm|msgmax|msgmnb|msgmni|msg)$|fs\.mqueue\.)/;

function sysctls(spec: PodSpec, context: PodSecurityContext, at: ValidatedField): void {
  const names = new Set<string>();
  at.each(context.sysctls, (sysctl, each) => {
    const name = sysctl.name ?? "";
    const place = each.child("name");
    if (name === "") place.required();
    else if (utf8Length(name) > MAX_SYSCTL_LENGTH || !sysctlPattern.test(name)) {
      place.invalid(name, `must have at most ${MAX_SYSCTL_LENGTH} characters and match regex ${SYSCTL}`);
    } else if (names.has(name)) place.duplicate(name);
    const plain = dotted(name);
    if (spec.hostNetwork === true && plain.startsWith("net.")) {
      place.invalid(name, "may not be specified when 'hostNetwork' is true");
    } else if (spec.hostIPC === true && IPC_SYSCTL.test(plain)) {
      place.invalid(name, "may not be specified when 'hostIPC' is true");
    }
    names.add(name);
  });
}

/** A sysctl may be written with slashes; dots and slashes then swap. The text after a star is not checked. */
function dotted(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  const plain = first === "/" ? name.replace(/[./]/g, (c) => (c === "." ? "/" : ".")) : name;
  return plain.split("*")[0] ?? "";
}
