// Writes packages/kube/src/validation/show/generated/internal-types.ts: how the API server's internal types print, one table for all minors.
//
//   node scripts/generate-internal-types.mjs DIR TYPES
//
// DIR has one `1.N.json` per minor: the internal types of that release as reflection prints them, each field with its Go name and type.
// TYPES is the `1.N.json` of the served types of the newest minor, as generate-types.mjs reads it: fields are found in objects by their served
// names. packages/kube/src/validation/show/internal-table.ts describes the lines.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const OUTPUT = fileURLToPath(
  new URL("../packages/kube/src/validation/show/generated/internal-types.ts", import.meta.url),
);

const [directory, servedTypes] = process.argv.slice(2);
if (servedTypes === undefined) throw new Error("usage: generate-internal-types.mjs DIR TYPES");
const releases = readdirSync(directory)
  .map((name) => /^1\.(\d+)\.json$/.exec(name))
  .filter((match) => match !== null)
  .map((match) => ({ minor: Number(match[1]), ...JSON.parse(readFileSync(join(directory, match[0]), "utf8")) }))
  .sort((a, b) => b.minor - a.minor);
const newest = releases[0].minor;
const oldest = releases.at(-1).minor;
const served = JSON.parse(readFileSync(servedTypes, "utf8")).types;

/** The last minor that prints values as Go does: only its types and older ones need the names that Go has for them. */
const LAST_GO = 33;

const CODES = {
  string: "s",
  bool: "b",
  Quantity: "q",
  bytes: "B",
  Time: "t",
  MicroTime: "t",
  Duration: "t",
  IntOrString: "x",
  RawExtension: "r",
  FieldsV1: "r",
  float: "i",
};

/** Served names that do not follow from the Go name, by Go name, or by type and Go name where that is not enough. */
const RENAMED = {
  "core.CephFSVolumeSource.User": "user",
  StorageOS: "storageos",
  SessionCHAPAuth: "chapAuthSession",
  DiscoveryCHAPAuth: "chapAuthDiscovery",
  RadosUser: "user",
  RBDPool: "pool",
  RBDImage: "image",
  EndpointsName: "endpoints",
  CephMonitors: "monitors",
  CephFS: "cephfs",
  "core.Event.ReportingController": "reportingComponent",
  "core.RBDVolumeSource.CephMonitors": "monitors",
  "resource.DeviceAttribute.IntValue": "int",
  "resource.DeviceAttribute.BoolValue": "bool",
  "resource.DeviceAttribute.StringValue": "string",
  "resource.DeviceAttribute.VersionValue": "version",
  "resource.DeviceAttribute.IntValues": "ints",
  "resource.DeviceAttribute.BoolValues": "bools",
  "resource.DeviceAttribute.StringValues": "strings",
  "resource.DeviceAttribute.VersionValues": "versions",
  "core.PodSpec.DeprecatedServiceAccount": "serviceAccount",
  "core.AzureDiskVolumeSource.DataDiskURI": "diskURI",
  "core.ContainerStatus.LastTerminationState": "lastState",
  "core.DaemonEndpoint.Port": "Port",
  "core.NodeSpec.DoNotUseExternalID": "externalID",
};

/** Served names by themselves in small letters. */
const bySmall = new Map();
for (const fields of Object.values(served))
  for (const { json } of fields) if (json) bySmall.set(json.toLowerCase(), json);

const reached = new Set();
function reach(name) {
  if (reached.has(name)) return;
  reached.add(name);
  for (const { types } of releases) {
    for (const { type } of types[name] ?? []) {
      const inner = bare(type);
      if (types[inner] !== undefined) reach(inner);
    }
  }
}
function bare(type) {
  return type.replace(/^(\[\]|map\[[^\]]*\]|\*)+/, "");
}
/** The types that rules show, with all that they contain. */
const ROOTS = [
  "apps.DaemonSetUpdateStrategy",
  "apps.DeploymentStrategy",
  "apps.StatefulSetUpdateStrategy",
  "authorization.NonResourceAttributes",
  "batch.PodFailurePolicy",
  "batch.SuccessPolicy",
  "batch.UncountedTerminatedPods",
  "core.EventSource",
  "core.HostIP",
  "core.NodeAddress",
  "core.NodeConfigSource",
  "core.ObjectReference",
  "core.PersistentVolume",
  "core.PersistentVolumeClaim",
  "core.PodIP",
  "core.PodTemplateSpec",
  "core.ScopeSelector",
  "core.ServicePort",
  "core.Taint",
  "flowcontrol.FlowSchemaSpec",
  "flowcontrol.PriorityLevelConfigurationSpec",
  "networking.IngressRule",
  "networking.ParentReference",
  "networking.ServiceCIDRSpec",
  "policy.PodDisruptionBudgetSpec",
  "rbac.RoleRef",
  "resource.AllocationResult",
  "resource.DeviceAttribute",
  "resource.ResourceClaimTemplateSpec",
  "storage.CSINodeDriver",
  "storage.VolumeAttachmentSpec",
];
for (const root of ROOTS) reach(root);
const names = [...reached].sort();
const lineOf = new Map(names.map((name, i) => [name, i]));

function codeOf(type) {
  if (type.startsWith("[]")) return `[]${codeOf(type.slice(2))}`;
  if (type.startsWith("map[")) return `{}${codeOf(type.slice(type.indexOf("]") + 1))}`;
  if (type.startsWith("*")) return codeOf(type.slice(1));
  if (/^u?int/.test(type)) return "i";
  const line = lineOf.get(type);
  // An interface has no type of its own.
  return CODES[type] ?? (line === undefined ? "r" : `#${line.toString(36)}`);
}

function labelOf(owner, field) {
  const label = field.json || field.name;
  const given = label.charAt(0).toLowerCase() + label.slice(1);
  const found = RENAMED[`${owner}.${label}`] ?? RENAMED[label] ?? bySmall.get(label.toLowerCase()) ?? given;
  return `${label}${field.omitempty ? "~" : ""}${found === given ? "" : `=${found}`}`;
}

const goTypes = [];
/** The name that Go prints, where a type is printed with one and it does not follow from the code. */
function goPlace(field, minors) {
  if (Math.min(...minors) > LAST_GO) return "";
  const printed =
    field.pointer ||
    /^(\[\]|map\[)/.test(field.type) ||
    field.type === "bytes" ||
    field.type === "Time" ||
    field.type === "IntOrString" ||
    field.type === "MicroTime" ||
    field.type === "RawExtension";
  if (!printed) return "";
  const plain = field.type.replace(/^(\[\]|\*)+/, "");
  const isStructs = lineOf.has(plain) && (field.go === goName(plain) || field.go === `[]${goName(plain)}`);
  if (
    isStructs ||
    field.go === "[]string" ||
    field.go === "map[string]string" ||
    field.go === "bool" ||
    field.go === "string"
  )
    return "";
  if (!goTypes.includes(field.go)) goTypes.push(field.go);
  return `%${goTypes.indexOf(field.go).toString(36)}`;
}
function goName(type) {
  return type.slice(type.lastIndexOf("/") + 1);
}

function rangeOf(minors) {
  const [first, last] = [Math.min(...minors), Math.max(...minors)];
  const text = (first === oldest ? "" : String(first)) + (last === newest ? "" : `-${last}`);
  return text === "" ? "" : `@${text}`;
}

/** Fields of the newest version first; those that only older versions have stand after their former predecessor. */
function merged(name) {
  const rows = [];
  for (const { minor, types } of releases) {
    let at = 0;
    for (const field of types[name] ?? []) {
      const key = JSON.stringify([
        field.name,
        field.json,
        codeOf(field.type),
        field.pointer,
        field.omitempty,
        field.inline,
        minor > LAST_GO ? "" : field.go,
      ]);
      const like = JSON.stringify([
        field.name,
        field.json,
        codeOf(field.type),
        field.pointer,
        field.omitempty,
        field.inline,
        "",
      ]);
      const found = rows.findIndex((row) => row.key === key || row.key === like);
      if (found !== -1 && found >= at) {
        rows[found].minors.add(minor);
        if (minor <= LAST_GO) Object.assign(rows[found], { key, field });
        at = found + 1;
      } else {
        rows.splice(at, 0, { key, field, minors: new Set([minor]) });
        at++;
      }
    }
  }
  return rows;
}

const lines = names.map((name) => {
  const known = releases.filter(({ types }) => types[name] !== undefined).length;
  const fields = merged(name).map(({ field, minors }) => {
    const range = minors.size === known ? "" : rangeOf(minors);
    if (field.inline) return `<${codeOf(field.type)}${range}`;
    return `${labelOf(name, field)}:${field.pointer ? "*" : ""}${codeOf(field.type)}${goPlace(field, minors)}${range}`;
  });
  return `${name}|${fields.join(" ")}`;
});

const text = `// Generated by scripts/generate-internal-types.mjs; do not edit.
// The printed form of the internal types of Kubernetes; ../internal-table.ts describes the lines.

export const GO_NAMES: string = ${JSON.stringify(goTypes.join(" "))};

export const INTERNAL_TYPES: string = \`
${lines.join("\n")}
\`;
`;
writeFileSync(OUTPUT, text);
process.stdout.write(`${lines.length} types, ${goTypes.length} Go names, ${text.length} characters\n`);
