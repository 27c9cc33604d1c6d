// metadata.managedFields ↔ who owns which fields. A manager is identified by its name, operation and subresource, and by the version
// it wrote in unless it applied. Upstream: apimachinery pkg/util/managedfields/internal/managedfields.go.

import { compareStrings, quoteGo, quoteJson } from "@celadon/base";
import { Invalid, isInvalid } from "@celadon/kube/errors";
import { FieldSet } from "../fieldpath/field-set.ts";
import { readFieldsV1, writeFieldsV1 } from "../fieldpath/fields-v1.ts";
import { isMap, type JsonMap } from "../value/value.ts";

/** An entry of metadata.managedFields. */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: JsonMap;
  readonly subresource?: string;
}

export interface ManagerInfo {
  readonly manager: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string;
}

/** A manager, and the fields it owns. */
export interface Manager extends ManagerInfo {
  readonly set: FieldSet;
  readonly time?: string | undefined;
}

/** Managers by their identifiers. Never changed once it is handed out. */
export type Managers = ReadonlyMap<string, Manager>;

/** The identity of a manager, in the form by which the API server sorts. */
export function identifierOf({ manager, operation, apiVersion, subresource }: ManagerInfo): string {
  const name = manager === "" ? "" : `"manager":${quoteJson(manager)},`;
  const version = operation === "Apply" || apiVersion === "" ? "" : `,"apiVersion":${quoteJson(apiVersion)}`;
  const part = subresource === "" ? "" : `,"subresource":${quoteJson(subresource)}`;
  return `{${name}"operation":"${operation}"${version}${part}}`;
}

/** Reads metadata.managedFields. */
export function readManagedFields(entries: unknown): Managers | Invalid {
  const managers = new Map<string, Manager>();
  if (!Array.isArray(entries)) return managers;
  for (const [i, entry] of entries.entries()) {
    const known = isMap(entry) ? knownEntries.get(entry) : undefined;
    const read = known ?? readEntry(isMap(entry) ? entry : {}, i);
    if (isInvalid(read)) return read;
    if (isMap(entry)) knownEntries.set(entry, read);
    managers.set(identifierOf(read), read);
  }
  return managers;
}

/** Entries of stored objects come again and again; neither they nor managers are changed. */
const knownEntries = new WeakMap<object, Manager>();
const writtenEntries = new WeakMap<Manager, ManagedFieldsEntry>();

function readEntry(entry: ManagedFieldsEntry, index: number): Manager | Invalid {
  const { operation, fieldsType } = entry;
  if (operation !== "Apply" && operation !== "Update") return new Invalid("operation must be `Apply` or `Update`");
  const apiVersion = text(entry.apiVersion);
  if (apiVersion === "") return new Invalid("apiVersion must not be empty");
  if (fieldsType !== "FieldsV1") {
    return new Invalid(
      text(fieldsType) === ""
        ? `missing fieldsType in managed fields entry ${index}`
        : `invalid fieldsType ${quoteGo(text(fieldsType))} in managed fields entry ${index}`,
    );
  }
  const set = readFieldsV1(entry.fieldsV1);
  if (isInvalid(set)) return new Invalid(`error decoding versioned set: ${set.message}`);
  const time = text(entry.time);
  return {
    manager: text(entry.manager),
    operation,
    apiVersion,
    subresource: text(entry.subresource),
    set,
    ...(time !== "" && { time }),
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The entries in the API server's order; undefined if no field has an owner. */
export function writeManagedFields(managers: Managers): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(compareManagers).map((manager) => {
    let entry = writtenEntries.get(manager);
    if (entry === undefined) writtenEntries.set(manager, (entry = writeEntry(manager)));
    return entry;
  });
}

function writeEntry({ manager, operation, apiVersion, time, set, subresource }: Manager): ManagedFieldsEntry {
  const entry: { -readonly [field in keyof ManagedFieldsEntry]: ManagedFieldsEntry[field] } = {};
  if (manager !== "") entry.manager = manager;
  entry.operation = operation;
  entry.apiVersion = apiVersion;
  if (time !== undefined) entry.time = time;
  entry.fieldsType = "FieldsV1";
  entry.fieldsV1 = writeFieldsV1(set);
  if (subresource !== "") entry.subresource = subresource;
  return entry;
}

/** Applied before updated, older before newer, then by name. */
function compareManagers(a: Manager, b: Manager): number {
  return (
    compareStrings(a.operation, b.operation) ||
    secondsOf(a.time) - secondsOf(b.time) ||
    compareStrings(a.manager, b.manager) ||
    compareStrings(a.apiVersion, b.apiVersion) ||
    compareStrings(a.subresource, b.subresource)
  );
}

export function secondsOf(time: string | undefined): number {
  const milliseconds = time === undefined ? 0 : Date.parse(time);
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
}

/** Whether a client resets the list: it is empty, or has one empty entry. */
export function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false;
  if (entries.length === 0) return true;
  const [only] = entries;
  return entries.length === 1 && isMap(only) && Object.keys(only).length === 0;
}

/** Fields that no manager owns: they identify the object, or the server writes them. */
export const UNOWNED: FieldSet = FieldSet.of(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => ["f:metadata", `f:${name}`]),
);
