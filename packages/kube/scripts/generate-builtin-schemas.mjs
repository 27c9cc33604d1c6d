// Writes src/builtin/generated/builtin-table.ts: the built-in types and resources of Kubernetes, from the model maps and
// API classes of @kubernetes/client-node. Names, types and formats only. Run: node scripts/generate-builtin-schemas.mjs

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const gen = join(dirname(require.resolve("@kubernetes/client-node")), "gen");
const output = fileURLToPath(new URL("../src/builtin/generated/builtin-table.ts", import.meta.url));

// Kinds that only subresources have, so that no resource's path names their group.
const SUBRESOURCE_KINDS = {
  V1Scale: ["autoscaling", "v1", "Scale"],
  V1Eviction: ["policy", "v1", "Eviction"],
  AuthenticationV1TokenRequest: ["authentication.k8s.io", "v1", "TokenRequest"],
};

const VERBS = {
  create: "c",
  delete: "d",
  deleteCollection: "D",
  read: "g",
  list: "lw",
  patch: "p",
  replace: "u",
  connectGet: "g",
  connectPost: "c",
  connectPut: "u",
  connectPatch: "p",
  connectDelete: "d",
};
const OPERATION =
  /^(connect(?:Get|Post|Put|Patch|Delete)|deleteCollection|create|delete|read|list|patch|replace)(?:Namespaced)?([A-Z]\w*?)(?:ForAllNamespaces)?$/;

export async function buildTable() {
  const models = await readModels();
  const resources = readResources();
  const typeNames = reachable(models, resources);
  const typeIndex = new Map(typeNames.map((name, i) => [name, i.toString(36)]));
  const fields = byFrequency(typeNames.flatMap((name) => models.get(name).map((field) => field.name)));
  const fieldIndex = new Map(fields.map((name, i) => [name, i.toString(36)]));

  const typeLines = typeNames.map((name) => {
    const entries = models
      .get(name)
      .map(
        (field) =>
          fieldIndex.get(field.name) + (field.required ? "!" : ":") + typeCode(field.type, field.format, typeIndex),
      );
    return `${name}|${entries.join(" ")}`;
  });
  const resourceLines = resources.map((r) => {
    const subresources = r.subresources.map((s) =>
      [s.name, s.verbs, s.model === undefined ? "" : typeIndex.get(s.model)].join(":"),
    );
    return [
      r.group,
      r.version,
      r.kind,
      r.resource,
      typeIndex.get(r.model),
      r.namespaced ? "n" : "c",
      r.verbs,
      subresources.join(","),
    ].join("|");
  });
  const kindLines = Object.entries(SUBRESOURCE_KINDS).map(([model, gvk]) => [...gvk, typeIndex.get(model)].join("|"));
  return { fields, typeLines, resourceLines, kindLines };
}

/** Model name → fields with their types, and whether the declaration requires them. */
async function readModels() {
  const all = await import(pathToFileURL(join(gen, "models", "all.js")).href);
  const models = new Map();
  for (const [name, model] of Object.entries(all)) {
    if (typeof model?.getAttributeTypeMap !== "function") continue;
    const declaration = readFileSync(join(gen, "models", `${name}.d.ts`), "utf8");
    const required = new Set([...declaration.matchAll(/^ {4}'([^']+)':/gm)].map((match) => match[1]));
    models.set(
      name,
      model.getAttributeTypeMap().map((attribute) => ({
        name: attribute.baseName,
        type: attribute.type,
        format: attribute.format,
        required: required.has(attribute.name),
      })),
    );
  }
  return models;
}

function readResources() {
  const resources = new Map();
  // The package still carries files of removed APIs; its index lists the ones there are.
  const index = readFileSync(join(gen, "index.js"), "utf8");
  const apis = new Set([...index.matchAll(/ as (\w+V\d\w*Api)\b/g)].map((match) => match[1]));
  for (const api of [...apis].sort()) {
    const source = readFileSync(join(gen, "apis", `${api}.js`), "utf8");
    const models = responseModels(source);
    for (const [, operation, path] of source.matchAll(
      /async (\w+)\([^)]*\) \{(?:(?!async )[\s\S])*?const localVarPath = '([^']+)'/g,
    )) {
      addOperation(resources, operation, path, models.get(operation));
    }
  }
  const list = [...resources.values()].filter((r) => r.model !== undefined);
  for (const r of list) {
    r.verbs = sortVerbs(r.verbs);
    r.subresources = [...r.subresources.values()].map((s) => ({ ...s, verbs: sortVerbs(s.verbs) }));
  }
  return list.sort((a, b) => compare([a.group, a.version, a.resource], [b.group, b.version, b.resource]));
}

function responseModels(source) {
  const models = new Map();
  for (const [, operation, model] of source.matchAll(
    /async (\w+)WithHttpInfo\(response\) \{[\s\S]*?contentType\), "([^"]+)"/g,
  )) {
    if (!models.has(operation)) models.set(operation, model);
  }
  return models;
}

const PATH =
  /^\/(?:api|apis\/([^/]+))\/(v\d[a-z0-9]*)\/(namespaces\/\{namespace\}\/)?([a-z]+)(?:\/\{name\}(?:\/([a-z]+))?)?$/;

function addOperation(resources, operation, path, model) {
  const name = OPERATION.exec(operation);
  const place = PATH.exec(path);
  if (name === null || place === null) return;
  const [, verb, kind] = name;
  const [, group = "", version, namespace, resource, subresource] = place;
  const key = `${group}/${version}/${resource}`;
  if (!resources.has(key)) {
    resources.set(key, { group, version, resource, kind: "", namespaced: false, verbs: "", subresources: new Map() });
  }
  const entry = resources.get(key);
  if (namespace !== undefined) entry.namespaced = true;
  const known = /^[A-Z]/.test(model ?? "") ? model : undefined;
  if (subresource === undefined) {
    entry.verbs += VERBS[verb];
    if (verb === "create" || verb === "read") {
      entry.kind = kind;
      entry.model = known;
    }
    return;
  }
  if (!entry.subresources.has(subresource)) entry.subresources.set(subresource, { name: subresource, verbs: "" });
  const sub = entry.subresources.get(subresource);
  sub.verbs += VERBS[verb];
  if (!verb.startsWith("connect") && known !== undefined) sub.model = known;
}

function sortVerbs(verbs) {
  return [...new Set(verbs)].sort().join("");
}

/** The models resources use, directly or not, in the order of their names. */
function reachable(models, resources) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    if (!models.has(name)) throw new Error(`model ${name} is not known`);
    found.add(name);
    for (const field of models.get(name)) for (const ref of references(field.type)) visit(ref);
  };
  for (const r of resources) {
    visit(r.model);
    for (const s of r.subresources) if (s.model !== undefined) visit(s.model);
  }
  for (const name of Object.keys(SUBRESOURCE_KINDS)) visit(name);
  return [...found].sort();
}

function references(type) {
  return [...type.matchAll(/[A-Z]\w*V\d\w*|V\d\w*/g)].map((match) => match[0]).filter((name) => name !== "V1MicroTime");
}

function typeCode(type, format, typeIndex) {
  const list = /^Array<(.+)>$/.exec(type);
  if (list !== null) return `[${typeCode(list[1], format, typeIndex)}`;
  const map = /^\{ \[key: string\]: (.+); \}$/.exec(type);
  if (map !== null) return `{${typeCode(map[1], format, typeIndex)}`;
  switch (type) {
    case "string":
      return format === "byte" ? "B" : plain(format, "s");
    case "boolean":
      return plain(format, "b");
    case "number":
      return { int32: "i", int64: "l", double: "d" }[format] ?? fail(type, format);
    case "Date":
    case "V1MicroTime":
      return "t";
    case "IntOrString":
      return "x";
    case "any":
      return "*";
    default:
      return `#${typeIndex.get(type) ?? fail(type, format)}`;
  }
}

function plain(format, code) {
  return format === "" ? code : fail(code, format);
}

function fail(type, format) {
  throw new Error(`no code for type ${type} with format "${format}"`);
}

function byFrequency(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || compare([a[0]], [b[0]])).map(([name]) => name);
}

function compare(a, b) {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

export function tableSource(table) {
  const text = (lines, separator) => JSON.stringify(lines.join(separator));
  return `// Generated by scripts/generate-builtin-schemas.mjs from @kubernetes/client-node; do not edit.
// The built-in types and resources of Kubernetes 1.36; ../table.ts says how the lines are to be read.

export const FIELDS: string = ${text(table.fields, " ")};

export const TYPES: string = ${text(table.typeLines, "\n")};

export const RESOURCES: string = ${text(table.resourceLines, "\n")};

export const SUBRESOURCE_KINDS: string = ${text(table.kindLines, "\n")};
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(output, tableSource(await buildTable()));
