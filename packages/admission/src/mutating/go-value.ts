// The Go value behind a CEL value, as merging gets it: cel-go's `Value()`. Data of the request stays as it is; lists and maps that an
// expression made are opened one level deep where they are the value of a field, and have no JSON type below that. Upstream: apiserver
// pkg/cel/mutation/dynamic/objects.go.

import { quoteGo, setOwn } from "@celadon/base";
import { Duration, isError, ListValue, Opaque, Optional, Timestamp, Type, Uint, type Value } from "@celadon/cel";
import { CelMap, formatValue, isList, isNativeStrings, mapFind, mapKeys, toArray } from "@celadon/cel/values";
import { Invalid } from "@celadon/kube/errors";
import { ObjectValue } from "@celadon/kube-cel";
import { ForeignValue, nilList } from "@celadon/merge";

/** Types of Kubernetes' libraries, by their names in CEL. */
const GO_TYPES: Readonly<Record<string, string>> = {
  "kubernetes.Quantity": "*resource.Quantity",
  "kubernetes.Semver": "semver.Version",
  "kubernetes.URL": "*url.URL",
  "net.CIDR": "netip.Prefix",
  "net.IP": "netip.Addr",
};

export type JsonObject = Record<string, unknown>;

/** Distinguishes lists of the request, its params and its namespace from those that an expression made. */
export type IsData = (list: readonly unknown[]) => boolean;

/** The fields of an Object. */
export function goFields(object: ObjectValue, isData: IsData): JsonObject | Invalid {
  const result: JsonObject = {};
  for (const [name, field] of object.fields) {
    const converted = goField(field, isData);
    if (converted instanceof Invalid) return new Invalid(`fail to convert field "${name}": ${converted.message}`);
    setOwn(result, name, converted);
  }
  return result;
}

function goField(value: Value, isData: IsData): unknown {
  if (value instanceof Optional) return value.hasValue ? goField(value.value, isData) : null;
  if (isList(value) && !isNativeStrings(value)) {
    const items = listOf(value);
    if (items.length === 0) return isData(value as readonly unknown[]) ? value : nilList();
    return items.map((item) => goValue(item, isData));
  }
  if (!(value instanceof CelMap)) return goValue(value, isData);
  const result: JsonObject = {};
  for (const key of mapKeys(value)) {
    if (typeof key !== "string") return new Invalid(`map key ${keyText(key)}, not string`);
    setOwn(result, key, goValue(mapFind(value, key), isData));
  }
  return result;
}

function goValue(value: Value, isData: IsData): unknown {
  if (value instanceof ObjectValue) {
    const fields = goFields(value, isData);
    return fields instanceof Invalid ? new ForeignValue("*types.Err", fields.message) : fields;
  }
  if (value === null) return new ForeignValue("structpb.NullValue", "NULL_VALUE", "0");
  if (isList(value)) return goList(value, isData);
  if (value instanceof CelMap) return new ForeignValue("map[ref.Val]ref.Val", mapText(value), mapSyntax(value));
  if (value instanceof Optional) return value.hasValue ? goValue(value.value, isData) : null;
  if (value instanceof Type) return formatValue(value);
  if (value instanceof Uint) return new ForeignValue("uint64", String(value.value), `0x${value.value.toString(16)}`);
  if (value instanceof Uint8Array) {
    const syntax = `[]uint8{${[...value].map((byte) => `0x${byte.toString(16)}`).join(", ")}}`;
    return new ForeignValue("[]uint8", `[${[...value].join(" ")}]`, syntax, value);
  }
  if (value instanceof Timestamp) return new ForeignValue("time.Time", formatValue(value), dateSyntax(value));
  if (value instanceof Duration) {
    const nanoseconds = String(BigInt(value.seconds) * 1_000_000_000n + BigInt(value.nanos));
    return new ForeignValue("time.Duration", formatValue(value), nanoseconds);
  }
  if (value instanceof Opaque)
    return new ForeignValue(GO_TYPES[value.type.name] ?? value.type.name, formatValue(value));
  return value;
}

/** A time in UTC as Go's syntax has it. */
function dateSyntax(value: Timestamp): string {
  const date = new Date(value.seconds * 1000);
  const month = date.toLocaleString("en", { month: "long", timeZone: "UTC" });
  const time = [date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), value.nanos];
  return `time.Date(${date.getUTCFullYear()}, time.${month}, ${time.join(", ")}, time.UTC)`;
}

/** `+` makes lists of Go values; literals and comprehensions make lists of CEL values, and some functions lists of strings. */
function goList(value: Value, isData: IsData): unknown {
  if (isNativeStrings(value)) return new ForeignValue("[]string", `[${listOf(value).join(" ")}]`, stringsSyntax(value));
  if (value instanceof ListValue) return listOf(value).map((item) => goValue(item, isData));
  if (isData(value as readonly unknown[])) return value;
  const items = listOf(value);
  return new ForeignValue(
    "[]ref.Val",
    `[${items.map((item) => formatValue(item)).join(" ")}]`,
    `[]ref.Val{${items.map(refSyntax).join(", ")}}`,
  );
}

/** `%v` of a Go map, by keys in order. */
function mapText(map: CelMap): string {
  const members = [...mapKeys(map)].map((key) => [formatValue(key), formatValue(mapFind(map, key))] as const);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${members.map(([key, item]) => `${key}:${item}`).join(" ")}]`;
}

function mapSyntax(map: CelMap): string {
  const members = [...mapKeys(map)].map((key) => [refSyntax(key), refSyntax(mapFind(map, key))] as const);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[ref.Val]ref.Val{${members.map(([key, item]) => `${key}:${item}`).join(", ")}}`;
}

const refSyntax = (value: Value): string => (typeof value === "string" ? quoteGo(value) : formatValue(value));

const stringsSyntax = (value: Value): string =>
  `[]string{${listOf(value)
    .map((item) => quoteGo(item as string))
    .join(", ")}}`;

/** `%q` and `%T` of a key that is no string: an integer is quoted as the character of that number. */
function keyText(key: Value): string {
  if (typeof key === "boolean") return `%!q(types.Bool=${key}) is of type types.Bool`;
  const number = key instanceof Uint ? key.value : (key as number | bigint);
  const character = number >= 0 && number <= 0x10ffff ? String.fromCodePoint(Number(number)) : "\ufffd";
  const quoted = character === "'" ? "\\'" : character === '"' ? '"' : quoteGo(character).slice(1, -1);
  return `'${quoted}' is of type types.${key instanceof Uint ? "Uint" : "Int"}`;
}

export function listOf(value: Value): readonly Value[] {
  if (!isList(value)) return [];
  const items = toArray(value);
  return isError(items) ? [] : (items as readonly Value[]);
}
