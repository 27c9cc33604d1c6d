// Values in messages as the API server prints them: JSON of its internal types, with Go's names and order, zeros and nulls
// included. generated/internal-types.ts has the types; its generator says how the lines are written.

import { compareStrings, formatGoJson, pushAll, quoteJson } from "@celadon/base";
import { ShownText } from "../../field-error.ts";
import { copyEmpty, wasEmpty } from "../../types/empty-fields.ts";
import { isMembers } from "../../types/json-type.ts";
import { INTERNAL_TYPES } from "./generated/internal-types.ts";

interface TypeField {
  readonly name: string;
  /** The name in the served type. */
  readonly from: string;
  readonly type: string;
  readonly inline: boolean;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
}

/** JSON before it is laid out: a text, or a list or object of such. */
export type Shown = string | { readonly open: "[" | "{"; readonly items: readonly (readonly [string, Shown])[] };

type Members = Readonly<Record<string, unknown>>;

let lines: readonly string[] | undefined;
let names: ReadonlyMap<string, number> | undefined;
const fieldsOf = new Map<number, readonly TypeField[]>();

/** A value of a served type, to be shown as the internal type of this name: `core.PodSpec`, `[]core.Toleration`. */
export function shownAs(type: string, value: unknown): ShownText {
  return new ShownText(compactText(internalTree(type, value)));
}

/** Data that the server keeps as the text it came in: members in that order. */
export function shownAsGiven(value: unknown): ShownText {
  return new ShownText(compactText(givenTree(value)));
}

function givenTree(value: unknown): Shown {
  if (Array.isArray(value)) return listTree(value, givenTree);
  if (!isMembers(value)) return formatGoJson(value);
  return { open: "{", items: Object.entries(value).map(([key, inner]) => [key, givenTree(inner)]) };
}

export function internalTree(type: string, value: unknown): Shown {
  if (type.startsWith("[]")) return listTree(value, (item) => internalTree(type.slice(2), item));
  names ??= new Map(allLines().map((line, i) => [line.slice(0, line.indexOf("|")), i]));
  const line = names.get(type);
  if (line === undefined) throw new Error(`no internal type ${type}`);
  return structTree(line, value);
}

function allLines(): readonly string[] {
  lines ??= INTERNAL_TYPES.trim().split("\n");
  return lines;
}

function typeFields(line: number): readonly TypeField[] {
  const known = fieldsOf.get(line);
  if (known !== undefined) return known;
  const text = allLines()[line]!;
  const fields = text
    .slice(text.indexOf("|") + 1)
    .split(" ")
    .filter((part) => part !== "")
    .map(readField);
  fieldsOf.set(line, fields);
  return fields;
}

function readField(text: string): TypeField {
  if (text.startsWith("<")) {
    return { name: "", from: "", type: text.slice(1), inline: true, pointer: false, omitEmpty: false };
  }
  const colon = text.indexOf(":");
  const [label = "", renamed] = text.slice(0, colon).split("=");
  const name = label.replace("~", "");
  const type = text.slice(colon + 1);
  return {
    name,
    from: renamed ?? name.charAt(0).toLowerCase() + name.slice(1),
    type: type.replace("*", ""),
    inline: false,
    pointer: type.startsWith("*"),
    omitEmpty: label.endsWith("~"),
  };
}

function structTree(line: number, value: unknown): Shown {
  return { open: "{", items: members(line, asInternal(line, (value ?? {}) as Members)) };
}

/** Fields that are elsewhere in the served type. */
function asInternal(line: number, value: Members): Members {
  if (!allLines()[line]!.startsWith("core.PodSpec|")) return value;
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = value;
  const host = { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers };
  if (securityContext == null && Object.values(host).every((item) => item === undefined)) return value;
  const context = (securityContext ?? {}) as Members;
  return copyEmpty(value, { ...value, securityContext: copyEmpty(context, { ...context, ...host }) });
}

function members(line: number, value: Members): [string, Shown][] {
  return typeFields(line).flatMap((field): [string, Shown][] => {
    if (field.inline) return members(lineOf(field.type), inlined(field.type, value));
    const given = Object.hasOwn(value, field.from) ? value[field.from] : undefined;
    if (field.omitEmpty && isZero(given, field)) return [];
    if (given === undefined && wasEmpty(value, field.from)) return [[field.name, emptyOf(field.type)]];
    return [[field.name, tree(field.type, given, field.pointer)]];
  });
}

// Internal objects have their metadata's fields as their own, and no kind.
function inlined(type: string, value: Members): Members {
  const name = allLines()[lineOf(type)]!;
  if (name.startsWith("meta/v1.TypeMeta|")) return {};
  return name.startsWith("meta/v1.ObjectMeta|") ? ((value.metadata ?? {}) as Members) : value;
}

function isZero(given: unknown, field: TypeField): boolean {
  if (given == null) return true;
  if (field.pointer) return false;
  if (given === "" || given === 0 || given === false) return true;
  if (Array.isArray(given)) return given.length === 0;
  return field.type.startsWith("{}") && Object.keys(given).length === 0;
}

const ZEROS: Readonly<Record<string, string>> = { s: '""', b: "false", i: "0", q: '"0"' };

function tree(type: string, given: unknown, pointer: boolean): Shown {
  if (type.startsWith("[]")) return listTree(given, (item) => tree(type.slice(2), item, false));
  if (type.startsWith("{}")) return mapTree(given, (item) => tree(type.slice(2), item, false));
  if (given == null && pointer) return "null";
  if (type.startsWith("#")) return structTree(lineOf(type), given);
  return given == null ? (ZEROS[type] ?? "null") : formatGoJson(given);
}

function emptyOf(type: string): Shown {
  return { open: type.startsWith("[]") ? "[" : "{", items: [] };
}

function lineOf(type: string): number {
  return Number.parseInt(type.slice(1), 36);
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
