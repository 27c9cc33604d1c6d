// The types of built-in kinds as OpenAPI schemas, as kube-apiserver publishes them: unpacked on first use, and put into a document by
// name with all they refer to. Version 2 says the same with fewer words.

import { brotliDecompressSync } from "node:zlib";
import { isRecord } from "@celadon/base";
import type { GroupVersionKind } from "@celadon/kube";
import { PACKED } from "./generated/schemas.ts";

export type JsonSchema = { [keyword: string]: unknown };

const META = "io.k8s.apimachinery.pkg.apis.meta.v1";
export const OBJECT_META: string = `${META}.ObjectMeta`;
export const LIST_META: string = `${META}.ListMeta`;

interface Published {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly byKind: ReadonlyMap<string, string>;
}

let unpacked: Published | undefined;

function published(): Published {
  if (unpacked !== undefined) return unpacked;
  const schemas = JSON.parse(brotliDecompressSync(Buffer.from(PACKED, "base64")).toString("utf8"));
  const byKind = new Map<string, string>();
  for (const [name, schema] of Object.entries(schemas as Record<string, JsonSchema>)) {
    // Options and events belong to every group; no kind is found by them.
    const kinds = (schema["x-kubernetes-group-version-kind"] ?? []) as GroupVersionKind[];
    if (kinds.length === 1) byKind.set(keyOf(kinds[0]!), name);
  }
  return (unpacked = { schemas, byKind });
}

const keyOf = ({ group, version, kind }: GroupVersionKind): string => `${group}/${version}/${kind}`;

/** The name of a built-in kind's schema. */
export function schemaName(kind: GroupVersionKind): string | undefined {
  return published().byKind.get(keyOf(kind));
}

const V3 = "#/components/schemas/";

export class SchemaSet {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #root: string;

  /** `root` stands before names in references. */
  constructor(root: string) {
    this.#root = root;
  }

  get isV3(): boolean {
    return this.#root === V3;
  }

  reference(name: string): JsonSchema {
    return { $ref: `${this.#root}${name}` };
  }

  /** In version 3 nothing may stand beside a reference. */
  described(schema: JsonSchema, description: string): JsonSchema {
    return this.isV3 && "$ref" in schema ? { allOf: [schema], description } : { ...schema, description };
  }

  /** Whether there is a built-in schema of that name; then it and all it needs are in the set. */
  add(name: string): boolean {
    if (Object.hasOwn(this.schemas, name)) return true;
    const schema = published().schemas[name];
    if (schema === undefined) return false;
    this.schemas[name] = {};
    this.schemas[name] = this.isV3 ? schema : (asV2(schema) as JsonSchema);
    for (const used of referencesIn(schema)) this.add(used);
    return true;
  }

  addNamed(name: string, schema: JsonSchema): void {
    this.schemas[name] ??= schema;
  }
}

const references = new WeakMap<JsonSchema, readonly string[]>();

function referencesIn(schema: JsonSchema): readonly string[] {
  let found = references.get(schema);
  if (found === undefined) {
    const names = new Set<string>();
    collect(schema, names);
    references.set(schema, (found = [...names]));
  }
  return found;
}

function collect(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collect(item, names);
  else if (isRecord(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (key === "$ref" && typeof member === "string") names.add(member.slice(V3.length));
      else collect(member, names);
    }
  }
}

/** Without defaults and choices; a reference may have a description beside it. */
function asV2(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asV2);
  if (!isRecord(value)) return value;
  const { allOf, oneOf, default: _, properties, ...rest } = value as JsonSchema & { allOf?: JsonSchema[] };
  const out: JsonSchema = Object.fromEntries(Object.entries(rest).map(([key, member]) => [key, asV2(member)]));
  if (isRecord(properties)) {
    out.properties = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, asV2(field)]));
  }
  if (typeof out.$ref === "string") out.$ref = out.$ref.replace(V3, "#/definitions/");
  if (allOf?.length === 1) Object.assign(out, asV2(allOf[0]));
  if (oneOf !== undefined) out.type = "string";
  return out;
}
