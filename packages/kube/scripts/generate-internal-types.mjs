// Writes src/validation/show/generated/internal-types.ts: how the API server's internal types print as JSON.
//
//   node packages/kube/scripts/generate-internal-types.mjs <folder with types.json, internal-types.json and served.json>
//
// Refusals quote values of internal types: all fields in Go's order under Go's names. A line per type:
//
//   name|field field …      field: GoName=jsonName:type, the name left out where it is GoName but for upper and lower case
//   type: * before a pointer, [] list, {} map, ~ after the name where it is left out when empty; a number names a line
//
// Fields are paired with those of the served version by name; RENAMED lists those that are called otherwise.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const RENAMED = {
  "core.AzureDiskVolumeSource.DataDiskURI": "diskURI",
  "core.RBDVolumeSource.CephMonitors": "monitors",
  "core.RBDVolumeSource.RBDImage": "image",
  "core.RBDVolumeSource.RBDPool": "pool",
  "core.RBDVolumeSource.RadosUser": "user",
  "core.RBDPersistentVolumeSource.CephMonitors": "monitors",
  "core.RBDPersistentVolumeSource.RBDImage": "image",
  "core.RBDPersistentVolumeSource.RBDPool": "pool",
  "core.RBDPersistentVolumeSource.RadosUser": "user",
  "core.ISCSIVolumeSource.DiscoveryCHAPAuth": "chapAuthDiscovery",
  "core.ISCSIVolumeSource.SessionCHAPAuth": "chapAuthSession",
  "core.ISCSIPersistentVolumeSource.DiscoveryCHAPAuth": "chapAuthDiscovery",
  "core.ISCSIPersistentVolumeSource.SessionCHAPAuth": "chapAuthSession",
  "core.GlusterfsVolumeSource.EndpointsName": "endpoints",
  "core.GlusterfsPersistentVolumeSource.EndpointsName": "endpoints",
  "core.Event.ReportingController": "reportingComponent",
  "core.NodeSpec.DoNotUseExternalID": "externalID",
  "core.ContainerStatus.LastTerminationState": "lastState",
  "resource.DeviceAttribute.IntValue": "int",
  "resource.DeviceAttribute.BoolValue": "bool",
  "resource.DeviceAttribute.StringValue": "string",
  "resource.DeviceAttribute.VersionValue": "version",
  "resource.DeviceAttribute.IntValues": "ints",
  "resource.DeviceAttribute.BoolValues": "bools",
  "resource.DeviceAttribute.StringValues": "strings",
  "resource.DeviceAttribute.VersionValues": "versions",
};
const SCALARS = {
  string: "s",
  bool: "b",
  int32: "i",
  int64: "i",
  float: "i",
  bytes: "B",
  Quantity: "q",
  Time: "t",
  MicroTime: "t",
  IntOrString: "i",
  RawExtension: "r",
  FieldsV1: "r",
  JSON: "r",
};

const folder = process.argv[2];
const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
const versioned = read("types.json");
const internal = read("internal-types.json");
const served = read("served.json");

const bare = (type) => type.replace(/^(\[\]|map\[string\])+/, "").replace(/!$/, "");
const pairs = new Map();
const unmatched = [];

function flat(types, name) {
  return types[name].flatMap((field) => (field.inline ? flat(types, bare(field.type)) : [field]));
}

function pair(name, other) {
  if (pairs.has(name) || internal.types[name] === undefined) return;
  const fields = versioned.types[other] === undefined ? [] : flat(versioned.types, other);
  pairs.set(name, fields);
  for (const field of internal.types[name]) {
    if (field.inline) {
      pair(bare(field.type), other);
      continue;
    }
    const match = matching(name, field, fields);
    if (match === undefined) unmatched.push(`${name}.${field.json}`);
    pair(bare(field.type), match === undefined ? "" : bare(match.type));
  }
}

function matching(name, field, fields) {
  const wanted = RENAMED[`${name}.${field.json}`] ?? field.json;
  return fields.find((value) => value.json.toLowerCase() === wanted.toLowerCase());
}

for (const key of Object.keys(served)) {
  const [kind, version] = key.split("/").reverse();
  const group = key.split("/").length === 3 ? key.split("/")[0] : "";
  if (/admissionregistration|apiextensions/.test(group) || version === undefined) continue;
  const name = internal.kinds[`${group}/${kind}`];
  if (name !== undefined) pair(name, versioned.kinds[key]);
}

const names = [...pairs.keys()].sort();
const lineOf = new Map(names.map((name, i) => [name, i.toString(36)]));

function code(type) {
  if (type.startsWith("[]")) return `[]${code(type.slice(2))}`;
  if (type.startsWith("map[string]")) return `{}${code(type.slice(11))}`;
  return SCALARS[type] ?? `#${lineOf.get(type.replace(/!$/, ""))}`;
}

const lines = names.map((name) => {
  const fields = internal.types[name].map((field) => {
    if (field.inline) return `<${code(field.type)}`;
    const json = matching(name, field, pairs.get(name))?.json ?? lowerFirst(field.json);
    const renamed =
      json.toLowerCase() === field.json.toLowerCase() && lowerFirst(field.json) === json ? "" : `=${json}`;
    const empty = field.omitempty || field.omitzero ? "~" : "";
    return `${field.json}${empty}${renamed}:${field.pointer ? "*" : ""}${code(field.type)}`;
  });
  return `${name}|${fields.join(" ")}`;
});

function lowerFirst(name) {
  return name[0].toLowerCase() + name.slice(1);
}

const source = `// Generated by scripts/generate-internal-types.mjs; do not edit.
// The printed form of the internal types of Kubernetes 1.36; ../internal.ts says how the lines are to be read.

export const INTERNAL_TYPES: string = \`
${lines.join("\n")}
\`;
`;
writeFileSync(new URL("../src/validation/show/generated/internal-types.ts", import.meta.url), source);
// Metadata stands inside internal objects; a few fields of pods moved into their security context.
console.log(`fields without a served one: ${unmatched.filter((name) => !name.startsWith("meta/v1.")).join(" ")}`);
