// The kinds and resources Kubernetes 1.36 has built in, without a cluster: schemas, resource names, scopes, verbs and subresources. It has
// only facts of the client library: no short names, no list types, no validation.

import type { GroupKind, GroupResource, GroupVersionKind, GroupVersionResource } from "../gvk.ts";
import type { Schema } from "../schema/schema.ts";
import { RESOURCES, SUBRESOURCE_KINDS } from "./generated/builtin-table.ts";
import { schemaAt } from "./table.ts";

/** A resource of Kubernetes itself. */
export interface BuiltinResource extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly BuiltinSubresource[];
}

/** A subresource of a built-in resource. */
export interface BuiltinSubresource {
  readonly name: string;
  readonly verbs: readonly string[];
  /** The kind the subresource is read or written as; absent for streams such as exec and log. */
  readonly kind?: GroupVersionKind;
}

const VERBS: Readonly<Record<string, string>> = {
  D: "deletecollection",
  c: "create",
  d: "delete",
  g: "get",
  l: "list",
  p: "patch",
  u: "update",
  w: "watch",
};

interface Entry {
  readonly resource: BuiltinResource;
  readonly line: number;
}

interface Tables {
  readonly entries: readonly Entry[];
  readonly byKind: ReadonlyMap<string, Entry>;
  readonly byResource: ReadonlyMap<string, Entry>;
  /** Lines of kinds that only subresources have. */
  readonly otherKinds: ReadonlyMap<string, number>;
}

let loaded: Tables | undefined;

/** Every built-in resource, sorted by group, version and name. */
export function builtinResources(): readonly BuiltinResource[] {
  return tables().entries.map((entry) => entry.resource);
}

/** The built-in resource of a group, version and plural. */
export function builtinResource(gvr: GroupVersionResource): BuiltinResource | undefined {
  return tables().byResource.get(`${gvr.group}/${gvr.version}/${gvr.resource}`)?.resource;
}

/** The built-in resource of a kind. */
export function builtinKind(gvk: GroupVersionKind): BuiltinResource | undefined {
  return tables().byKind.get(kindKey(gvk))?.resource;
}

/** The resource in its preferred version: stable before beta before alpha, then the newest. */
export function preferredResource(wanted: GroupResource | GroupKind): BuiltinResource | undefined {
  const found = tables().entries.filter(({ resource }) => {
    if (resource.group !== wanted.group) return false;
    return "kind" in wanted ? resource.kind === wanted.kind : resource.resource === wanted.resource;
  });
  return found.map((entry) => entry.resource).sort((a, b) => versionRank(b.version) - versionRank(a.version))[0];
}

/** The schema of a built-in kind, its lists (`PodList`) included; undefined if Kubernetes has no such kind. */
export function builtinSchema(gvk: GroupVersionKind): Schema | undefined {
  const { byKind, otherKinds } = tables();
  const line = byKind.get(kindKey(gvk))?.line ?? otherKinds.get(kindKey(gvk));
  if (line !== undefined) return schemaAt(line);
  if (!gvk.kind.endsWith("List")) return undefined;
  const item = byKind.get(kindKey({ ...gvk, kind: gvk.kind.slice(0, -"List".length) }));
  return item === undefined || !item.resource.verbs.includes("list") ? undefined : listOf(gvk, schemaAt(item.line));
}

function listOf(gvk: GroupVersionKind, item: Schema): Schema {
  return {
    name: gvk.kind,
    type: "object",
    required: ["items"],
    properties: new Map<string, Schema>([
      ["apiVersion", { type: "string" }],
      ["items", { type: "array", items: item }],
      ["kind", { type: "string" }],
      ["metadata", LIST_META],
    ]),
  };
}

const LIST_META: Schema = {
  name: "V1ListMeta",
  type: "object",
  properties: new Map<string, Schema>([
    ["continue", { type: "string" }],
    ["remainingItemCount", { type: "integer", format: "int64" }],
    ["resourceVersion", { type: "string" }],
    ["selfLink", { type: "string" }],
  ]),
};

function tables(): Tables {
  loaded ??= load();
  return loaded;
}

function load(): Tables {
  const rows = RESOURCES.split("\n").map((line) => line.split("|"));
  const kindOfLine = new Map<string, GroupVersionKind>();
  for (const [group = "", version = "", kind = "", , line = ""] of rows) kindOfLine.set(line, { group, version, kind });
  const otherKinds = new Map<string, number>();
  for (const row of SUBRESOURCE_KINDS.split("\n")) {
    const [group = "", version = "", kind = "", line = ""] = row.split("|");
    kindOfLine.set(line, { group, version, kind });
    otherKinds.set(kindKey({ group, version, kind }), Number.parseInt(line, 36));
  }
  const entries = rows.map((row) => readEntry(row, kindOfLine));
  return {
    entries,
    byKind: new Map(entries.map((entry) => [kindKey(entry.resource), entry])),
    byResource: new Map(
      entries.map((entry) => {
        const { group, version, resource } = entry.resource;
        return [`${group}/${version}/${resource}`, entry];
      }),
    ),
    otherKinds,
  };
}

function readEntry(row: readonly string[], kindOfLine: ReadonlyMap<string, GroupVersionKind>): Entry {
  const [group = "", version = "", kind = "", resource = "", line = "", scope = "", verbs = "", subresources = ""] =
    row;
  return {
    line: Number.parseInt(line, 36),
    resource: {
      group,
      version,
      kind,
      resource,
      namespaced: scope === "n",
      verbs: readVerbs(verbs),
      subresources: subresources === "" ? [] : subresources.split(",").map((text) => readSubresource(text, kindOfLine)),
    },
  };
}

function readSubresource(text: string, kindOfLine: ReadonlyMap<string, GroupVersionKind>): BuiltinSubresource {
  const [name = "", verbs = "", line = ""] = text.split(":");
  const kind = kindOfLine.get(line);
  return { name, verbs: readVerbs(verbs), ...(kind === undefined ? {} : { kind }) };
}

function readVerbs(letters: string): string[] {
  return [...letters].map((letter) => VERBS[letter]!).sort();
}

/** v2 above v1 above v1beta2 above v1alpha3. */
function versionRank(version: string): number {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return -1;
  const stage = match[2] === undefined ? 2 : match[2] === "beta" ? 1 : 0;
  return stage * 1_000_000 + Number(match[1]) * 1000 + Number(match[3] ?? 0);
}

function kindKey(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`;
}
