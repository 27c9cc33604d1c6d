// Values of internal types as Go's syntax, all fields included: how servers up to 1.33 print them.

import { quoteGo } from "@celadon/base";
import type { Emulation } from "../../emulation.ts";
import { bytesOf, GO_ADDRESS, goBytes, goIntOrString, goMap, goQuantity } from "../../go-syntax.ts";
import { wasEmpty } from "../../types/empty-fields.ts";
import { lineOf, lineOfType, type TypeField, typeFields, typeName } from "./internal-table.ts";
import { asInternal, type Members } from "./internal-value.ts";

/** A value of a served type, to be shown as the internal type of this name: `core.PodSpec`, `[]core.Toleration`. */
export function goStruct(type: string, value: unknown, by: Emulation): string {
  if (!type.startsWith("[]")) return struct(lineOfType(type), value, by);
  const element = lineOfType(type.slice(2));
  return list(`[]${goName(element)}`, value, (item) => struct(element, item, by));
}

/** `core.PodSpec`, `v1.ObjectMeta`. */
function goName(line: number): string {
  const name = typeName(line);
  return name.slice(name.lastIndexOf("/") + 1);
}

function struct(line: number, given: unknown, by: Emulation): string {
  const value = asInternal(line, (given ?? {}) as Members, by);
  const fields = typeFields(line, by).map((field) => {
    if (field.inline) return embedded(lineOf(field.type), value, by);
    return `${fieldName(field.name)}:${fieldText(field, value, by)}`;
  });
  return `${goName(line)}{${fields.join(", ")}}`;
}

/** An embedded struct is named by its type. Internal objects have no kind, and their metadata is that of the served one. */
function embedded(line: number, value: Members, by: Emulation): string {
  const name = goName(line);
  const inner = name === "v1.TypeMeta" ? {} : name === "v1.ObjectMeta" ? value.metadata : value;
  return `${name.slice(name.indexOf(".") + 1)}:${struct(line, inner, by)}`;
}

/** Types of metadata are listed by their names in JSON. */
function fieldName(name: string): string {
  if (name === "uid") return "UID";
  if (name === "apiVersion") return "APIVersion";
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function fieldText(field: TypeField, value: Members, by: Emulation): string {
  const given = Object.hasOwn(value, field.from) ? value[field.from] : undefined;
  const { type, pointer, goType } = field;
  // Times print themselves, even where there is none.
  if (pointer && type === "t") return given == null ? "<nil>" : time(given);
  if (pointer) return `(*${goType ?? pointee(type)})(${given == null ? "nil" : GO_ADDRESS})`;
  return text(type, given, goType, wasEmpty(value, field.from), by);
}

/** The type to which a pointer without a name of its own points. */
function pointee(type: string): string {
  if (type.startsWith("#")) return goName(lineOf(type));
  return type === "b" ? "bool" : "string";
}

function text(type: string, given: unknown, goType: string | undefined, isEmpty: boolean, by: Emulation): string {
  if (type.startsWith("[]")) {
    const element = type.slice(2);
    const name = goType ?? (element.startsWith("#") ? `[]${goName(lineOf(element))}` : "[]string");
    return list(name, given ?? (isEmpty ? [] : undefined), (item) => text(element, item, undefined, false, by));
  }
  if (type.startsWith("{}"))
    return map(goType ?? "map[string]string", given, isEmpty, (item) =>
      text(type.slice(2), item, undefined, false, by),
    );
  if (type.startsWith("#")) return struct(lineOf(type), given, by);
  switch (type) {
    case "s":
      return quoteGo(String(given ?? ""));
    case "b":
      return String(given ?? false);
    case "i":
      return String(given ?? 0);
    case "x":
      return goIntOrString(given);
    case "q":
      return goQuantity(String(given ?? "0"));
    case "B":
      return goBytes(bytesOf(given));
    case "t":
      return time(given);
    default:
      return `${goType ?? "runtime.Object"}(nil)`;
  }
}

function list(name: string, given: unknown, item: (value: unknown) => string): string {
  return Array.isArray(given) ? `${name}{${given.map(item).join(", ")}}` : `${name}(nil)`;
}

function map(name: string, given: unknown, isEmpty: boolean, item: (value: unknown) => string): string {
  return goMap(name, given ?? (isEmpty ? {} : null), item);
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

function time(given: unknown): string {
  const at = typeof given === "string" ? new Date(given) : undefined;
  const shown =
    at === undefined
      ? "1, time.January, 1, 0, 0, 0, 0"
      : `${at.getUTCFullYear()}, time.${MONTHS[at.getUTCMonth()]}, ${at.getUTCDate()}, ${at.getUTCHours()}, ${at.getUTCMinutes()}, ${at.getUTCSeconds()}, 0`;
  return `time.Date(${shown}, time.${at === undefined ? "UTC" : "Local"})`;
}
