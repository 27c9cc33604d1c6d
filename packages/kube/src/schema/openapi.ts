// OpenAPI documents as Kubernetes serves them (v3 per group and version, or one v2 document): schemas by name and by
// group, version and kind, read on request.

import { isRecord, own } from "@celadon/base";
import type { GroupVersionKind } from "../gvk.ts";
import { fillSchema, type OpenSchema } from "./read-schema.ts";
import type { Schema } from "./schema.ts";

/** The schemas of an OpenAPI document. */
export interface OpenApiSchemas {
  /** Names of all schemas. */
  readonly names: readonly string[];
  /** Group, version and kind of every schema that is an API object. */
  readonly kinds: readonly GroupVersionKind[];
  schema(name: string): Schema | undefined;
  schemaFor(gvk: GroupVersionKind): Schema | undefined;
}

const REF = /^#\/(?:components\/schemas|definitions)\/(.+)$/;

/** Reads the schemas of an OpenAPI document. */
export function readOpenApi(document: unknown): OpenApiSchemas {
  const raw = schemasOf(document);
  const kinds = new Map<string, { readonly gvk: GroupVersionKind; readonly name: string }>();
  for (const [name, json] of raw) {
    for (const gvk of kindsOf(json)) kinds.set(kindKey(gvk), { gvk, name });
  }
  const done = new Map<string, OpenSchema>();
  const schema = (name: string): Schema | undefined => readNamed(name, raw, done);
  return {
    names: [...raw.keys()],
    kinds: [...kinds.values()].map(({ gvk }) => gvk),
    schema,
    schemaFor: (gvk) => {
      const found = kinds.get(kindKey(gvk));
      return found === undefined ? undefined : schema(found.name);
    },
  };
}

function schemasOf(document: unknown): Map<string, unknown> {
  if (!isRecord(document)) return new Map();
  const components = own(document, "components");
  const schemas = isRecord(components) ? own(components, "schemas") : own(document, "definitions");
  return new Map(isRecord(schemas) ? Object.entries(schemas) : []);
}

function kindsOf(json: unknown): GroupVersionKind[] {
  const list = isRecord(json) ? own(json, "x-kubernetes-group-version-kind") : undefined;
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).map((object) => ({
    group: String(own(object, "group") ?? ""),
    version: String(own(object, "version") ?? ""),
    kind: String(own(object, "kind") ?? ""),
  }));
}

// The schemas a name reaches are all registered before any is used, so that a cycle ends at the schema it started from.
function readNamed(name: string, raw: ReadonlyMap<string, unknown>, done: Map<string, OpenSchema>): Schema | undefined {
  const waiting: string[] = [];
  const fills: (() => void)[] = [];
  const open = (wanted: string): Schema | undefined => {
    const known = done.get(wanted);
    if (known !== undefined || !raw.has(wanted)) return known;
    const schema: OpenSchema = { name: wanted };
    done.set(wanted, schema);
    waiting.push(wanted);
    return schema;
  };
  const resolve = (ref: string): Schema | undefined => {
    const match = REF.exec(ref);
    return match === null ? undefined : open(decodeRef(match[1]!));
  };
  const schema = open(name);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    fillSchema(done.get(next)!, raw.get(next), resolve, (fill) => fills.push(fill));
  }
  for (const fill of fills) fill();
  return schema;
}

function decodeRef(text: string): string {
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function kindKey(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`;
}
