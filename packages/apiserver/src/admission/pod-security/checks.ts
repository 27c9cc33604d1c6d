// The Pod Security Standards: each check with the versions that changed it. Violations of a pod are worded as in Kubernetes. Upstream:
// pod-security-admission policy/check_*.go.

import { compareStrings, quoteGo } from "@celadon/base";
import type { Container, PodSpec, Volume } from "@celadon/kube/api/core-v1";

export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** The part of a pod's metadata that is checked. */
export interface PodMetadata {
  readonly annotations?: Readonly<Record<string, string>> | null | undefined;
}

type CheckPod = (metadata: PodMetadata, spec: PodSpec) => Violation | undefined;

export interface Check {
  readonly id: string;
  readonly level: "baseline" | "restricted";
  /** By the minor from which on they count, ascending. */
  readonly versions: readonly {
    readonly since: number;
    readonly check: CheckPod;
    /** Checks of the baseline that this one replaces. */
    readonly overrides?: readonly string[];
  }[];
}

function containersOf(spec: PodSpec): readonly Container[] {
  return [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...((spec.ephemeralContainers ?? []) as readonly Container[]),
  ];
}

const namesOf = (spec: PodSpec, isBad: (container: Container) => boolean): string[] =>
  containersOf(spec)
    .filter(isBad)
    .map(({ name }) => name ?? "");
const quoted = (items: readonly string[]): string => (items.length === 0 ? "" : `"${items.join('", "')}"`);
const plural = (text: string, many: string, count: number): string => (count === 1 ? text : many);
const containers = (names: readonly string[]): string =>
  `${plural("container", "containers", names.length)} ${quoted(names)}`;
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].sort(compareStrings);
const isWindows = ({ os }: PodSpec): boolean => os?.name === "windows";
const hasUserNamespace = ({ hostUsers }: PodSpec): boolean => hostUsers === false;

const exceptIf =
  (isExempt: (spec: PodSpec) => boolean, check: CheckPod): CheckPod =>
  (metadata, spec) =>
    isExempt(spec) ? undefined : check(metadata, spec);

/** "pod", then the containers, for fields that may be set at either. */
function setters(isPod: boolean, names: readonly string[]): string[] {
  return [...(isPod ? ["pod"] : []), ...(names.length > 0 ? [containers(names)] : [])];
}

const allowPrivilegeEscalation: CheckPod = (_, spec) => {
  const bad = namesOf(spec, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (bad.length === 0) return undefined;
  return {
    reason: "allowPrivilegeEscalation != false",
    detail: `${containers(bad)} must set securityContext.allowPrivilegeEscalation=false`,
  };
};

const APPARMOR = "container.apparmor.security.beta.kubernetes.io/";

const appArmorProfile: CheckPod = ({ annotations }, spec) => {
  const isAllowed = (type: string): boolean => type === "RuntimeDefault" || type === "Localhost";
  const types: string[] = [];
  const isBad = (profile: { readonly type?: string | undefined } | undefined | null): boolean => {
    if (profile == null || isAllowed(profile.type ?? "")) return false;
    types.push(profile.type ?? "");
    return true;
  };
  const isPod = isBad(spec.securityContext?.appArmorProfile);
  const bad = namesOf(spec, ({ securityContext }) => isBad(securityContext?.appArmorProfile));
  const forbidden = Object.entries(annotations ?? {})
    .filter(([key, value]) => key.startsWith(APPARMOR) && !isAllowedAnnotation(value))
    .map(([key, value]) => `${key}=${quoteGo(value)}`)
    .sort(compareStrings);
  const values = [...sorted(types), ...forbidden];
  const who = setters(isPod, bad);
  if (forbidden.length > 0) who.push(plural("annotation", "annotations", forbidden.length));
  if (who.length === 0) return undefined;
  return {
    reason: plural("forbidden AppArmor profile", "forbidden AppArmor profiles", values.length),
    detail: `${who.join(" and ")} must not set AppArmor profile type to ${quoted(values)}`,
  };

  function isAllowedAnnotation(value: string): boolean {
    return value === "" || value === "runtime/default" || value.startsWith("localhost/");
  }
};

const DEFAULT_CAPABILITIES: ReadonlySet<string> = new Set([
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "MKNOD",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
]);

const addedBeyond = ({ securityContext }: Container, isAllowed: (name: string) => boolean): readonly string[] =>
  (securityContext?.capabilities?.add ?? []).filter((name) => !isAllowed(name));

const capabilitiesBaseline: CheckPod = (_, spec) => {
  const beyond = (container: Container) => addedBeyond(container, (name) => DEFAULT_CAPABILITIES.has(name));
  const bad = namesOf(spec, (container) => beyond(container).length > 0);
  if (bad.length === 0) return undefined;
  const added = quoted(sorted(containersOf(spec).flatMap(beyond)));
  return {
    reason: "non-default capabilities",
    detail: `${containers(bad)} must not include ${added} in securityContext.capabilities.add`,
  };
};

const capabilitiesRestricted: CheckPod = (_, spec) => {
  const beyond = (container: Container) => addedBeyond(container, (name) => name === "NET_BIND_SERVICE");
  const keeping = namesOf(spec, ({ securityContext }) => !securityContext?.capabilities?.drop?.includes("ALL"));
  const adding = namesOf(spec, (container) => beyond(container).length > 0);
  const details: string[] = [];
  if (keeping.length > 0) details.push(`${containers(keeping)} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const added = quoted(sorted(containersOf(spec).flatMap(beyond)));
    details.push(`${containers(adding)} must not include ${added} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: "unrestricted capabilities", detail: details.join("; ") };
};

const hostNamespaces: CheckPod = (_, spec) => {
  const shared = (["hostNetwork", "hostPID", "hostIPC"] as const).filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: "host namespaces", detail: shared.map((field) => `${field}=true`).join(", ") };
};

const hostPathVolumes: CheckPod = (_, { volumes }) => {
  const bad = (volumes ?? []).filter(({ hostPath }) => hostPath != null).map(({ name }) => name ?? "");
  if (bad.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural("volume", "volumes", bad.length)} ${quoted(bad)}` };
};

const hostPorts: CheckPod = (_, spec) => {
  const portsOf = ({ ports }: Container): string[] =>
    (ports ?? []).flatMap(({ hostPort }) => (hostPort ? [String(hostPort)] : []));
  const bad = namesOf(spec, (container) => portsOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const ports = sorted(containersOf(spec).flatMap(portsOf));
  const verb = plural("uses", "use", bad.length);
  const what = plural("hostPort", "hostPorts", ports.length);
  return { reason: "hostPort", detail: `${containers(bad)} ${verb} ${what} ${ports.join(", ")}` };
};

const hostProbes: CheckPod = (_, spec) => {
  type Handler = { readonly httpGet?: { host?: string } | null; readonly tcpSocket?: { host?: string } | null };
  const hostsOf = ({ livenessProbe, readinessProbe, startupProbe, lifecycle }: Container): string[] =>
    ([livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop] as (Handler | undefined)[])
      .flatMap((handler) => [handler?.httpGet?.host ?? "", handler?.tcpSocket?.host ?? ""])
      .filter((host) => host !== "");
  const bad = sorted(namesOf(spec, (container) => hostsOf(container).length > 0));
  if (bad.length === 0) return undefined;
  const hosts = sorted(containersOf(spec).flatMap(hostsOf));
  const what = plural("probe or lifecycle host", "probe or lifecycle hosts", hosts.length);
  return {
    reason: "probe or lifecycle host",
    detail: `${containers(bad)} ${plural("uses", "use", bad.length)} ${what} ${quoted(hosts)}`,
  };
};

const privileged: CheckPod = (_, spec) => {
  const bad = namesOf(spec, ({ securityContext }) => securityContext?.privileged === true);
  if (bad.length === 0) return undefined;
  return { reason: "privileged", detail: `${containers(bad)} must not set securityContext.privileged=true` };
};

const procMount: CheckPod = (_, spec) => {
  const mountOf = ({ securityContext }: Container): string[] => {
    const mount = securityContext?.procMount;
    return mount == null || mount === "Default" ? [] : [mount];
  };
  const bad = namesOf(spec, (container) => mountOf(container).length > 0);
  if (bad.length === 0) return undefined;
  const mounts = quoted(sorted(containersOf(spec).flatMap(mountOf)));
  return { reason: "procMount", detail: `${containers(bad)} must not set securityContext.procMount to ${mounts}` };
};

const ALLOWED_VOLUMES = [
  "configMap",
  "csi",
  "downwardAPI",
  "emptyDir",
  "ephemeral",
  "image",
  "persistentVolumeClaim",
  "projected",
  "secret",
] as const;
const OTHER_VOLUMES = [
  "hostPath",
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "gitRepo",
  "nfs",
  "iscsi",
  "glusterfs",
  "rbd",
  "flexVolume",
  "cinder",
  "cephfs",
  "flocker",
  "fc",
  "azureFile",
  "vsphereVolume",
  "quobyte",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "storageos",
] as const;

const restrictedVolumes: CheckPod = (_, { volumes }) => {
  const has = (volume: Volume, field: string): boolean => (volume as Record<string, unknown>)[field] != null;
  const bad = (volumes ?? []).filter((volume) => !ALLOWED_VOLUMES.some((field) => has(volume, field)));
  if (bad.length === 0) return undefined;
  const types = sorted(bad.map((volume) => OTHER_VOLUMES.find((field) => has(volume, field)) ?? "unknown"));
  const who = `${plural("volume", "volumes", bad.length)} ${quoted(bad.map(({ name }) => name ?? ""))}`;
  const what = plural("restricted volume type", "restricted volume types", types.length);
  return {
    reason: "restricted volume types",
    detail: `${who} ${plural("uses", "use", bad.length)} ${what} ${quoted(types)}`,
  };
};

const runAsNonRoot: CheckPod = (_, spec) => {
  const ofPod = spec.securityContext?.runAsNonRoot ?? undefined;
  const reason = "runAsNonRoot != true";
  const explicit = namesOf(spec, ({ securityContext }) => securityContext?.runAsNonRoot === false);
  const who = setters(ofPod === false, explicit);
  if (who.length > 0) {
    return { reason, detail: `${who.join(" and ")} must not set securityContext.runAsNonRoot=false` };
  }
  if (ofPod === true) return undefined;
  const silent = namesOf(spec, ({ securityContext }) => securityContext?.runAsNonRoot == null);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containers(silent)} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: CheckPod = (_, spec) => {
  const isRoot = (context: { readonly runAsUser?: unknown } | undefined | null): boolean =>
    context?.runAsUser != null && Number(context.runAsUser) === 0;
  const bad = namesOf(spec, ({ securityContext }) => isRoot(securityContext));
  const who = setters(isRoot(spec.securityContext), bad);
  return who.length === 0
    ? undefined
    : { reason: "runAsUser=0", detail: `${who.join(" and ")} must not set runAsUser=0` };
};

type SELinux = {
  readonly type?: string | undefined;
  readonly user?: string | undefined;
  readonly role?: string | undefined;
};

const seLinuxOptions =
  (allowed: readonly string[]): CheckPod =>
  (_, spec) => {
    const bad: SELinux[] = [];
    const isBad = (options: SELinux | undefined | null): boolean => {
      if (options == null) return false;
      if (allowed.includes(options.type ?? "") && !options.user && !options.role) return false;
      bad.push(options);
      return true;
    };
    const isPod = isBad(spec.securityContext?.seLinuxOptions);
    const names = namesOf(spec, ({ securityContext }) => isBad(securityContext?.seLinuxOptions));
    const who = setters(isPod, names);
    if (who.length === 0) return undefined;
    const types = sorted(bad.map(({ type = "" }) => type).filter((type) => !allowed.includes(type)));
    const data: string[] = [];
    if (types.length > 0) data.push(`${plural("type", "types", types.length)} ${quoted(types)}`);
    if (bad.some(({ user }) => user)) data.push("user may not be set");
    if (bad.some(({ role }) => role)) data.push("role may not be set");
    const detail = `${who.join(" and ")} set forbidden securityContext.seLinuxOptions: ${data.join("; ")}`;
    return { reason: "seLinuxOptions", detail };
  };

const SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
const SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";

const seccompAnnotations: CheckPod = (metadata, spec) => {
  const annotations = metadata.annotations ?? {};
  const keys = [SECCOMP_POD, ...containersOf(spec).map(({ name }) => `${SECCOMP_CONTAINER}${name}`)];
  const isAllowed = (value: string): boolean =>
    value === "runtime/default" || value === "docker/default" || value.startsWith("localhost/");
  const forbidden = sorted(
    keys
      .filter((key) => annotations[key] !== undefined && !isAllowed(annotations[key]))
      .map((key) => `${key}=${quoteGo(annotations[key]!)}`),
  );
  if (forbidden.length === 0) return undefined;
  const what = plural("annotation", "annotations", forbidden.length);
  return { reason: "seccompProfile", detail: `forbidden ${what} ${forbidden.join(", ")}` };
};

const isAllowedSeccomp = (type: string): boolean => type === "Localhost" || type === "RuntimeDefault";

const seccompBaseline: CheckPod = (_, spec) => {
  const types: string[] = [];
  const isBad = (profile: { readonly type?: string | undefined } | undefined | null): boolean => {
    if (profile == null || isAllowedSeccomp(profile.type ?? "")) return false;
    types.push(profile.type ?? "");
    return true;
  };
  const isPod = isBad(spec.securityContext?.seccompProfile);
  const bad = namesOf(spec, ({ securityContext }) => isBad(securityContext?.seccompProfile));
  const who = setters(isPod, bad);
  if (who.length === 0) return undefined;
  const detail = `${who.join(" and ")} must not set securityContext.seccompProfile.type to ${quoted(sorted(types))}`;
  return { reason: "seccompProfile", detail };
};

const seccompRestricted: CheckPod = (metadata, spec) => {
  const explicit = seccompBaseline(metadata, spec);
  if (explicit !== undefined) return explicit;
  if (spec.securityContext?.seccompProfile != null) return undefined;
  const silent = namesOf(spec, ({ securityContext }) => securityContext?.seccompProfile == null);
  if (silent.length === 0) return undefined;
  return {
    reason: "seccompProfile",
    detail: `pod or ${containers(silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

const sysctls =
  (allowed: readonly string[]): CheckPod =>
  (_, { securityContext }) => {
    const bad = (securityContext?.sysctls ?? []).map(({ name = "" }) => name).filter((name) => !allowed.includes(name));
    return bad.length === 0 ? undefined : { reason: "forbidden sysctls", detail: bad.join(", ") };
  };
const SYSCTLS = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SYSCTLS_27 = [...SYSCTLS, "net.ipv4.ip_local_reserved_ports"];
const SYSCTLS_29 = [
  ...SYSCTLS_27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const SYSCTLS_32 = [...SYSCTLS_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

const windowsHostProcess: CheckPod = (_, spec) => {
  const bad = namesOf(spec, ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true);
  const who = setters(spec.securityContext?.windowsOptions?.hostProcess === true, bad);
  if (who.length === 0) return undefined;
  const detail = `${who.join(" and ")} must not set securityContext.windowsOptions.hostProcess=true`;
  return { reason: "hostProcess", detail };
};

const SELINUX_TYPES = ["", "container_t", "container_init_t", "container_kvm_t"];

/** In the order in which their findings are written: by name, the baseline first. */
export const CHECKS: readonly Check[] = [
  { id: "appArmorProfile", level: "baseline", versions: [{ since: 0, check: appArmorProfile }] },
  { id: "capabilities_baseline", level: "baseline", versions: [{ since: 0, check: capabilitiesBaseline }] },
  { id: "hostNamespaces", level: "baseline", versions: [{ since: 0, check: hostNamespaces }] },
  { id: "hostPathVolumes", level: "baseline", versions: [{ since: 0, check: hostPathVolumes }] },
  { id: "hostPorts", level: "baseline", versions: [{ since: 0, check: hostPorts }] },
  { id: "hostProbesAndHostLifecycle", level: "baseline", versions: [{ since: 34, check: hostProbes }] },
  { id: "privileged", level: "baseline", versions: [{ since: 0, check: privileged }] },
  {
    id: "procMount",
    level: "baseline",
    versions: [
      { since: 0, check: procMount },
      { since: 35, check: exceptIf(hasUserNamespace, procMount) },
    ],
  },
  {
    id: "seLinuxOptions",
    level: "baseline",
    versions: [
      { since: 0, check: seLinuxOptions(SELINUX_TYPES) },
      { since: 31, check: seLinuxOptions([...SELINUX_TYPES, "container_engine_t"]) },
    ],
  },
  {
    id: "seccompProfile_baseline",
    level: "baseline",
    versions: [
      { since: 0, check: seccompAnnotations },
      { since: 19, check: seccompBaseline },
    ],
  },
  {
    id: "sysctls",
    level: "baseline",
    versions: [
      { since: 0, check: sysctls(SYSCTLS) },
      { since: 27, check: sysctls(SYSCTLS_27) },
      { since: 29, check: sysctls(SYSCTLS_29) },
      { since: 32, check: sysctls(SYSCTLS_32) },
    ],
  },
  { id: "windowsHostProcess", level: "baseline", versions: [{ since: 0, check: windowsHostProcess }] },
  {
    id: "allowPrivilegeEscalation",
    level: "restricted",
    versions: [
      { since: 8, check: allowPrivilegeEscalation },
      { since: 25, check: exceptIf(isWindows, allowPrivilegeEscalation) },
    ],
  },
  {
    id: "capabilities_restricted",
    level: "restricted",
    versions: [
      { since: 22, check: capabilitiesRestricted, overrides: ["capabilities_baseline"] },
      { since: 25, check: exceptIf(isWindows, capabilitiesRestricted), overrides: ["capabilities_baseline"] },
    ],
  },
  {
    id: "procMount_restricted",
    level: "restricted",
    versions: [{ since: 35, check: procMount, overrides: ["procMount"] }],
  },
  {
    id: "restrictedVolumes",
    level: "restricted",
    versions: [{ since: 0, check: restrictedVolumes, overrides: ["hostPathVolumes"] }],
  },
  {
    id: "runAsNonRoot",
    level: "restricted",
    versions: [
      { since: 0, check: runAsNonRoot },
      { since: 35, check: exceptIf(hasUserNamespace, runAsNonRoot) },
    ],
  },
  {
    id: "runAsUser",
    level: "restricted",
    versions: [
      { since: 23, check: runAsUser },
      { since: 35, check: exceptIf(hasUserNamespace, runAsUser) },
    ],
  },
  {
    id: "seccompProfile_restricted",
    level: "restricted",
    versions: [
      { since: 19, check: seccompRestricted, overrides: ["seccompProfile_baseline"] },
      { since: 25, check: exceptIf(isWindows, seccompRestricted), overrides: ["seccompProfile_baseline"] },
    ],
  },
];
