// The Go types of built-in kinds as OpenAPI schemas, each type once, by reference.

import type { Field, StructType, ValueType } from "@celadon/kube/types";

export type JsonSchema = { [keyword: string]: unknown };

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  string: { type: "string" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  bool: { type: "boolean" },
  float: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
};

/** Types that encode themselves have a name of their own. */
const NAMED: Readonly<Record<string, readonly [name: string, schema: JsonSchema]>> = {
  quantity: ["io.k8s.apimachinery.pkg.api.resource.Quantity", { type: "string" }],
  time: ["io.k8s.apimachinery.pkg.apis.meta.v1.Time", { type: "string", format: "date-time" }],
  microTime: ["io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", { type: "string", format: "date-time" }],
  intOrString: ["io.k8s.apimachinery.pkg.util.intstr.IntOrString", { type: "string", format: "int-or-string" }],
  raw: ["io.k8s.apimachinery.pkg.runtime.RawExtension", { type: "object" }],
};

export class SchemaSet {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #root: string;

  /** `root` stands before names in references. */
  constructor(root: string) {
    this.#root = root;
  }

  reference(name: string): JsonSchema {
    return { $ref: `${this.#root}${name}` };
  }

  /** The name of the type, once it and all it needs are in the set. */
  add(type: StructType): string {
    const name = typeName(type);
    if (Object.hasOwn(this.schemas, name)) return name;
    const schema: JsonSchema = { type: "object" };
    this.schemas[name] = schema;
    const properties: Record<string, JsonSchema> = {};
    const required: string[] = [];
    for (const field of type.fields) {
      properties[field.name] = this.#property(field);
      if (!field.omitempty && !field.omitzero && !field.pointer && field.type.code !== "struct")
        required.push(field.name);
    }
    schema.properties = properties;
    if (required.length > 0) schema.required = required;
    return name;
  }

  addNamed(name: string, schema: JsonSchema): void {
    this.schemas[name] ??= schema;
  }

  #property(field: Field): JsonSchema {
    const schema = this.#schemaOf(field.type);
    const { merge } = field;
    if (merge === undefined) return schema;
    const isKeyed = field.type.code === "list" && merge.key !== undefined && merge.strategy.includes("merge");
    return {
      ...("$ref" in schema ? { allOf: [schema] } : schema),
      ...(merge.key !== undefined && { "x-kubernetes-patch-merge-key": merge.key }),
      "x-kubernetes-patch-strategy": merge.strategy,
      ...(isKeyed && { "x-kubernetes-list-map-keys": [merge.key], "x-kubernetes-list-type": "map" }),
    };
  }

  #schemaOf(type: ValueType): JsonSchema {
    const { code } = type;
    if (code === "struct") return this.reference(this.add(type.struct!()));
    if (code === "list") return { type: "array", items: this.#schemaOf(type.of!) };
    if (code === "map") return { type: "object", additionalProperties: this.#schemaOf(type.of!) };
    const named = NAMED[code];
    if (named !== undefined) {
      this.addNamed(...named);
      return this.reference(named[0]);
    }
    return SCALARS[code] ?? {};
  }
}

/** `core/v1.PodSpec` → `io.k8s.api.core.v1.PodSpec`. */
function typeName({ name }: StructType): string {
  const [path = "", type = ""] = name.split(".").length === 2 ? name.split(".") : [name, ""];
  const [group = "", version = ""] = path.split("/");
  if (group === "meta") return `io.k8s.apimachinery.pkg.apis.meta.${version}.${type}`;
  if (group === "apiextensions") return `io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.${version}.${type}`;
  if (group === "apiregistration") return `io.k8s.kube-aggregator.pkg.apis.apiregistration.${version}.${type}`;
  return `io.k8s.api.${group}.${version}.${type}`;
}
