// Request bodies as values: JSON and YAML read without losing anything, protobuf through its messages.

import { compareStrings, isRecord } from "@celadon/base";
import { Double } from "@celadon/cel";
import { type ReadOptions, readDocument, readDocuments, readIssueText } from "@celadon/kube/read";
import { badRequest } from "@celadon/kube/status";
import type { BodyTarget } from "@celadon/kube/validation";
import { JSON_TYPE, PROTOBUF_TYPE, YAML_TYPE } from "../wire/accept.ts";
import { unsupportedMediaType } from "../wire/answers.ts";
import type { Sent } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";

export type BodyType = typeof JSON_TYPE | typeof YAML_TYPE | typeof PROTOBUF_TYPE;

const ACCEPTED = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE] as const;

/** The media type of the body; JSON by default. Throws a StatusError for unsupported types. */
export function bodyType(call: Sent): BodyType {
  const type = mediaType(call);
  if (type === "" || type === JSON_TYPE) return JSON_TYPE;
  if ((ACCEPTED as readonly string[]).includes(type)) return type as BodyType;
  throw new StatusError(unsupportedMediaType(ACCEPTED));
}

/** Without its parameters. */
export function mediaType(call: Sent): string {
  const header = call.header("content-type") ?? "";
  const end = header.indexOf(";");
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase();
}

const decoder = new TextDecoder("utf-8");
const exactDecoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function textOf(body: Uint8Array): string {
  return decoder.decode(body);
}

/** JSON has no byte order mark: it is kept, and reported as an error. */
export function jsonTextOf(body: Uint8Array): string {
  return exactDecoder.decode(body);
}

/** A body that cannot be read in its format. `found` is the kind it claims to have, if that could be read. */
export class UnreadableBody extends StatusError {
  readonly reason: string;
  readonly found: BodyTarget | undefined;

  constructor(reason: string, found?: BodyTarget) {
    super(badRequest(reason));
    this.reason = reason;
    this.found = found;
  }
}

/** The value of a JSON or YAML text. Throws an UnreadableBody. */
export function parseText(text: string, type: typeof JSON_TYPE | typeof YAML_TYPE): unknown {
  const format = type === JSON_TYPE ? "json" : "yaml";
  const read = readDocument(text, { ...READING, format, asBody: true, duplicateKeys: "last" });
  if ("value" in read) return read.value;
  throw new UnreadableBody(read[0] === undefined ? "the body is empty" : readIssueText(read[0]));
}

const READING: ReadOptions = { double: (n) => new Double(n), foldYamlDoubles: true };

/** The value of a YAML text, and which keys it has twice in one map, each in the words of Go's reader. */
export function parseStrictly(text: string): { readonly value: unknown; readonly repeated: readonly string[] } {
  const reading: ReadOptions = { ...READING, format: "yaml", asBody: true, duplicateKeys: "warn" };
  const { documents, issues, warnings } = readDocuments(text, reading);
  const repeated = warnings.flatMap(({ code, line, message }) =>
    code === "duplicate_key" ? `line ${line}: ${message}` : [],
  );
  const [document] = documents;
  const value =
    document === undefined || documents.length > 1 || issues.length > 0 ? parseText(text, YAML_TYPE) : document.value;
  return { value: sortedKeys(value), repeated };
}

/** YAML becomes JSON with its keys in order before it is read. Objects with sorted keys are not copied. */
export function sortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(sortedKeys);
    return items.some((item, i) => item !== value[i]) ? items : value;
  }
  return isRecord(value) && !(value instanceof Double) ? sortedMembers(value) : value;
}

function sortedMembers(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let isInOrder = true;
  let before = "";
  let members: [string, unknown][] | undefined;
  const keys = Object.keys(value);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!;
    if (i > 0 && compareStrings(before, key) > 0) isInOrder = false;
    before = key;
    const member = value[key];
    const sorted = sortedKeys(member);
    if (sorted !== member) members ??= keys.slice(0, i).map((earlier) => [earlier, value[earlier]]);
    members?.push([key, sorted]);
  }
  if (isInOrder && members === undefined) return value;
  members ??= Object.entries(value);
  return Object.fromEntries(isInOrder ? members : members.sort(([a], [b]) => compareStrings(a, b)));
}
