// The Go types behind the built-in kinds, each read from its line when it is first met.
//
// FIELDS    names of fields, GO_TYPES names of Go types, separated by blanks; lines name them by place in base 36
// KINDS     apiVersion/kind|type
// TYPES     package/version.Name|field…, a field being name mark type (=Go type) (~merge strategy and key), or <n for the
//           fields of type n standing in this one
// A field or kind that only some minors have ends in `@` and the first and last number after `1.`: `@33`, `@-33`, `@31-33`.
// Marks: `:` always written, `?` omitempty, `*` pointer with omitempty, `!` pointer without, `0` omitzero.
// Types: s string, i int32, l int64, b bool, f float, B bytes, Q quantity, T time, M time with microseconds, X int-or-string,
// R F J anything, [T list, {T map, #n the type of line n. Merging: m merge, r replace, k retainKeys, K merge,retainKeys.

import { CURRENT, type Minor } from "../versions.ts";
import { FIELDS, GO_TYPES, KINDS, NEWEST, OLDEST, TYPES } from "./generated/types-table.ts";

/** The outermost kind of a value. */
export type ValueCode =
  | "string"
  | "int32"
  | "int64"
  | "bool"
  | "float"
  | "bytes"
  | "quantity"
  | "time"
  | "microTime"
  | "intOrString"
  | "raw"
  | "list"
  | "map"
  | "struct"
  | "schemaOrBool"
  | "schemaOrList"
  | "schemaOrTexts";

/** The type of a value: its form, and its name in Go. */
export interface ValueType {
  readonly code: ValueCode;
  /** The Go type as messages name it: `v1.RestartPolicy`, `[]v1.Container`. */
  readonly goType: string;
  /** The type of a list's elements or a map's values; in `schemaOr…`, the schema. */
  readonly of?: ValueType;
  /** The fields of a struct. */
  readonly struct?: () => GoStruct;
}

/** The treatment of a field by a strategic merge patch. */
export type MergeStrategy = "merge" | "replace" | "retainKeys" | "merge,retainKeys";

/** A field of a struct: name, type, and how it is merged. */
export interface GoField {
  readonly name: string;
  /** The place among the fields of the struct. */
  readonly index: number;
  readonly type: ValueType;
  readonly pointer: boolean;
  readonly omitempty: boolean;
  readonly omitzero: boolean;
  /** Written whether or not it was given: a struct is never empty, nor is what encodes itself. */
  readonly always: boolean;
  /** Not written when it is zero. */
  readonly dropsZero: boolean;
  /** Defaults or validation tell an empty one from none. */
  readonly tellsEmpty: boolean;
  /** Go names of the structs this field is embedded with, outermost first. */
  readonly embedded: readonly string[];
  /** The treatment of the field by strategic merge patches. */
  readonly merge?: { readonly strategy: MergeStrategy; readonly key?: string };
}

/** A struct of the Kubernetes API: its fields in order. */
export interface GoStruct {
  /** `core/v1.PodSpec`. */
  readonly name: string;
  /** The Go name without its package: `PodSpec`. */
  readonly goName: string;
  /** In the order they are encoded, fields of embedded structs in place of the struct. */
  readonly fields: readonly GoField[];
  readonly byName: ReadonlyMap<string, GoField>;
  /** The fields that are always written. */
  readonly always: readonly GoField[];
}

interface Lines {
  readonly fields: readonly string[];
  readonly goTypes: readonly string[];
  readonly types: readonly string[];
  readonly kinds: ReadonlyMap<string, readonly string[]>;
}

const SCALARS: Readonly<Record<string, readonly [ValueCode, string]>> = {
  s: ["string", "string"],
  i: ["int32", "int32"],
  l: ["int64", "int64"],
  b: ["bool", "bool"],
  f: ["float", "float64"],
  B: ["bytes", "[]uint8"],
  Q: ["quantity", "resource.Quantity"],
  T: ["time", "v1.Time"],
  M: ["microTime", "v1.MicroTime"],
  X: ["intOrString", "intstr.IntOrString"],
  R: ["raw", "runtime.RawExtension"],
  F: ["raw", "v1.FieldsV1"],
  J: ["raw", "v1.JSON"],
};

const STRATEGIES: Readonly<Record<string, MergeStrategy>> = {
  m: "merge",
  r: "replace",
  k: "retainKeys",
  K: "merge,retainKeys",
};

const NEVER_EMPTY: ReadonlySet<ValueCode> = new Set(["struct", "quantity", "time", "microTime", "intOrString"]);

/** Types that are a schema or something else. */
const SCHEMA_OR: Readonly<Record<string, ValueCode>> = {
  "v1.JSONSchemaPropsOrBool": "schemaOrBool",
  "v1.JSONSchemaPropsOrArray": "schemaOrList",
  "v1.JSONSchemaPropsOrStringArray": "schemaOrTexts",
};

const TELL_EMPTY: ReadonlySet<string> = new Set([
  "apiextensions/v1.JSONSchemaProps.dependencies",
  "autoscaling/v2.HPAScalingRules.policies",
  "core/v1.NodeStatus.allocatable",
]);

const ENTRY = /^([0-9a-z]+)([:?*!0])([^=~@]+)(?:=([0-9a-z]+))?(?:~([mrkK])([0-9a-z]*))?(?:@.*)?$/;

let loaded: Lines | undefined;
/** The structs of each version by their line; those of an unused version are never read. */
const structsOf = new Map<number, Map<number, GoStruct>>();

/** A kind that is accepted in a version that is not served, with the same fields. */
const SAME_TYPE: Readonly<Record<string, string>> = { "policy/v1beta1/Eviction": "policy/v1/Eviction" };

/** The type of a built-in kind; undefined where a server of the minor has no such kind. */
export function typeOfKind(apiVersion: string, kind: string, minor: Minor = CURRENT): GoStruct | undefined {
  const at = Math.min(Math.max(Number(minor.slice("1.".length)), OLDEST), NEWEST);
  const name = `${apiVersion}/${kind}`;
  const found = lines()
    .kinds.get(SAME_TYPE[name] ?? name)
    ?.find((line) => holds(line, at));
  return found === undefined ? undefined : structAt(place(withoutRange(found)), at);
}

/** Whether a row of the table is about a minor. */
function holds(row: string, at: number): boolean {
  const mark = row.indexOf("@");
  if (mark === -1) return true;
  const [from = "", to = ""] = row.slice(mark + 1).split("-");
  return Number(from) <= at && (to === "" || at <= Number(to));
}

function withoutRange(row: string): string {
  const mark = row.indexOf("@");
  return mark === -1 ? row : row.slice(0, mark);
}

function lines(): Lines {
  loaded ??= {
    fields: FIELDS.split(" "),
    goTypes: GO_TYPES.split(" "),
    types: TYPES.split("\n"),
    kinds: kindRows(),
  };
  return loaded;
}

/** The rows of each kind: several where its type is another in older minors. */
function kindRows(): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>();
  for (const row of KINDS.split("\n")) {
    const bar = row.indexOf("|");
    const name = row.slice(0, bar);
    const known = rows.get(name);
    if (known === undefined) rows.set(name, [row.slice(bar + 1)]);
    else known.push(row.slice(bar + 1));
  }
  return rows;
}

function structAt(line: number, at: number): GoStruct {
  let structs = structsOf.get(at);
  if (structs === undefined) {
    structs = new Map();
    structsOf.set(at, structs);
  }
  const known = structs.get(line);
  if (known !== undefined) return known;
  const text = lines().types[line]!;
  const bar = text.indexOf("|");
  const name = text.slice(0, bar);
  const fields: GoField[] = [];
  const entries = text.slice(bar + 1);
  if (entries !== "") for (const entry of entries.split(" ")) if (holds(entry, at)) readEntry(entry, name, fields, at);
  const struct: GoStruct = {
    name,
    goName: name.slice(name.indexOf(".") + 1),
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    always: fields.filter((field) => field.always),
  };
  structs.set(line, struct);
  return struct;
}

function readEntry(entry: string, struct: string, fields: GoField[], at: number): void {
  if (entry.startsWith("<")) {
    const embedded = structAt(place(withoutRange(entry).slice(1)), at);
    for (const field of embedded.fields) {
      fields.push({ ...field, index: fields.length, embedded: [embedded.goName, ...field.embedded] });
    }
    return;
  }
  const [, name, mark, code, goType, strategy, key] = ENTRY.exec(entry)!;
  const { fields: names, goTypes } = lines();
  const type = readType(code!, goType === undefined ? undefined : goTypes[place(goType)], at);
  const pointer = mark === "*" || mark === "!";
  const isNeverEmpty = NEVER_EMPTY.has(type.code) || type.goType === "runtime.RawExtension";
  const fieldName = names[place(name!)]!;
  fields.push({
    name: fieldName,
    index: fields.length,
    type,
    pointer,
    omitempty: mark !== ":" && mark !== "!",
    omitzero: mark === "0",
    always: mark === ":" || mark === "!" || (mark === "?" && isNeverEmpty),
    dropsZero: mark === "0" || (mark === "?" && !isNeverEmpty),
    tellsEmpty: TELL_EMPTY.has(`${struct}.${fieldName}`),
    embedded: [],
    ...(strategy !== undefined && {
      merge: { strategy: STRATEGIES[strategy]!, ...(key !== "" && { key: names[place(key!)]! }) },
    }),
  });
}

function readType(code: string, goType: string | undefined, at: number): ValueType {
  switch (code[0]) {
    case "[": {
      const of = readType(code.slice(1), goType?.startsWith("[]") ? goType.slice(2) : undefined, at);
      return { code: "list", goType: goType ?? `[]${of.goType}`, of };
    }
    case "{": {
      const of = readType(
        code.slice(1),
        goType?.startsWith("map[") ? goType.slice(goType.indexOf("]") + 1) : undefined,
        at,
      );
      return { code: "map", goType: goType ?? `map[string]${of.goType}`, of };
    }
    case "#": {
      const line = place(code.slice(1));
      const name = goType ?? goNameOf(line);
      const or = SCHEMA_OR[name];
      if (or !== undefined) return { code: or, goType: name, of: structAt(line, at).byName.get("Schema")!.type };
      return { code: "struct", goType: name, struct: () => structAt(line, at) };
    }
    default: {
      const [value, plain] = SCALARS[code]!;
      return { code: value, goType: goType ?? plain };
    }
  }
}

function goNameOf(line: number): string {
  const text = lines().types[line]!;
  return text.slice(text.indexOf("/") + 1, text.indexOf("|"));
}

function place(digits: string): number {
  return Number.parseInt(digits, 36);
}
