// The built-in kinds: the types of @celadon/kube/builtin, with what OpenAPI says about merging them.
//
// A line of MERGE_FACTS is a type (`=` its name in Go where that is not the end of its name, `!` if it is one value), then its
// fields with facts, each after a colon:
//   a one value · g by its fields, though its type is one value · l<key>+<key> list by keys · s set · q Quantity · r RawExtension · o any object · u anything · [… of the items
//   m<key> k b<key> x patch strategy merge, retainKeys, both or replace, with its merge key · d<JSON> default of a key

import type { GroupVersionKind } from "@celadon/kube";
import { builtinSchema } from "@celadon/kube/builtin";
import type { Schema } from "@celadon/kube/schemas";
import { MERGE_FACTS } from "./generated/merge-facts.ts";
import { DEDUCED, type MergeField, type MergeType, type Scalar, UNTYPED } from "./merge-type.ts";
import { LazyList, StructType } from "./struct-type.ts";

export interface FieldFacts {
  /** Whether it is one value, if that differs from its type. */
  readonly atomic?: boolean;
  readonly keys?: readonly string[];
  readonly set?: boolean;
  /** A type that is no struct and no plain scalar. */
  readonly special?: "q" | "r" | "o" | "u";
  readonly items?: FieldFacts;
  readonly patch?: PatchFacts;
  readonly preset?: unknown;
}

export interface PatchFacts {
  readonly merge: boolean;
  readonly replace: boolean;
  readonly retainKeys: boolean;
  readonly mergeKey: string;
}

export interface TypeFacts {
  readonly goName: string;
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, FieldFacts>;
}

const NO_FACTS: FieldFacts = {};
let lines: ReadonlyMap<string, string> | undefined;
const facts = new Map<string, TypeFacts>();
const types = new Map<string, MergeType>();

/** The type of a built-in kind; undefined if Kubernetes has no such kind. */
export function builtinMergeType(gvk: GroupVersionKind): MergeType | undefined {
  const schema = builtinSchema(gvk);
  return schema === undefined ? undefined : structOf(schema);
}

/** The facts about the merging of a named type of the built-in table. */
export function factsOf(name: string): TypeFacts {
  const known = facts.get(name);
  if (known !== undefined) return known;
  lines ??= new Map(MERGE_FACTS.split("\n").map((line) => [/^[^ =!]+/.exec(line)![0], line]));
  const read = readFacts(name, lines.get(name) ?? name);
  facts.set(name, read);
  return read;
}

function readFacts(name: string, line: string): TypeFacts {
  const [head = "", ...fields] = line.split(" ");
  const goName = /=([^!]+)/.exec(head)?.[1] ?? name.replace(/^(?:[A-Z][a-z]+)?V\d+(?:(?:alpha|beta)\d+)?/, "");
  return {
    goName,
    atomic: head.endsWith("!"),
    fields: new Map(
      fields.map((text) => {
        const [field = "", ...parts] = text.split(":");
        return [field, parts.reduce<FieldFacts>(withFact, NO_FACTS)];
      }),
    ),
  };
}

function withFact(so: FieldFacts, part: string): FieldFacts {
  const rest = part.slice(1);
  const patch = (merge: boolean, retainKeys: boolean, replace = false): FieldFacts => ({
    ...so,
    patch: { merge, retainKeys, replace, mergeKey: rest },
  });
  switch (part[0]) {
    case "a":
      return { ...so, atomic: true };
    case "g":
      return { ...so, atomic: false };
    case "l":
      return { ...so, keys: rest.split("+") };
    case "s":
      return { ...so, set: true };
    case "q":
    case "r":
    case "o":
    case "u":
      return { ...so, special: part[0] };
    case "[":
      return { ...so, items: withFact(NO_FACTS, rest) };
    case "m":
      return patch(true, false);
    case "k":
      return patch(false, true);
    case "b":
      return patch(true, true);
    case "x":
      return patch(false, false, true);
    case "d":
      return { ...so, preset: JSON.parse(rest) };
    default:
      throw new Error(`fact ${part} is not known`);
  }
}

function structOf(schema: Schema, atomicHere?: boolean): MergeType {
  const about = factsOf(schema.name ?? "");
  const atomic = atomicHere ?? about.atomic;
  const key = `${schema.name}${atomic ? "!" : ""}`;
  const known = types.get(key);
  if (known !== undefined) return known;
  const fields = schema.properties ?? new Map<string, Schema>();
  const map = new StructType(
    (name) => {
      const field = fields.get(name);
      return field === undefined ? undefined : fieldOf(field, about.fields.get(name) ?? NO_FACTS);
    },
    { atomic, others: fields.size === 0 ? DEDUCED : undefined, deduced: fields.size === 0 },
  );
  const type = { map };
  types.set(key, type);
  return type;
}

function fieldOf(schema: Schema, so: FieldFacts): MergeField {
  const type = typeOf(schema, so);
  return so.preset === undefined ? { type } : { type, default: so.preset };
}

const ANY_OBJECT: MergeType = {
  map: new StructType(() => undefined, { atomic: false, others: DEDUCED, deduced: true }),
};
/** A value without a type: deduced, but a list's items are taken as they are. */
const ANYTHING: MergeType = {
  scalar: "untyped",
  list: new LazyList(false, [], () => UNTYPED),
  map: ANY_OBJECT.map!,
};

function typeOf(schema: Schema, so: FieldFacts): MergeType {
  switch (so.special) {
    case "q":
      return { scalar: "untyped" };
    case "r":
      return UNTYPED;
    case "o":
      return ANY_OBJECT;
    case "u":
      return ANYTHING;
    case undefined:
      break;
  }
  if (schema.intOrString === true) return ANYTHING;
  if (schema.name !== undefined) return structOf(schema, so.atomic);
  const { items, additionalProperties: others } = schema;
  if (schema.type === "array") {
    const read = (): MergeType => typeOf(items!, so.items ?? NO_FACTS);
    return { list: new LazyList(so.keys !== undefined || so.set === true, so.keys ?? [], read) };
  }
  if (schema.type === "object") {
    const item = typeof others === "object" ? typeOf(others, so.items ?? NO_FACTS) : DEDUCED;
    return {
      map: new StructType(() => undefined, { atomic: so.atomic === true, others: item, deduced: item === DEDUCED }),
    };
  }
  return { scalar: scalarOf(schema) };
}

function scalarOf({ type, format }: Schema): Scalar {
  if (type === "integer" || type === "number") return "numeric";
  if (type === "boolean") return "boolean";
  return format === "date-time" ? "untyped" : "string";
}
