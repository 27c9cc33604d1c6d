// Fields that objects often lack: the API server does not fill them in, and CEL fails where they are read without asking first. A list by
// hand, because schemas know required fields and not present ones: defaults and Go's empty values exist although nothing requires them.

const METADATA = ["labels", "annotations", "ownerReferences", "finalizers"];
// biome-ignore format: by subject
const POD = [
  "initContainers", "ephemeralContainers", "affinity", "nodeSelector", "hostNetwork", "hostPID", "hostIPC", "hostUsers",
  "volumes", "tolerations", "imagePullSecrets", "hostAliases", "topologySpreadConstraints", "priorityClassName",
  "runtimeClassName", "automountServiceAccountToken", "activeDeadlineSeconds", "shareProcessNamespace",
];
const SERVICE = ["externalIPs", "loadBalancerSourceRanges", "loadBalancerIP"];
// biome-ignore format: by subject
const CONTAINER = [
  "securityContext", "command", "args", "env", "envFrom", "ports",
  "livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "volumeMounts", "volumeDevices", "workingDir", "restartPolicy",
];
// biome-ignore format: by subject
const SECURITY_CONTEXT = [
  "runAsNonRoot", "runAsUser", "runAsGroup", "fsGroup", "privileged", "allowPrivilegeEscalation", "readOnlyRootFilesystem",
  "capabilities", "seccompProfile", "seLinuxOptions", "appArmorProfile", "procMount", "supplementalGroups", "sysctls",
];

/** The ends of paths. */
const ENDS: ReadonlySet<string> = new Set([
  ...METADATA.map((field) => `metadata.${field}`),
  ...[...POD, ...SERVICE, "ingressClassName"].map((field) => `spec.${field}`),
  ...["containers", "initContainers", "ephemeralContainers"].flatMap((list) =>
    CONTAINER.map((field) => `${list}[*].${field}`),
  ),
  ...SECURITY_CONTEXT.map((field) => `securityContext.${field}`),
  ...["limits", "requests"].map((field) => `resources.${field}`),
  ...["add", "drop"].map((field) => `capabilities.${field}`),
]);

/** Whether objects may lack the field at a path: `object.metadata.labels`. */
export function isOptional(path: string): boolean {
  const before = path.lastIndexOf(".", path.lastIndexOf(".") - 1);
  return before !== -1 && ENDS.has(path.slice(before + 1));
}

/** Fields that ephemeral containers cannot have, so that a policy about nothing else need not see them. */
export const NOT_EPHEMERAL: ReadonlySet<string> = new Set([
  "ports",
  "livenessProbe",
  "readinessProbe",
  "startupProbe",
  "lifecycle",
  "resources",
  "resizePolicy",
  "restartPolicy",
]);
