// The facts about a type that a strategic merge patch needs: its fields with their strategies, by the names Go has for things. Upstream:
// apimachinery pkg/util/strategicpatch/meta.go, third_party/forked/golang/json/fields.go.

import { quoteGo } from "@celadon/base";
import type { GroupVersionKind } from "@celadon/kube";
import { builtinSchema } from "@celadon/kube/builtin";
import { Invalid } from "@celadon/kube/errors";
import type { Schema } from "@celadon/kube/schemas";
import { type FieldFacts, factsOf, type PatchFacts } from "../schema/builtin-types.ts";

export interface PatchType {
  /** The kind of type, as Go's reflection calls it. */
  readonly kind: string;
  readonly schema: Schema;
  readonly facts: FieldFacts;
}

export interface PatchField {
  readonly type: PatchType;
  readonly patch: PatchFacts | undefined;
}

const NO_FACTS: FieldFacts = {};

/** The type of a built-in kind; undefined if Kubernetes has no such kind. */
export function patchTypeOf(gvk: GroupVersionKind): PatchType | undefined {
  const schema = builtinSchema(gvk);
  return schema === undefined ? undefined : typeOf(schema, NO_FACTS);
}

function typeOf(schema: Schema, facts: FieldFacts): PatchType {
  return { kind: kindOf(schema, facts), schema, facts };
}

function kindOf(schema: Schema, facts: FieldFacts): string {
  if (schema.name !== undefined || facts.special !== undefined || schema.intOrString === true) return "struct";
  switch (schema.type) {
    case "array":
      return "slice";
    case "object":
      return "map";
    case "integer":
      return schema.format ?? "int64";
    case "number":
      return "float64";
    case "boolean":
      return "bool";
    default:
      return schema.format === "date-time" ? "struct" : schema.format === "byte" ? "slice" : "string";
  }
}

/** A field of a struct. */
export function fieldIn(type: PatchType, name: string): PatchField | Invalid {
  if (type.kind !== "struct") {
    return new Invalid(`merging an object in json but data type is not struct, instead is: ${type.kind}`);
  }
  const { schema } = type;
  const known = schema.name === undefined ? undefined : spelled(schema, name);
  if (known === undefined) {
    return new Invalid(`unable to find api field in struct ${goName(type)} for the json field ${quoteGo(name)}`);
  }
  const facts = factsOf(schema.name!).fields.get(known) ?? NO_FACTS;
  return { type: typeOf(schema.properties!.get(known)!, facts), patch: facts.patch };
}

/** The field of this name, in any case where none is spelled like it. */
function spelled({ properties }: Schema, name: string): string | undefined {
  if (properties?.has(name)) return name;
  const lower = name.toLowerCase();
  for (const key of properties?.keys() ?? []) if (key.toLowerCase() === lower) return key;
  return undefined;
}

/** The items of a field that is a list. */
export function itemsIn(type: PatchType, name: string): PatchField | Invalid {
  const field = fieldIn(type, name);
  if (field instanceof Invalid) return field;
  const { schema, facts, kind } = field.type;
  if (kind !== "slice") return new Invalid(`expected slice or array type, but got: ${type.kind}`);
  if (schema.items === undefined) return { ...field, type: { kind: "uint8", schema: {}, facts: NO_FACTS } };
  const items = typeOf(schema.items, facts.items ?? NO_FACTS);
  return items.kind === "slice" ? new Invalid("unexpected slice of slice") : { ...field, type: items };
}

const SPECIAL: Readonly<Record<string, string>> = { q: "Quantity", r: "RawExtension", o: "FieldsV1", u: "JSON" };

function goName({ schema, facts }: PatchType): string {
  if (schema.name !== undefined) return factsOf(schema.name).goName;
  return facts.special === undefined ? "IntOrString" : SPECIAL[facts.special]!;
}
