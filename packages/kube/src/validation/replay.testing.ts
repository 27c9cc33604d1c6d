// Recorded requests through our own chain: the body decoded, defaults, the kind's rules; then compared with what the API
// server answered.

import { readdirSync, readFileSync } from "node:fs";
import { withServerDefaults } from "../defaults/index.ts";
import { parseGroupVersion } from "../gvk.ts";
import { isInvalid } from "../invalid.ts";
import type { KubeObject } from "../metadata.ts";
import { readDocument } from "../read/index.ts";
import type { Status, StatusCause } from "../status.ts";
import { withField } from "./fields-of.ts";
import { createObject, loadKindRules, type Outcome, updateObject } from "./index.ts";

interface PatchStep {
  readonly op: "add" | "remove" | "replace";
  readonly path: string;
  readonly value?: unknown;
}

export interface Row {
  readonly id: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly base?: string;
  readonly patch?: readonly PatchStep[];
  readonly object?: unknown;
  readonly raw?: string;
  readonly oldBase?: string;
  readonly oldPatch?: readonly PatchStep[];
  readonly subresource?: string;
  readonly op?: "create";
  readonly fieldValidation?: string;
  readonly keepResourceVersion?: boolean;
  readonly server?: string;
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly StatusCause[];
  readonly warnings?: readonly string[];
  readonly unordered?: boolean;
}

export interface Answer {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly causes?: readonly StatusCause[] | undefined;
  readonly warnings?: readonly string[] | undefined;
}

const folder = new URL("./testdata/", import.meta.url);
let bases: Readonly<Record<string, unknown>> | undefined;

export function recordedKinds(from: URL = folder): string[] {
  return readdirSync(from)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(".jsonl", ""))
    .sort();
}

export function recordedRows(kind: string, from: URL = folder): Row[] {
  return readFileSync(new URL(`${kind}.jsonl`, from), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

function baseOf(name: string, from: URL): unknown {
  bases ??= JSON.parse(readFileSync(new URL("bases.json", from), "utf8")) as Record<string, unknown>;
  return bases[name];
}

/** What our chain answers; undefined where no rules are there yet. */
export async function replay(row: Row, from: URL = folder): Promise<Answer | undefined> {
  const gv = parseGroupVersion(row.apiVersion);
  const rules = isInvalid(gv) ? undefined : await loadKindRules({ group: gv.group, kind: row.kind });
  if (rules === undefined) return undefined;
  const body = bodyOf(row.base, row.patch, row.object, row.raw, from);
  const object = named(decoded(body));
  const request = { namespace: rules.namespaced ? "default" : "" };
  if (row.oldBase === undefined && row.oldPatch === undefined) {
    return answerOf(createObject(rules, object, request), 201);
  }
  if (row.op === "create" || (row.subresource !== undefined && rules.subresources?.[row.subresource] === undefined)) {
    return undefined;
  }
  const old = stored(rules, decoded(bodyOf(row.oldBase, row.oldPatch, undefined, undefined, from)), request);
  const version = row.keepResourceVersion ? undefined : (object.metadata?.resourceVersion ?? "1");
  const sent = withField(object, ["metadata", "resourceVersion"], version);
  return answerOf(updateObject(rules, sent, old, request, row.subresource), 200);
}

const GENERATED = "zzzzz";

/** What a server generates: the name starts with what was asked for. */
function named(object: KubeObject): KubeObject {
  const { name, generateName } = object.metadata ?? {};
  return name || !generateName ? object : withField(object, ["metadata", "name"], `${generateName}${GENERATED}`);
}

// An object that was created, and whose status was then written.
function stored(rules: Parameters<typeof createObject>[0], object: KubeObject, request: { namespace: string }) {
  const ephemeral = (object["spec"] as { ephemeralContainers?: unknown } | undefined)?.ephemeralContainers;
  const made = createObject(rules, withField(object, ["spec", "ephemeralContainers"], undefined), request);
  if (made.object === undefined) throw new Error(`the old object is refused: ${made.refusal?.message}`);
  const metadata = { ...made.object.metadata, resourceVersion: "1", uid: "<uid>", creationTimestamp: "<now>" };
  const status = object["status"] === undefined ? {} : { status: object["status"] };
  const kept = { ...made.object, metadata, ...status };
  return ephemeral === undefined ? kept : withField(kept, ["spec", "ephemeralContainers"], ephemeral);
}

function decoded(text: string): KubeObject {
  const read = readDocument(text, { format: "json", duplicateKeys: "last" });
  if (!("value" in read)) throw new Error(JSON.stringify(read));
  return withServerDefaults(read.value) as KubeObject;
}

function answerOf(outcome: Outcome, code: number): Answer {
  const warnings = outcome.warnings.length === 0 ? undefined : outcome.warnings;
  const refusal: Status | undefined = outcome.refusal;
  if (refusal === undefined) return { code, warnings };
  const { reason, message, details } = refusal;
  return { code: refusal.code ?? 500, reason, message, causes: details?.causes, warnings };
}

function bodyOf(
  base: string | undefined,
  patch: readonly PatchStep[] | undefined,
  object: unknown,
  raw: string | undefined,
  from: URL,
): string {
  if (raw !== undefined) return raw;
  let body = structuredClone(object ?? baseOf(base ?? "", from));
  for (const step of patch ?? []) body = patched(body, step.path.split("/").slice(1).map(unescape), step);
  return JSON.stringify(expanded(body));
}

function unescape(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function patched(target: unknown, path: readonly string[], step: PatchStep): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return step.value;
  if (Array.isArray(target)) {
    const copy = [...(target as unknown[])];
    const i = first === "-" ? copy.length : Number(first);
    if (rest.length > 0) copy[i] = patched(copy[i], rest, step);
    else if (step.op === "add") copy.splice(i, 0, step.value);
    else if (step.op === "replace") copy[i] = step.value;
    else copy.splice(i, 1);
    return copy;
  }
  const copy = { ...(target as Record<string, unknown>) };
  if (rest.length > 0) copy[first] = patched(copy[first], rest, step);
  else if (step.op === "remove") delete copy[first];
  else Object.defineProperty(copy, first, { value: step.value, enumerable: true, writable: true, configurable: true });
  return copy;
}

/** `{"$repeat": [text, n, tail]}` and `{"$repeatItem": [item, n]}` written out. */
function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded);
  if (typeof value !== "object" || value === null) return value;
  const { $repeat: text, $repeatItem: item } = value as {
    $repeat?: [string, number, string?];
    $repeatItem?: [unknown, number];
  };
  if (text !== undefined) return text[0].repeat(text[1]) + (text[2] ?? "");
  if (item !== undefined) return Array.from({ length: item[1] }, () => expanded(item[0]));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, expanded(inner)]));
}

/** Whether two answers are the same; the first difference by name otherwise. */
export function difference(row: Row, answer: Answer): string | undefined {
  if (answer.code !== row.code) return "code";
  if ((answer.reason ?? "") !== (row.reason ?? "")) return "reason";
  const order = (texts: readonly string[]): readonly string[] => (row.unordered ? [...texts].sort() : texts);
  const causes = (list: readonly StatusCause[] | undefined): string =>
    order((list ?? []).map((cause) => JSON.stringify([cause.reason, cause.message, cause.field]))).join("\n");
  if (masked(causes(answer.causes)) !== masked(causes(row.causes))) return "causes";
  if (!row.unordered && masked(answer.message ?? "") !== masked(row.message ?? "")) return "message";
  if (order(answer.warnings ?? []).join("\n") !== order(row.warnings ?? []).join("\n")) return "warnings";
  return undefined;
}

// What is new each time.
function masked(text: string): string {
  return text.replaceAll(GENERATED, "<generated>");
}
