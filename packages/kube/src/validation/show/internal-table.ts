// The API server's internal types, by minor: the types that messages print. Each is read from its line when it is first needed.
//
// GO_NAMES        names of Go types, separated by blanks; lines name them by place in base 36
// INTERNAL_TYPES  package.Name|field…, a field being Name (~ if omitted when empty) (=served name) : type (% Go name), or <n for the fields of
//                 type n standing in this one. `@` and numbers after `1.` are the minors that have it: `@33`, `@-33`, `@31-33`
// Types: s string, b bool, i number, x int-or-string, q quantity, t time, B bytes, r anything, `*` pointer, `[]` list, `{}` map,
// #n the type of line n.

import type { Emulation } from "../../emulation.ts";
import { GO_NAMES, INTERNAL_TYPES } from "./generated/internal-types.ts";

/** A field of an internal type. */
export interface TypeField {
  readonly name: string;
  /** The name in the served type. */
  readonly from: string;
  readonly type: string;
  readonly inline: boolean;
  readonly pointer: boolean;
  readonly omitEmpty: boolean;
  /** The Go type, where it does not follow from `type`. */
  readonly goType: string | undefined;
}

let lines: readonly string[] | undefined;
let places: ReadonlyMap<string, number> | undefined;
let goNames: readonly string[] | undefined;
const fieldsOf = new Map<string, readonly TypeField[]>();

/** The place of an internal type: `core.PodSpec`. */
export function lineOfType(name: string): number {
  places ??= new Map(allLines().map((line, i) => [line.slice(0, line.indexOf("|")), i]));
  const line = places.get(name);
  if (line === undefined) throw new Error(`no internal type ${name}`);
  return line;
}

/** The name of the type at a place. */
export function typeName(line: number): string {
  const text = allLines()[line]!;
  return text.slice(0, text.indexOf("|"));
}

/** The place that a type's code names: `#3`. */
export function lineOf(type: string): number {
  return Number.parseInt(type.slice(1), 36);
}

/** The fields that a server's type has, in Go's order. */
export function typeFields(line: number, by: Emulation): readonly TypeField[] {
  const key = `${by.number} ${line}`;
  const known = fieldsOf.get(key);
  if (known !== undefined) return known;
  const text = allLines()[line]!;
  const fields = text
    .slice(text.indexOf("|") + 1)
    .split(" ")
    .filter((part) => part !== "" && holds(part, by.number))
    .map(readField);
  fieldsOf.set(key, fields);
  return fields;
}

function allLines(): readonly string[] {
  lines ??= INTERNAL_TYPES.trim().split("\n");
  return lines;
}

/** Whether a field is one of a minor's. Minors older than the table have the fields of its oldest. */
function holds(part: string, at: number): boolean {
  const [, range] = part.split("@");
  if (range === undefined) return true;
  const [from = "", to = ""] = range.split("-");
  return Number(from) <= at && (to === "" || at <= Number(to));
}

function readField(part: string): TypeField {
  const [text = ""] = part.split("@");
  if (text.startsWith("<")) {
    const inline = { type: text.slice(1), inline: true, pointer: false, omitEmpty: false, goType: undefined };
    return { name: "", from: "", ...inline };
  }
  const colon = text.indexOf(":");
  const [label = "", renamed] = text.slice(0, colon).split("=");
  const name = label.replace("~", "");
  const [type = "", go] = text.slice(colon + 1).split("%");
  goNames ??= GO_NAMES.split(" ");
  return {
    name,
    from: renamed ?? name.charAt(0).toLowerCase() + name.slice(1),
    type: type.replace("*", ""),
    inline: false,
    pointer: type.startsWith("*"),
    omitEmpty: label.endsWith("~"),
    goType: go === undefined ? undefined : goNames[Number.parseInt(go, 36)],
  };
}
