// Keys and values of resources: fields by the schema of the kind, words that a field knows, names found in the workspace.

import { isRecord, type JsonPath, memberOf, valueAt } from "@celadon/base";
import { apiVersionOf, gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import type { Schema } from "@celadon/kube/schemas";
import type { CursorAt } from "../cursor/expression-at.ts";
import type { YamlCursor } from "../cursor/yaml-cursor.ts";
import { schemaAtPath, schemaOfObject } from "../describe/resource-schema.ts";
import { schemaText } from "../describe/schema-text.ts";
import type { File } from "../document/file.ts";
import { siteSystem } from "../expression/sites.ts";
import type { Known } from "../known.ts";
import { shifted } from "../text/range.ts";
import type { Completion, Completions } from "./completion.ts";
import { fieldPaths } from "./field-paths.ts";
import { popularity } from "./popular.ts";
import { RESOURCE_SNIPPETS } from "./resource-snippets.ts";
import { fieldWords } from "./resource-words.ts";

export function completeYaml(
  workspace: Known,
  file: File,
  { object, cursor, start }: CursorAt,
): Completions | undefined {
  if (cursor === undefined) return undefined;
  const { part } = file.partAt(start + cursor.range.start);
  const range = shifted(cursor.range, start);
  const whole = object ?? {};
  if (cursor.at === "value") return { items: values(workspace, whole, cursor.path), range };
  const keys = keyItems(workspace, whole, cursor, part.isJson);
  const also = cursor.orValue ? values(workspace, whole, cursor.path) : [];
  const snippets = cursor.path.length === 0 && !cursor.hasColon && gvkOf(whole).kind === "" ? RESOURCE_SNIPPETS : [];
  return { items: [...snippets, ...also, ...keys], range };
}

function keyItems(
  workspace: Known,
  object: KubeObject,
  cursor: YamlCursor & { at: "key" },
  isJson: boolean,
): Completion[] {
  const { path, hasColon } = cursor;
  const schema = schemaAtPath(schemaOfObject(object, workspace.schemas), path);
  const holder = valueAt(object, path);
  const taken = new Set(isRecord(holder) ? Object.keys(holder) : []);
  const fields = [...(schema?.properties ?? (path.length === 0 ? TOP : new Map<string, Schema>()))];
  const required = new Set(schema?.required ?? []);
  return fields
    .filter(([name]) => !taken.has(name) || cursor.typed === name)
    .sort(
      ([a], [b]) =>
        Number(required.has(b)) - Number(required.has(a)) ||
        popularity("field", b) - popularity("field", a) ||
        (a < b ? -1 : 1),
    )
    .map(([name, field]): Completion => {
      const documentation = schemaText(field);
      const detail = `${field.type ?? "any"}${required.has(name) ? ", required" : ""}`;
      const quote = isJson ? `"${name}"` : name;
      const insert =
        hasColon || cursor.indent === -1
          ? quote + (hasColon ? "" : ": ")
          : keyInsert(object, [...path, name], field, cursor.indent);
      return { label: name, kind: "field", detail, insert, ...(documentation !== undefined && { documentation }) };
    });
}

const TOP: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ["apiVersion", { type: "string" }],
  ["kind", { type: "string" }],
  ["metadata", { type: "object" }],
  ["spec", { type: "object" }],
]);

/** With the line that must follow, where a list or an object stands below. Expressions go into blocks. */
function keyInsert(object: KubeObject, path: JsonPath, { type, additionalProperties }: Schema, indent: number): string {
  const name = String(path.at(-1));
  const margin = " ".repeat(indent);
  if (siteSystem(object, path) !== undefined) return `${name}: |-\n${margin}  `;
  if (type === "array") return `${name}:\n${margin}- `;
  if (type === "object" || typeof additionalProperties === "object") return `${name}:\n${margin}  `;
  return `${name}: `;
}

function values(workspace: Known, object: KubeObject, path: JsonPath): Completion[] {
  const schema = schemaAtPath(schemaOfObject(object, workspace.schemas), path);
  const words = [
    ...fieldWords(object, path),
    ...names(workspace, object, path),
    ...(schema?.enum ?? []).map(String),
    ...(schema?.type === "boolean" ? ["true", "false"] : []),
  ];
  return [...new Set(words)].map((label) => ({
    label,
    kind: "value",
    insert: /^[\w./-]+$/.test(label) ? label : JSON.stringify(label),
  }));
}

/** Names of existing policies, params, kinds and resources. */
function names(workspace: Known, object: KubeObject, path: JsonPath): readonly string[] {
  const { simulated } = workspace;
  const { kind } = gvkOf(object);
  const place = path.filter((step) => typeof step === "string").join(".");
  const served = () => workspace.schemas.served();
  if (place === "apiVersion") return [...new Set(served().map(apiVersionOf))].sort();
  if (place === "kind") {
    const written = memberOf(object, "apiVersion");
    return [
      ...new Set(
        served()
          .filter((resource) => written === undefined || apiVersionOf(resource) === written)
          .map((resource) => resource.kind),
      ),
    ].sort();
  }
  if (place === "spec.policyName") {
    const wanted = kind.replace(/Binding$/, "");
    return simulated
      .manifests()
      .filter((manifest) => manifest.object.kind === wanted)
      .map((manifest) => nameOf(manifest.object));
  }
  if (place === "spec.paramKind.apiVersion") return [...new Set(served().map(apiVersionOf))].sort();
  if (place === "spec.paramKind.kind") {
    const written = valueAt(object, ["spec", "paramKind", "apiVersion"]);
    return served()
      .filter((resource) => apiVersionOf(resource) === written)
      .map((resource) => resource.kind);
  }
  if (place === "spec.paramRef.name" || place === "spec.paramRef.namespace")
    return paramNames(workspace, object, place.endsWith("namespace"));
  if (place === "metadata.namespace")
    return simulated.manifests("namespace").map((manifest) => nameOf(manifest.object));
  if (place.endsWith("x-kubernetes-validations.fieldPath"))
    return fieldPaths(valueAt(object, path.slice(0, path.lastIndexOf("x-kubernetes-validations"))));
  const rule = valueAt(
    object,
    path.slice(
      0,
      path.findLastIndex((step) => typeof step === "string"),
    ),
  );
  if (/(?:resourceRules|excludeResourceRules|rules)\.(?:apiGroups|apiVersions|resources)$/.test(place))
    return ruleNames(workspace, rule, place);
  return [];
}

function ruleNames(workspace: Known, rule: unknown, place: string): readonly string[] {
  const texts = (name: string): readonly unknown[] => {
    const list = memberOf(rule, name);
    return Array.isArray(list) ? list.filter((value) => typeof value === "string" && value !== "") : [];
  };
  const groups = memberOf(rule, "apiGroups");
  const isGroup = (group: string): boolean => !Array.isArray(groups) || groups.includes(group) || groups.includes("*");
  const served = workspace.schemas.served();
  if (place.endsWith("apiGroups")) return ["*", ...new Set(served.map(({ group }) => group))];
  const inGroups = served.filter(({ group }) => isGroup(group));
  if (place.endsWith("apiVersions")) return [...new Set(inGroups.map(({ version }) => version)), "*"];
  const versions = texts("apiVersions");
  const fitting = inGroups.filter(
    ({ version }) => versions.length === 0 || versions.includes(version) || versions.includes("*"),
  );
  const plain = [...new Set(fitting.map(({ resource }) => resource))];
  const through = fitting.flatMap(({ resource, subresources }) =>
    [...subresources.keys()].map((text) => `${resource}/${text}`),
  );
  return [...plain, ...new Set(through), "*", "*/*"];
}

function paramNames(workspace: Known, binding: KubeObject, ofNamespace: boolean): readonly string[] {
  const policy = memberOf(binding.spec, "policyName");
  const { simulated } = workspace;
  const found = simulated.manifests("policy").find(({ object }) => nameOf(object) === policy);
  const kind = memberOf(memberOf(found?.object.spec, "paramKind"), "kind");
  const params = simulated.manifests().filter(({ object }) => object.kind === kind);
  return params.map(({ object }) => (ofNamespace ? String(object.metadata?.namespace ?? "default") : nameOf(object)));
}
