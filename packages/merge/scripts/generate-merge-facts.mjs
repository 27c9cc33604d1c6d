// Writes src/schema/generated/merge-facts.ts: what the OpenAPI documents of Kubernetes say about merging beyond the types of
// @celadon/kube/builtin. Run: node scripts/generate-merge-facts.mjs <kubernetes>/api/openapi-spec/v3

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtinResources, builtinSchema } from "@celadon/kube/builtin";

const output = fileURLToPath(new URL("../src/schema/generated/merge-facts.ts", import.meta.url));
const QUANTITY = "io.k8s.apimachinery.pkg.api.resource.Quantity";
const RAW_EXTENSION = "io.k8s.apimachinery.pkg.runtime.RawExtension";

const documents = process.argv[2];
if (documents === undefined) throw new Error("usage: generate-merge-facts.mjs <directory of OpenAPI v3 documents>");

const schemas = new Map();
const kinds = new Map();
for (const file of readdirSync(documents).filter((name) => name.endsWith("_openapi.json"))) {
  const { components } = JSON.parse(readFileSync(join(documents, file), "utf8"));
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) {
    schemas.set(name, schema);
    for (const { group, version, kind } of schema["x-kubernetes-group-version-kind"] ?? []) {
      kinds.set(`${group}/${version}/${kind}`, name);
    }
  }
}

const lines = new Map();
const pairs = new Map();

const subresources = builtinResources().flatMap((resource) => resource.subresources.flatMap(({ kind }) => kind ?? []));
for (const gvk of [...builtinResources(), ...subresources]) {
  const name = kinds.get(`${gvk.group}/${gvk.version}/${gvk.kind}`);
  if (name === undefined) throw new Error(`no OpenAPI schema for ${gvk.group}/${gvk.version} ${gvk.kind}`);
  pair(builtinSchema(gvk), name);
}

/** The two descriptions of one type, compared field by field. */
function pair(schema, name) {
  const known = pairs.get(schema.name);
  if (known !== undefined) {
    if (known !== name) throw new Error(`${schema.name} is both ${known} and ${name}`);
    return;
  }
  pairs.set(schema.name, name);
  const open = schemas.get(name);
  const facts = [];
  for (const [field, kube] of schema.properties) {
    const property = open.properties?.[field];
    if (property === undefined) throw new Error(`${name} has no ${field}`);
    const fact = factsOf(kube, property);
    if (fact !== "") facts.push(`${field}${fact}`);
  }
  for (const field of Object.keys(open.properties ?? {})) {
    if (!schema.properties.has(field)) throw new Error(`${schema.name} has no ${field}`);
  }
  const atomic = open["x-kubernetes-map-type"] === "atomic" ? "!" : "";
  lines.set(schema.name, { atomic, facts, schema, open });
}

function refOf(property) {
  const ref = property.$ref ?? property.allOf?.[0]?.$ref;
  return ref?.slice(ref.lastIndexOf("/") + 1);
}

function factsOf(kube, property) {
  const ref = refOf(property);
  if (ref === QUANTITY) return ":q";
  if (ref === RAW_EXTENSION) return ":r";
  let fact = "";
  if (property["x-kubernetes-map-type"] === "atomic") fact += ":a";
  if (property["x-kubernetes-map-type"] === "granular") fact += ":g";
  if (ref !== undefined) {
    if (kube.name !== undefined) pair(kube, ref);
    else fact += special(kube, schemas.get(ref), ref);
  }
  if (property.type === "array") {
    fact += listFact(property);
    const item = factsOf(kube.items, property.items);
    if (item !== "") fact += `:[${item.slice(1)}`;
  }
  if (property.additionalProperties !== undefined) {
    const item = factsOf(kube.additionalProperties, property.additionalProperties);
    if (item !== "") fact += `:[${item.slice(1)}`;
  }
  const strategy = property["x-kubernetes-patch-strategy"];
  if (strategy !== undefined) {
    const key = property["x-kubernetes-patch-merge-key"];
    fact += `:${strategy === "merge" ? "m" : strategy === "retainKeys" ? "k" : strategy === "merge,retainKeys" ? "b" : strategy === "replace" ? "x" : fail(strategy)}${key ?? ""}`;
  }
  return fact;
}

function fail(what) {
  throw new Error(`not expected: ${what}`);
}

/** Types that are no structs: their names in the built-in table must be those of the document. */
function special(kube, open, name) {
  if (open.format === "int-or-string") return kube.intOrString ? "" : fail(name);
  if (open.format === "date-time") return kube.format === "date-time" ? "" : fail(name);
  if (kube.preserveUnknownFields) {
    if (open.type === "object" && open.properties === undefined) return ":o";
    return open.type === undefined ? ":u" : fail(name);
  }
  return fail(`${name} ${JSON.stringify(kube)}`);
}

function listFact(property) {
  switch (property["x-kubernetes-list-type"]) {
    case "map":
      return `:l${property["x-kubernetes-list-map-keys"].join("+")}`;
    case "set":
      return ":s";
    case "atomic":
      return "";
    default:
      break;
  }
  const strategy = property["x-kubernetes-patch-strategy"];
  if (strategy === undefined || strategy === "retainKeys") return "";
  const key = property["x-kubernetes-patch-merge-key"];
  return key === undefined ? ":s" : `:l${key}`;
}

// Defaults matter where the field is a key of a list.
for (const { schema, open } of lines.values()) {
  for (const [field, kube] of schema.properties) {
    const keys = open.properties[field]["x-kubernetes-list-map-keys"] ?? [];
    const target = lines.get(kube.items?.name);
    for (const key of keys) {
      const value = target?.open.properties[key]?.default;
      if (value === undefined) continue;
      const fact = `:d${JSON.stringify(value)}`;
      if (/[ :]/.test(fact.slice(1))) fail(`${schema.name}.${field} ${key} = ${fact}`);
      const written = target.facts.findIndex((line) => line === key || line.startsWith(`${key}:`));
      if (written === -1) target.facts.push(`${key}${fact}`);
      else if (!target.facts[written].endsWith(fact)) target.facts[written] += fact;
    }
  }
}

// A type's own name in Go is the end of its name in the document; it is not written if it follows the version there.
const rows = [...lines]
  .map(([name, { atomic, facts }]) => {
    const go = pairs.get(name).split(".").at(-1);
    const guess = name.replace(/^(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?/, "");
    return { name, atomic, facts, go: go === guess ? "" : `=${go}` };
  })
  .filter(({ atomic, facts, go }) => atomic !== "" || go !== "" || facts.length > 0)
  .map(({ name, atomic, facts, go }) => [`${name}${go}${atomic}`, ...facts].join(" "))
  .sort();

writeFileSync(
  output,
  `// Generated by scripts/generate-merge-facts.mjs from the OpenAPI documents of Kubernetes 1.36; do not edit.
// The merge rules of values of built-in types, where they are not the default; ../builtin-types.ts says how the lines are to be read.

export const MERGE_FACTS: string = ${JSON.stringify(rows.join("\n"))};
`,
);
