// The shape of objects of a kind: built in, custom, or unknown.

import type { GroupVersionKind } from "@celadon/kube";
import { apiVersionOf } from "@celadon/kube";
import type { Schema } from "@celadon/kube/schemas";
import { typeOfKind } from "@celadon/kube/types";
import type { Interval } from "../number/solver.ts";
import { structShape } from "./go-shape.ts";
import { KIND } from "./node.ts";
import { ANY_OBJECT, ANY_SIZE, ANY_TEXT, type Shape, schemaShape } from "./shape.ts";

/** Undefined fields of an unknown kind may be anything. */
export function kindShape(kind: GroupVersionKind, schema: Schema | undefined): Shape {
  const struct = typeOfKind(apiVersionOf(kind), kind.kind);
  if (struct !== undefined) return structShape(struct, schema);
  const inner = schema === undefined ? ANY_OBJECT : schemaShape({ ...schema, type: "object" });
  return new CustomObject(inner);
}

function metadataShape(schema: Schema | undefined): Shape {
  const type = typeOfKind("v1", "ConfigMap")?.byName.get("metadata")?.type.struct?.();
  return type === undefined ? ANY_OBJECT : structShape(type, schema);
}

/** Custom resources have the metadata that all objects have. */
class CustomObject implements Shape {
  readonly kinds: number = KIND.map;
  readonly sizes: Interval = ANY_SIZE;
  readonly lengths: Interval = ANY_SIZE;
  readonly numbers: Interval = ANY_SIZE;
  readonly languages = [];
  readonly notZero = false;
  readonly schema: Schema | undefined;
  readonly required: readonly string[];
  readonly names: readonly string[];
  readonly #inner: Shape;
  readonly #metadata: Shape;

  constructor(inner: Shape) {
    this.#inner = inner;
    this.schema = inner.schema;
    this.#metadata = metadataShape(inner.schema?.properties?.get("metadata"));
    this.required = [...new Set([...inner.required, "apiVersion", "kind", "metadata"])];
    this.names = [...new Set([...inner.names, "apiVersion", "kind", "metadata"])];
  }

  field(name: string): Shape | undefined {
    if (name === "metadata") return this.#metadata;
    return name === "apiVersion" || name === "kind" ? ANY_TEXT : this.#inner.field(name);
  }
  get values(): Shape | undefined {
    return this.#inner.values;
  }
  get items(): Shape {
    return this.#inner.items;
  }
}
