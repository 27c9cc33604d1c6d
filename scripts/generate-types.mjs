// Writes packages/kube/src/types/generated/types-table.ts: the Go types behind the built-in kinds, one table for all minors.
//
//   node scripts/generate-types.mjs DIR
//
// DIR has one `1.N.json` per minor: kinds and struct types as reflection over the client scheme of that release prints them, each field with
// its Go type. Go is needed to print them and not to read them. packages/kube/src/types/table.ts describes the lines.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const OUTPUT = fileURLToPath(new URL("../packages/kube/src/types/generated/types-table.ts", import.meta.url));

/** Kinds that are read and never listed by discovery. */
const BODIES = ["autoscaling/v1/Scale", "policy/v1/Eviction", "authentication.k8s.io/v1/TokenRequest", "v1/List"];
/** Beta versions that are served by default, and the last minor that does. */
const BETAS = new Map([
  ["flowcontrol.apiserver.k8s.io/v1beta3/FlowSchema", 31],
  ["flowcontrol.apiserver.k8s.io/v1beta3/PriorityLevelConfiguration", 31],
]);
const NEVER_SERVED = new Set(["ImageReview", "PodStatusResult", "SerializedReference", "RangeAllocation", "Status"]);
const BODY_KINDS = new Set(["Scale", "Eviction", "TokenRequest"]);

const SCALARS = {
  string: ["s", "string"],
  int32: ["i", "int32"],
  int64: ["l", "int64"],
  bool: ["b", "bool"],
  float: ["f", "float64"],
  bytes: ["B", "[]uint8"],
  Quantity: ["Q", "resource.Quantity"],
  Time: ["T", "v1.Time"],
  MicroTime: ["M", "v1.MicroTime"],
  IntOrString: ["X", "intstr.IntOrString"],
  RawExtension: ["R", "runtime.RawExtension"],
  FieldsV1: ["F", "v1.FieldsV1"],
  JSON: ["J", "v1.JSON"],
};
const STRATEGIES = { merge: "m", replace: "r", retainKeys: "k", "merge,retainKeys": "K" };

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("usage: generate-types.mjs DIR");
const releases = readdirSync(directory)
  .map((name) => /^1\.(\d+)\.json$/.exec(name))
  .filter((match) => match !== null)
  .map((match) => ({ minor: Number(match[1]), ...JSON.parse(readFileSync(join(directory, match[0]), "utf8")) }))
  .sort((a, b) => b.minor - a.minor);
const [newest] = releases;
const oldest = releases.at(-1);

/** Minors in words of the table: empty for all, `@33` since, `@-33` up to, `@31-33` both. */
function rangeOf(minors) {
  const [first, last] = [Math.min(...minors), Math.max(...minors)];
  if (minors.size !== last - first + 1) throw new Error(`a gap in ${[...minors]}`);
  const from = first === oldest.minor ? "" : String(first);
  const to = last === newest.minor ? "" : `-${last}`;
  return from + to === "" ? "" : `@${from}${to}`;
}

function isIncluded(name, minor) {
  const [kind, version] = name.split("/").reverse();
  if (BODIES.includes(name)) return true;
  const item = kind.endsWith("List") ? name.slice(0, -"List".length) : name;
  const lastBeta = BETAS.get(item);
  if (lastBeta !== undefined) return minor <= lastBeta;
  if (NEVER_SERVED.has(kind) || BODY_KINDS.has(kind) || /alpha|beta/.test(version)) return false;
  return !/(Options|Review|ReviewList)$/.test(kind) || /^auth(entication|orization)/.test(name);
}

/** Rows of the newest version first; those that only older versions have stand after their former predecessor. */
function merged(lists) {
  const rows = [];
  for (const { minor, list } of lists) {
    let at = 0;
    for (const row of list) {
      const found = rows.findIndex((known) => known.key === row.key);
      if (found !== -1) {
        rows[found].minors.add(minor);
        at = found + 1;
      } else {
        rows.splice(at, 0, { ...row, minors: new Set([minor]) });
        at++;
      }
    }
  }
  return rows;
}

const kinds = merged(
  releases.map(({ minor, kinds: all }) => ({
    minor,
    list: Object.entries(all)
      .filter(([name]) => isIncluded(name, minor))
      .map(([name, type]) => ({ key: `${name} ${type}`, name, type })),
  })),
);

const reached = new Set();
function reach(name) {
  if (reached.has(name)) return;
  reached.add(name);
  for (const { types } of releases) {
    for (const { type } of types[name] ?? []) {
      const inner = type.replace(/^(\[\]|map\[string\]|\*)+/, "").replace("!", "");
      if (!(inner in SCALARS)) reach(inner);
    }
  }
}
for (const { type } of kinds) reach(type);

const typeNames = [...reached].sort();
const lineOf = new Map(typeNames.map((name, i) => [name, i]));
const structs = typeNames.map((name) => ({
  name,
  fields: merged(
    releases
      .filter(({ types }) => types[name] !== undefined)
      .map(({ minor, types }) => ({
        minor,
        list: types[name].map((field) => ({ key: JSON.stringify(field), field })),
      })),
  ),
}));

const names = counted(
  structs.flatMap(({ fields }) => fields.flatMap(({ field: { json, patchMergeKey } }) => [json, patchMergeKey])),
);
const goTypes = counted(
  structs.flatMap(({ fields }) => fields.map(({ field }) => (field.inline ? undefined : goTypeOf(field)))),
);

/** Words by how often they are used, so that frequent ones have short places. */
function counted(words) {
  const counts = new Map();
  for (const word of words) if (word) counts.set(word, (counts.get(word) ?? 0) + 1);
  const list = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([word]) => word);
  return { list, place: (word) => list.indexOf(word).toString(36) };
}

function goTypeOf({ type, go }) {
  return go === plainGo(type) ? undefined : go;
}

/** The Go type that a reader supplies by itself. */
function plainGo(type) {
  if (type.startsWith("[]")) return `[]${plainGo(type.slice(2))}`;
  if (type.startsWith("map[string]")) return `map[string]${plainGo(type.slice("map[string]".length))}`;
  return SCALARS[type]?.[1] ?? goName(type);
}

function goName(type) {
  const bare = type.replace("!", "");
  return bare.slice(bare.indexOf("/") + 1);
}

function codeOf(type) {
  if (type.startsWith("[]")) return `[${codeOf(type.slice(2))}`;
  if (type.startsWith("map[string]")) return `{${codeOf(type.slice("map[string]".length))}`;
  return SCALARS[type]?.[0] ?? `#${lineOf.get(type.replace("!", "")).toString(36)}`;
}

function markOf({ pointer, omitempty, omitzero }) {
  if (omitzero) return "0";
  if (pointer) return omitempty ? "*" : "!";
  return omitempty ? "?" : ":";
}

function entryOf({ field, minors }, known) {
  const isAlways = minors.size === known;
  const range = isAlways ? "" : rangeOf(minors);
  if (field.inline) return `<${lineOf.get(field.type).toString(36)}${range}`;
  const go = goTypeOf(field);
  const merge = field.patchStrategy
    ? `~${STRATEGIES[field.patchStrategy]}${field.patchMergeKey ? names.place(field.patchMergeKey) : ""}`
    : "";
  return `${names.place(field.json)}${markOf(field)}${codeOf(field.type)}${go === undefined ? "" : `=${goTypes.place(go)}`}${merge}${range}`;
}

/** In how many minors there is the struct at all: a field that is as old as its struct needs no range. */
function knownIn(name) {
  return releases.filter(({ types }) => types[name] !== undefined).length;
}

const lines = structs.map(
  ({ name, fields }) => `${name}|${fields.map((row) => entryOf(row, knownIn(name))).join(" ")}`,
);
const kindLines = kinds.map(({ name, type, minors }) => `${name}|${lineOf.get(type).toString(36)}${rangeOf(minors)}`);

const text = `// Generated by scripts/generate-types.mjs; do not edit. ../table.ts says how the lines are to be read.

export const OLDEST = ${oldest.minor};

export const NEWEST = ${newest.minor};

export const FIELDS: string = ${JSON.stringify(names.list.join(" "))};

export const GO_TYPES: string = ${JSON.stringify(goTypes.list.join(" "))};

export const TYPES: string = ${JSON.stringify(lines.join("\n"))};

export const KINDS: string = ${JSON.stringify(kindLines.join("\n"))};
`;
writeFileSync(OUTPUT, text);
process.stdout.write(`${kinds.length} kinds, ${lines.length} types, ${text.length} characters\n`);
