// Windows: options of containers, and what pods of one operating system must leave out.

import { utf8Length } from "@celadon/base";
import type { Container, PodSpec, WindowsSecurityContextOptions } from "../../../api/generated/core-v1.ts";
import { JsonShown } from "../../../field-error.ts";
import { checkDns1123Subdomain } from "../../../names.ts";
import { wasGiven } from "../../../types/empty-fields.ts";
import { isEmpty, type ValidatedField } from "../../field.ts";
import { eachContainer } from "./container/each-container.ts";

const MAX_CREDENTIAL_SPEC = 64 * 1024;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u;
const DNS_LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?";
const DNS_DOMAIN = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\x00-\x1f\x7f]/;

export function windowsOptions(options: WindowsSecurityContextOptions | undefined, at: ValidatedField): void {
  if (options === undefined) return;
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options;
  if (gmsaCredentialSpecName !== undefined) {
    for (const problem of checkDns1123Subdomain(gmsaCredentialSpecName)) {
      at.child("gmsaCredentialSpecName").invalid(new JsonShown(gmsaCredentialSpecName), problem);
    }
  }
  if (gmsaCredentialSpec !== undefined) credentialSpec(gmsaCredentialSpec, at.child("gmsaCredentialSpec"));
  if (runAsUserName !== undefined) {
    for (const problem of userNameProblems(runAsUserName)) {
      at.child("runAsUserName").invalid(new JsonShown(runAsUserName), problem);
    }
  }
}

function credentialSpec(spec: string, at: ValidatedField): void {
  if (spec === "") at.invalid(new JsonShown(spec), "gmsaCredentialSpec cannot be an empty string");
  else if (utf8Length(spec) > MAX_CREDENTIAL_SPEC) {
    at.invalid(new JsonShown(spec), "gmsaCredentialSpec size must be under 64 KiB");
  }
}

/** `user` or `domain\user`. */
function userNameProblems(name: string): string[] {
  if (name === "") return ["runAsUserName cannot be an empty string"];
  if (CONTROL.test(name)) return ["runAsUserName cannot contain control characters"];
  const parts = name.split("\\");
  if (parts.length > 2) return ["runAsUserName cannot contain more than one backslash"];
  const domain = parts.length === 2 ? parts[0]! : undefined;
  const user = parts.at(-1)!;
  const problems: string[] = [];
  if (utf8Length(domain ?? "") >= MAX_DOMAIN) {
    problems.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN} characters`);
  }
  if (domain !== undefined && !NETBIOS.test(domain) && !DNS_DOMAIN.test(domain)) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === "") problems.push("runAsUserName's User cannot be empty");
  else if (utf8Length(user) > MAX_USER) {
    problems.push(`runAsUserName's User length must not be longer than ${MAX_USER} characters`);
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push(`runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`);
  }
  return problems;
}

/** Containers that run as processes of the host: all of a pod or none, and on the host's network. */
export function hostProcesses(spec: PodSpec, at: ValidatedField): void {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let [all, onHost] = [0, 0];
  eachContainer(spec, at, (container, each) => {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    all++;
    if (own ?? ofPod) onHost++;
    if (ofPod === undefined || own === undefined || ofPod === own) return;
    const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    each.child("securityContext", "windowsOptions", "hostProcess").invalid(own, detail);
  });
  if (onHost === 0) return;
  if (onHost !== all) {
    at.invalid("", "If pod contains any hostProcess containers then all containers must be HostProcess containers");
  }
  if (spec.hostNetwork !== true) {
    at.child("hostNetwork").invalid(false, "hostNetwork must be true if pod contains any hostProcess containers");
  }
}

/** `spec.os`: a system that is known, and nothing of another one. */
export function operatingSystem(spec: PodSpec, at: ValidatedField): void {
  const name = spec.os?.name;
  if (spec.os === undefined) return;
  if (!name) {
    at.child("os", "name").required(at.by.since(34) ? "" : "cannot be empty");
    return;
  }
  if (name !== "linux" && name !== "windows") {
    at.child("os").unsupported(name, ["linux", "windows"]);
    return;
  }
  if (name === "linux") withoutWindows(spec, at);
  else withoutLinux(spec, at);
}

function withoutWindows(spec: PodSpec, at: ValidatedField): void {
  const detail = "windows options cannot be set for a linux pod";
  if (spec.securityContext?.windowsOptions) at.child("securityContext", "windowsOptions").forbidden(detail);
  eachContainer(spec, at, (container, each) => {
    if (container.securityContext?.windowsOptions) each.child("securityContext", "windowsOptions").forbidden(detail);
  });
}

// In the order in which they are checked.
const LINUX_OF_POD: readonly (readonly [inContext: boolean, field: string])[] = [
  [true, "appArmorProfile"],
  [true, "seLinuxOptions"],
  [false, "hostUsers"],
  [false, "hostPID"],
  [false, "hostIPC"],
  [true, "seccompProfile"],
  [true, "fsGroup"],
  [true, "fsGroupChangePolicy"],
  [true, "sysctls"],
  [false, "shareProcessNamespace"],
  [true, "runAsUser"],
  [true, "runAsGroup"],
  [true, "supplementalGroups"],
  [true, "supplementalGroupsPolicy"],
  [true, "seLinuxChangePolicy"],
];
const LINUX_OF_CONTAINER: readonly string[] = [
  "appArmorProfile",
  "seLinuxOptions",
  "seccompProfile",
  "capabilities",
  "readOnlyRootFilesystem",
  "privileged",
  "allowPrivilegeEscalation",
  "procMount",
  "runAsUser",
  "runAsGroup",
];
/** Fields whose zero means absent. */
const PLAIN: ReadonlySet<string> = new Set(["hostPID", "hostIPC", "sysctls"]);

function withoutLinux(spec: PodSpec, at: ValidatedField): void {
  const detail = "cannot be set for a windows pod";
  const context = (spec.securityContext ?? {}) as Readonly<Record<string, unknown>>;
  // Since the pod has the fields that it shares with its host as its own, these come last.
  const order = at.by.since(37) ? [...LINUX_OF_POD].sort(([a], [b]) => Number(b) - Number(a)) : LINUX_OF_POD;
  for (const [inContext, field] of order) {
    const owner = inContext ? context : (spec as Readonly<Record<string, unknown>>);
    if (!isSet(field, owner)) continue;
    (inContext ? at.child("securityContext") : at).child(field).forbidden(detail);
  }
  eachContainer(spec, at, (container: Container, each) => {
    const own = (container.securityContext ?? {}) as Readonly<Record<string, unknown>>;
    for (const field of LINUX_OF_CONTAINER) {
      if (isSet(field, own)) each.child("securityContext", field).forbidden(detail);
    }
  });
}

function isSet(field: string, owner: Readonly<Record<string, unknown>>): boolean {
  return PLAIN.has(field) ? !isEmpty(owner[field]) : wasGiven(owner, field);
}
