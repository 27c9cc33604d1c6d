// Warnings about pods and templates that are accepted: deprecated parts, and parts without the effect they seem to have.

import { pushAll, quoteGo, semanticEqual } from "@celadon/base";
import type {
  Container,
  ContainerPort,
  EnvVar,
  PodAffinity,
  PodSpec,
  ResourceRequirements,
  Volume,
} from "../../../api/generated/core-v1.ts";
import type { ObjectMeta } from "../../../api/generated/meta-v1.ts";
import type { Emulation } from "../../../emulation.ts";
import { FieldPath } from "../../../field-path.ts";
import { MAX_WARNINGS } from "../../../limits.ts";
import { fieldWarning, type Warning } from "../../../warning.ts";
import { ipWarnings } from "../../checks/ip.ts";
import { isWhole, quantityAt } from "../../checks/quantities.ts";
import { deprecatedNodeLabel, nodeLabelWarnings, nodeSelectorTermWarnings } from "../node-labels.ts";
import { claimWarnings } from "../volume/claim-warnings.ts";
import { overlappingPaths } from "../volume/overlapping-paths.ts";
import { APPARMOR_CONTAINER, SECCOMP_CONTAINER, SECCOMP_POD } from "./annotations.ts";
import { CONTAINER_LISTS } from "./container/each-container.ts";
import { PortsInUse } from "./container/port-clashes.ts";
import { appArmorField } from "./prepare.ts";

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
const BYTES = ["memory", "ephemeral-storage"];

const ANNOTATIONS: readonly (readonly [string, string])[] = [
  ["scheduler.alpha.kubernetes.io/critical-pod", 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ["security.alpha.kubernetes.io/sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
  ["security.alpha.kubernetes.io/unsafe-sysctls", 'non-functional in v1.11+; use the "sysctls" field instead'],
];

/** Sources of volumes that are gone or going, the name they are shown under, and since when. */
const VOLUMES: readonly (readonly [string, string, string])[] = [
  ["photonPersistentDisk", "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "gitRepo", "deprecated in v1.11"],
  ["scaleIO", "scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "storageOS", "deprecated in v1.22, non-functional in v1.25+"],
  ["quobyte", "quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", "ephemeral", ""],
  ["cephfs", "cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

/** A container of a pod, and its path. The path is made only for a warning: most have none. */
interface Placed {
  readonly container: Container;
  readonly at: () => FieldPath;
}

/** `at` is the path of the template; absent for a pod. */
export function podWarnings(by: Emulation, spec: PodSpec, meta: ObjectMeta | undefined, at?: FieldPath): Warning[] {
  const warnings: Warning[] = [];
  const root = at ?? FieldPath.root;
  const place = root.child("spec");
  const annotations = meta?.annotations ?? {};
  const annotation = (key: string): FieldPath => root.child("metadata", "annotations").key(key);
  const containers: Placed[] = [];
  for (const list of CONTAINER_LISTS) {
    spec[list]?.forEach((container: Container, i: number) => {
      containers.push({ container, at: () => place.child(list).index(i) });
    });
  }

  if (spec.nodeSelector) {
    pushAll(
      warnings,
      nodeLabelWarnings(spec.nodeSelector, (key) => place.child("nodeSelector").key(key)),
    );
  }
  if (spec.affinity?.nodeAffinity) pushAll(warnings, nodeAffinityWarnings(spec, by, place));
  if (spec.topologySpreadConstraints) pushAll(warnings, spreadWarnings(spec, place));
  if (meta?.annotations) {
    for (const [key, message] of ANNOTATIONS) {
      if (Object.hasOwn(annotations, key)) warnings.push(fieldWarning(annotation(key), message));
    }
  }
  if (spec.volumes)
    pushAll(
      warnings,
      volumeWarnings(spec, by, place.child("volumes")),
      by.since(32) ? overlappingPaths(spec.volumes, place.child("volumes")) : [],
    );
  if (spec.hostAliases) {
    pushAll(
      warnings,
      repeated(spec.hostAliases, (alias) => alias.ip, "ip", place.child("hostAliases")),
    );
  }
  if (spec.imagePullSecrets) pushAll(warnings, pullSecretWarnings(spec, place.child("imagePullSecrets")));
  if (spec.overhead) pushAll(warnings, fractions(spec.overhead, place.child("overhead")));
  if (spec.securityContext?.seccompProfile === undefined && Object.hasOwn(annotations, SECCOMP_POD)) {
    warnings.push(
      fieldWarning(annotation(SECCOMP_POD), 'non-functional in v1.27+; use the "seccompProfile" field instead'),
    );
  }
  for (const { container, at: each } of containers) {
    if (meta?.annotations)
      pushAll(warnings, profileWarnings(container, spec, annotations, annotation, at !== undefined));
    if (container.resources) byteWarnings(container.resources, each, warnings);
    if (container.env) pushAll(warnings, envWarnings(container.env, each));
  }
  pushAll(warnings, portWarnings(containers), by.since(33) ? portNameWarnings(containers) : []);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) {
    const seconds = place.child("terminationGracePeriodSeconds");
    warnings.push(fieldWarning(seconds, "must be >= 0; negative values are invalid and will be treated as 1"));
  }
  if (spec.affinity) {
    pushAll(warnings, affinityWarnings(spec.affinity.podAffinity, place.child("affinity", "podAffinity")));
    pushAll(warnings, affinityWarnings(spec.affinity.podAntiAffinity, place.child("affinity", "podAntiAffinity")));
  }
  (spec.dnsConfig?.nameservers ?? []).forEach((server, i) => {
    pushAll(warnings, ipWarnings(server, place.child("dnsConfig", "nameservers").index(i), by));
  });
  (spec.hostAliases ?? []).forEach((alias, i) => {
    pushAll(warnings, ipWarnings(alias.ip, place.child("hostAliases").index(i).child("ip"), by));
  });
  return warnings;
}

/** Annotations that fields have taken the place of. */
function profileWarnings(
  { name = "", securityContext }: Container,
  spec: PodSpec,
  annotations: Readonly<Record<string, string>>,
  annotation: (key: string) => FieldPath,
  isTemplate: boolean,
): Warning[] {
  const warnings: Warning[] = [];
  const seccomp = `${SECCOMP_CONTAINER}${name}`;
  if (securityContext?.seccompProfile === undefined && Object.hasOwn(annotations, seccomp)) {
    warnings.push(
      fieldWarning(annotation(seccomp), 'non-functional in v1.27+; use the "seccompProfile" field instead'),
    );
  }
  const appArmor = `${APPARMOR_CONTAINER}${name}`;
  if (isTemplate && !securityContext?.appArmorProfile && Object.hasOwn(annotations, appArmor)) {
    const ofPod = spec.securityContext?.appArmorProfile;
    if (ofPod === undefined || !semanticEqual(ofPod, appArmorField(annotations[appArmor]!))) {
      warnings.push(
        fieldWarning(annotation(appArmor), 'deprecated since v1.30; use the "appArmorProfile" field instead'),
      );
    }
  }
  return warnings;
}

function nodeAffinityWarnings(spec: PodSpec, by: Emulation, at: FieldPath): Warning[] {
  const affinity = spec.affinity?.nodeAffinity;
  const place = at.child("affinity", "nodeAffinity");
  const required = (affinity?.[REQUIRED]?.nodeSelectorTerms ?? []).flatMap((term, i) =>
    nodeSelectorTermWarnings(term, false, place.child(REQUIRED, "nodeSelectorTerms").index(i)),
  );
  const preferred = (affinity?.[PREFERRED] ?? []).flatMap((term, i) =>
    nodeSelectorTermWarnings(term.preference ?? {}, by.since(33), place.child(PREFERRED).index(i).child("preference")),
  );
  return [...required, ...preferred];
}

function spreadWarnings(spec: PodSpec, at: FieldPath): Warning[] {
  return (spec.topologySpreadConstraints ?? []).flatMap((constraint, i) => {
    const place = at.child("topologySpreadConstraints").index(i);
    const deprecated = deprecatedNodeLabel(constraint.topologyKey);
    return [
      ...(deprecated === undefined
        ? []
        : [fieldWarning(place.child("topologyKey"), `${constraint.topologyKey} is ${deprecated}`)]),
      ...nullSelector(constraint.labelSelector, place.child("labelSelector")),
    ];
  });
}

function nullSelector(selector: unknown, at: FieldPath): Warning[] {
  return selector === undefined ? [fieldWarning(at, "a null labelSelector results in matching no pod")] : [];
}

function volumeWarnings(spec: PodSpec, by: Emulation, at: FieldPath): Warning[] {
  const isWarnedAbout = (volume: Volume): boolean => VOLUMES.some(([field]) => Object.hasOwn(volume, field));
  return (spec.volumes ?? []).flatMap((volume, i) =>
    (isWarnedAbout(volume) ? VOLUMES : []).flatMap(([field, shown, message]) => {
      if ((volume as Readonly<Record<string, unknown>>)[field] === undefined) return [];
      const place = at.index(i).child(shown).standingAt(at.index(i).child(field).steps);
      const note = field === "gitRepo" && by.since(33) ? ", and disabled by default in v1.33+" : "";
      if (field !== "ephemeral") return [fieldWarning(place, `${message}${note}`)];
      const template = volume.ephemeral?.volumeClaimTemplate;
      if (template === undefined) return [];
      return claimWarnings(template.spec ?? {}, place.child("volumeClaimTemplate", "spec"));
    }),
  );
}

function repeated<T>(
  list: readonly T[] | undefined,
  key: (item: T) => string | undefined,
  name: string,
  at: FieldPath,
): Warning[] {
  const seen = new Set<string>();
  return (list ?? []).flatMap((item, i) => {
    const value = key(item) ?? "";
    if (!seen.has(value)) {
      seen.add(value);
      return [];
    }
    return [fieldWarning(at.index(i).child(name), `duplicate ${name} ${quoteGo(value)}`)];
  });
}

function pullSecretWarnings(spec: PodSpec, at: FieldPath): Warning[] {
  const empty = (spec.imagePullSecrets ?? []).flatMap((secret, i) =>
    secret.name ? [] : [fieldWarning(at.index(i).child("name"), 'invalid empty name ""')],
  );
  return [...repeated(spec.imagePullSecrets, (secret) => secret.name, "name", at), ...empty];
}

function isFraction(list: Readonly<Record<string, string>> | undefined, name: string): boolean {
  const given = list?.[name];
  return given !== undefined && !WHOLE.test(given) && !isWhole(quantityAt(given));
}

/** Nearly all amounts of bytes are written so. */
const WHOLE = /^[0-9]+(?:[KMGTPE]i|[kMGTPE])?$/;

function fraction(list: Readonly<Record<string, string>> | undefined, name: string, at: FieldPath): Warning[] {
  if (!isFraction(list, name)) return [];
  const text = quoteGo(quantityAt(list?.[name]).toString());
  return [fieldWarning(at.key(name), `fractional byte value ${text} is invalid, must be an integer`)];
}

function fractions(list: Readonly<Record<string, string>> | undefined, at: FieldPath): Warning[] {
  return BYTES.flatMap((name) => fraction(list, name, at));
}

function byteWarnings({ limits, requests }: ResourceRequirements, at: () => FieldPath, warnings: Warning[]): void {
  for (const name of BYTES) {
    if (isFraction(limits, name)) pushAll(warnings, fraction(limits, name, at().child("resources", "limits")));
    if (isFraction(requests, name)) pushAll(warnings, fraction(requests, name, at().child("resources", "requests")));
  }
}

/** A variable given again hides the first, unless it extends it. */
function envWarnings(env: readonly EnvVar[], container: () => FieldPath): Warning[] {
  const warnings: Warning[] = [];
  const seen = new Set<string>();
  env.forEach(({ name = "", value = "", valueFrom }, i) => {
    if (!seen.has(name)) {
      seen.add(name);
      return;
    }
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) return;
    const at = container().child("env").index(i);
    warnings.push(
      fieldWarning(at, `hides previous definition of ${quoteGo(name)}, which may be dropped when using apply`),
    );
  });
  return warnings;
}

function portWarnings(containers: readonly Placed[]): Warning[] {
  const warnings: Warning[] = [];
  const known = new Map<string, PortsInUse>();
  for (const { container, at: each } of containers) {
    for (const [i, port] of (container.ports ?? []).entries()) {
      if (warnings.length >= MAX_WARNINGS) return warnings;
      const at = (): FieldPath => each().child("ports").index(i);
      if (port.hostIP && !port.hostPort)
        warnings.push(fieldWarning(at(), `hostIP set without hostPort: ${goPort(port)}`));
      const key = `${port.containerPort ?? 0}/${port.protocol ?? ""}`;
      let others = known.get(key);
      if (others === undefined) known.set(key, (others = new PortsInUse()));
      for (const { clash, other } of others.clashes(port)) {
        if (warnings.length >= MAX_WARNINGS) return warnings;
        warnings.push(fieldWarning(at(), `${clash} port definition with ${other.at()}`));
      }
      others.add({ at, port });
    }
  }
  return warnings;
}

/** The port as Go's %+v prints the struct. */
function goPort(port: ContainerPort): string {
  const { name = "", hostPort = 0, containerPort = 0, protocol = "", hostIP = "" } = port;
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

function portNameWarnings(containers: readonly Placed[]): Warning[] {
  const warnings: Warning[] = [];
  const known = new Map<string, () => FieldPath>();
  for (const { container, at: each } of containers) {
    container.ports?.forEach((port, i) => {
      if (!port.name) return;
      const at = (): FieldPath => each().child("ports").index(i);
      const other = known.get(port.name)?.();
      if (other === undefined) known.set(port.name, at);
      else {
        warnings.push(
          fieldWarning(
            at(),
            `duplicate port name ${quoteGo(port.name)} with ${other}, services and probes that select ports by name will use ${other}`,
          ),
        );
      }
    });
  }
  return warnings;
}

function affinityWarnings(affinity: PodAffinity | undefined, at: FieldPath): Warning[] {
  const required = (affinity?.[REQUIRED] ?? []).flatMap((term, i) =>
    nullSelector(term.labelSelector, at.child(REQUIRED).index(i).child("labelSelector")),
  );
  const preferred = (affinity?.[PREFERRED] ?? []).flatMap((term, i) =>
    nullSelector(
      term.podAffinityTerm?.labelSelector,
      at.child(PREFERRED).index(i).child("podAffinityTerm", "labelSelector"),
    ),
  );
  return [...required, ...preferred];
}
