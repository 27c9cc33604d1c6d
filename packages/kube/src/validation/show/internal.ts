// Values in messages as the API server prints them: JSON of its internal types, with Go's names and order, zeros and nulls
// included. Older servers print them as Go's syntax.

import { compareStrings, encodeUtf8, formatGoJson, pushAll, quoteJson } from "@celadon/base";
import type { Emulation } from "../../emulation.ts";
import { JSON_SINCE, ShownBy } from "../../field-error.ts";
import { goSyntax } from "../../go-syntax.ts";
import { wasEmpty } from "../../types/empty-fields.ts";
import { isMembers } from "../../types/json-type.ts";
import { goStruct } from "./go-struct.ts";
import { lineOf, lineOfType, type TypeField, typeFields, typeName } from "./internal-table.ts";
import { asInternal, type Members } from "./internal-value.ts";

/** JSON before it is laid out: a text, or a list or object of such. */
export type Shown = string | { readonly open: "[" | "{"; readonly items: readonly (readonly [string, Shown])[] };

/** A value of a served type, to be shown as the internal type of this name: `core.PodSpec`, `[]core.Toleration`. */
export function shownAs(type: string, value: unknown): ShownBy {
  return new ShownBy((by) =>
    by.before(JSON_SINCE) ? goStruct(type, value, by) : compactText(internalTree(type, value, by)),
  );
}

/** Data that the server keeps as the text it came in: members in that order. */
export function shownAsGiven(value: unknown, goType?: string): ShownBy {
  const text = compactText(givenTree(value));
  return new ShownBy((by) =>
    goType !== undefined && by.before(JSON_SINCE) ? goSyntax(encodeUtf8(text), goType) : text,
  );
}

function givenTree(value: unknown): Shown {
  if (Array.isArray(value)) return listTree(value, givenTree);
  if (!isMembers(value)) return formatGoJson(value);
  return { open: "{", items: Object.entries(value).map(([key, inner]) => [key, givenTree(inner)]) };
}

export function internalTree(type: string, value: unknown, by: Emulation): Shown {
  if (type.startsWith("[]")) return listTree(value, (item) => internalTree(type.slice(2), item, by));
  return structTree(lineOfType(type), value, by);
}

function structTree(line: number, value: unknown, by: Emulation): Shown {
  return { open: "{", items: members(line, asInternal(line, (value ?? {}) as Members, by), by) };
}

function members(line: number, value: Members, by: Emulation): [string, Shown][] {
  return typeFields(line, by).flatMap((field): [string, Shown][] => {
    if (field.inline) return members(lineOf(field.type), inlined(field.type, value), by);
    const given = Object.hasOwn(value, field.from) ? value[field.from] : undefined;
    if (field.omitEmpty && isZero(given, field)) return [];
    if (given === undefined && wasEmpty(value, field.from)) return [[field.name, emptyOf(field.type)]];
    return [[field.name, tree(field.type, given, field.pointer, by)]];
  });
}

// Internal objects have their metadata's fields as their own, and no kind.
function inlined(type: string, value: Members): Members {
  const name = typeName(lineOf(type));
  if (name === "meta/v1.TypeMeta") return {};
  return name === "meta/v1.ObjectMeta" ? ((value.metadata ?? {}) as Members) : value;
}

function isZero(given: unknown, field: TypeField): boolean {
  if (given == null) return true;
  if (field.pointer) return false;
  if (given === "" || given === 0 || given === false) return true;
  if (Array.isArray(given)) return given.length === 0;
  return field.type.startsWith("{}") && Object.keys(given).length === 0;
}

const ZEROS: Readonly<Record<string, string>> = { s: '""', b: "false", i: "0", x: "0", q: '"0"' };

function tree(type: string, given: unknown, pointer: boolean, by: Emulation): Shown {
  if (type.startsWith("[]")) return listTree(given, (item) => tree(type.slice(2), item, false, by));
  if (type.startsWith("{}")) return mapTree(given, (item) => tree(type.slice(2), item, false, by));
  if (given == null && pointer) return "null";
  if (type.startsWith("#")) return structTree(lineOf(type), given, by);
  return given == null ? (ZEROS[type] ?? "null") : formatGoJson(given);
}

function emptyOf(type: string): Shown {
  return { open: type.startsWith("[]") ? "[" : "{", items: [] };
}

function listTree(given: unknown, item: (value: unknown) => Shown): Shown {
  if (!Array.isArray(given)) return "null";
  return { open: "[", items: given.map((value) => ["", item(value)]) };
}

function mapTree(given: unknown, item: (value: unknown) => Shown): Shown {
  if (given == null) return "null";
  const map = given as Members;
  const keys = Object.keys(map).sort(compareStrings);
  return { open: "{", items: keys.map((key) => [key, item(map[key])]) };
}

export function compactText(shown: Shown): string {
  if (typeof shown === "string") return shown;
  const isObject = shown.open === "{";
  const items = shown.items.map(([key, value]) => `${isObject ? `${quoteJson(key)}:` : ""}${compactText(value)}`);
  return isObject ? `{${items.join(",")}}` : `[${items.join(",")}]`;
}

/** The lines of json.MarshalIndent with one blank. */
export function indentedLines(shown: Shown, indent = ""): string[] {
  if (typeof shown === "string") return [shown];
  const close = shown.open === "{" ? "}" : "]";
  if (shown.items.length === 0) return [`${shown.open}${close}`];
  const inner = `${indent} `;
  const result: string[] = [shown.open];
  shown.items.forEach(([key, value], i) => {
    const [first = "", ...rest] = indentedLines(value, inner);
    const label = shown.open === "{" ? `${quoteJson(key)}: ` : "";
    const part = [`${inner}${label}${first}`, ...rest];
    if (i < shown.items.length - 1) part[part.length - 1] += ",";
    pushAll(result, part);
  });
  result.push(`${indent}${close}`);
  return result;
}
