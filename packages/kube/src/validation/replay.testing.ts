// Recorded requests through our own chain: the body decoded, defaults, the kind's rules; then compared with the API server's answer.

import { readdirSync, readFileSync } from "node:fs";
import {
  askFor,
  createObject,
  type Sent,
  updateObject,
  updateScale,
  type Written,
} from "../../../write/src/requests.testing.ts";
import { apiVersionOf, type GroupVersionKind, gvkOf, parseGroupVersion } from "../gvk.ts";
import { isInvalid } from "../invalid.ts";
import type { KubeObject } from "../metadata.ts";
import type { Status, StatusCause } from "../status.ts";
import { servedKind, typeOfKind } from "../types/index.ts";
import { CURRENT, type Minor } from "../versions.ts";
import { imaginaryNetwork } from "./core/service/network.ts";
import { withField } from "./fields-of.ts";
import { deprecationOf, loadActionRules, loadKindRules } from "./index.ts";
import { readBody } from "./read-body.ts";

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
  /** The old object was only created: its status was not written. */
  readonly oldHasNoStatus?: boolean;
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

export const folder: URL = new URL("./testdata/", import.meta.url);
let bases: Readonly<Record<string, unknown>> | undefined;

export function recordedKinds(from: URL = folder): string[] {
  return readdirSync(from)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(".jsonl", ""))
    .sort();
}

/** A stored row: scripts/pack-recordings.mjs describes the parts that are left out. */
export type PackedRow = Omit<Row, "causes"> & {
  readonly invalid?: string;
  readonly causes?: readonly (readonly [string, string, string])[];
};

export function recordedRows(kind: string, from: URL = folder): Row[] {
  const [file, ...rows] = readFileSync(new URL(`${kind}.jsonl`, from), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as PackedRow);
  return rows.map((row) => unpacked({ ...file!, ...row }));
}

export function unpacked(packed: PackedRow): Row {
  const { invalid, causes: list, ...row } = packed;
  const causes = list?.map(([reason, field, message]) => ({ reason, field, message }));
  if (invalid === undefined) return causes === undefined ? row : { ...row, causes };
  const texts = [...new Set(causes!.map((cause) => `${cause.field}: ${cause.message}`))];
  const made = texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
  return { ...row, reason: "Invalid", message: `${invalid} is invalid: ${made}`, causes: causes! };
}

function baseOf(name: string, from: URL): unknown {
  bases ??= JSON.parse(readFileSync(new URL("bases.json", from), "utf8")) as Record<string, unknown>;
  return bases[name];
}

/** The answer of our chain; undefined for kinds without rules. */
export async function replay(row: Row, from: URL = folder, minor: Minor = CURRENT): Promise<Answer | undefined> {
  const gv = parseGroupVersion(row.apiVersion);
  if (isInvalid(gv)) return undefined;
  if (typeOfKind(row.apiVersion, row.kind, minor) === undefined) return { code: 404, message: "not served" };
  const kind = { ...gv, kind: row.kind };
  const rules = await loadKindRules(kind);
  const action = rules === undefined ? kind : actionOf(row);
  if (action !== undefined) return replayAction(row, rules !== undefined, action, from, minor);
  if (rules === undefined) return undefined;
  const body = bodyOf(row.base, row.patch, row.object, row.raw, from);
  const isUpdate = row.oldBase !== undefined || row.oldPatch !== undefined;
  const read = readBody(body, row, row.fieldValidation, isUpdate ? "UpdateOptions" : "CreateOptions", minor);
  const deprecation = deprecationOf(row.apiVersion, row.kind, minor);
  const first = deprecation === undefined ? read.warnings : [deprecation, ...read.warnings];
  const answer = (outcome: Written, code: number): Answer => answerOf(outcome, code, first);
  if (read.object === undefined) return answer({ refusal: read.refusal!, warnings: [] }, 0);
  const ranges = row.server === "dual-stack" ? ["10.0.0.0/16", "fd00:10::/108"] : ["10.0.0.0/16"];
  const namespace = rules.namespaced ? "default" : "";
  const request = { minor, namespace, uid: UID, now: NOW, services: imaginaryNetwork(ranges, true) };
  if (!isUpdate) return answer(await createObject(read.object, request), 201);
  if (row.subresource !== undefined && rules.subresources?.[row.subresource] === undefined) return undefined;
  const old = await oldObject(row, { ...request, services: imaginaryNetwork(ranges, true) }, from);
  const version = row.keepResourceVersion
    ? undefined
    : (read.object.metadata?.resourceVersion ?? (row.oldHasNoStatus ? "2" : "1"));
  const sent = withField(read.object, ["metadata", "resourceVersion"], version);
  return answer(await updateObject(sent, old, request, row.subresource), 200);
}

/** The kind that a subresource takes, where it is another one. */
function actionOf({ apiVersion, kind, subresource }: Row): GroupVersionKind | undefined {
  const found = servedKind(apiVersion, kind)?.subresources.find(({ name }) => name === subresource);
  return found === undefined || found.kind === kind ? undefined : gvkOf(found);
}

/** Replays an action that is not stored: by itself, or on an existing object. */
async function replayAction(
  row: Row,
  isOfObject: boolean,
  action: GroupVersionKind,
  from: URL,
  minor: Minor,
): Promise<Answer | undefined> {
  if ((await loadActionRules(action)) === undefined) return undefined;
  const target = { apiVersion: apiVersionOf(action), kind: action.kind };
  const isUpdate = action.kind === "Scale";
  const body = bodyOf(row.base, row.patch, row.object, row.raw, from);
  const read = readBody(body, target, row.fieldValidation, isUpdate ? "UpdateOptions" : "CreateOptions", minor);
  const answer = (outcome: Written): Answer => answerOf(outcome, isUpdate ? 200 : 201, read.warnings);
  if (read.object === undefined) return answer({ refusal: read.refusal!, warnings: [] });
  const request = { minor, namespace: IN_NO_NAMESPACE.has(action.kind) ? "" : "default", uid: UID, now: NOW };
  if (!isOfObject) return answer(await askFor(managed(read.object), request));
  const old = await oldObject(row, request, from);
  if (isUpdate) return answer(await updateScale(read.object, old, request));
  return answer(await askFor(read.object, request, old.metadata?.name ?? ""));
}

const IN_NO_NAMESPACE = new Set(["SubjectAccessReview", "SelfSubjectAccessReview", "TokenReview"]);

/** The server notes who wrote which fields before it looks at a review. */
function managed(object: KubeObject): KubeObject {
  const { apiVersion, metadata, spec } = object;
  const own = { manager: "unknown", operation: "Update", apiVersion, time: NOW, fieldsType: "FieldsV1" };
  const fields = fieldSet(spec);
  if (Object.keys(fields).length === 0) return object;
  const fieldsV1 = { "f:spec": fields };
  return { ...object, metadata: { ...metadata, managedFields: [{ ...own, fieldsV1 }] } } as KubeObject;
}

function fieldSet(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]): [string, unknown] => {
      const set = fieldSet(inner);
      return [`f:${name}`, Object.keys(set).length > 0 ? { ".": {}, ...set } : set];
    });
  return Object.fromEntries(fields);
}

async function oldObject(row: Row, request: Sent, from: URL): Promise<KubeObject> {
  const before = readBody(
    bodyOf(row.oldBase, row.oldPatch, undefined, undefined, from),
    row,
    "Warn",
    "CreateOptions",
    request.minor,
  ).object;
  if (before === undefined) throw new Error("the old object is refused");
  return row.oldHasNoStatus ? createdOnly(before, request, "2") : stored(before, request);
}

const UID = "5f0a4c1e-7a57-4f0f-9d0c-2b8f5f3f2f10";
const NOW = "2026-01-01T00:00:00Z";
const GENERATED = "zzzzz";

async function createdOnly(object: KubeObject, request: Sent, version = "1"): Promise<KubeObject> {
  const made = await createObject(object, request);
  if (made.object === undefined) throw new Error(`the old object is refused: ${made.refusal?.message}`);
  return { ...made.object, metadata: { ...made.object.metadata, resourceVersion: version } };
}

// An object that was created, and whose status was then written.
async function stored(object: KubeObject, request: Sent): Promise<KubeObject> {
  const ephemeral = (object.spec as { ephemeralContainers?: unknown } | undefined)?.ephemeralContainers;
  const created = await createdOnly(withField(object, ["spec", "ephemeralContainers"], undefined), request);
  const { status } = object;
  const hasStatus = typeof status === "object" && status !== null && Object.keys(status).length > 0;
  const rules = hasStatus ? await loadKindRules(gvkOf(object)) : undefined;
  const kept = rules?.subresources?.status ? await withStatus(created, status, request) : created;
  return ephemeral === undefined ? kept : withField(kept, ["spec", "ephemeralContainers"], ephemeral);
}

async function withStatus(object: KubeObject, status: unknown, request: Sent): Promise<KubeObject> {
  const updated = await updateObject({ ...object, status } as KubeObject, object, request, "status");
  if (updated.object === undefined) throw new Error(`the old status is refused: ${updated.refusal?.message}`);
  return updated.object;
}

function answerOf(outcome: Written, code: number, first: readonly string[]): Answer {
  const texts = [...first, ...outcome.warnings.map(({ text }) => text)];
  const warnings = texts.length === 0 ? undefined : texts;
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
  for (const step of patch ?? []) body = patched(body, step.path.split("/").slice(1).map(unescaped), step);
  return JSON.stringify(expanded(body));
}

function unescaped(step: string): string {
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

const TIMES = /20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

// Masks values that are new each time.
export function masked(text: string): string {
  return text
    .replaceAll(GENERATED, "<generated>")
    .replace(/0x[0-9a-f]{6,}|<pointer>/g, "<pointer>")
    .replaceAll(UID, "<uid>")
    .replaceAll(NOW, "<now>")
    .replace(TIMES, "<now>");
}
