// Scenarios: steps sent to an API server (`<group>/<name>.yaml`) and what kube-apiserver v1.36.4 answered (`<name>.json`).

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Double } from "@celadon/cel";
import { parse as parseYaml, type ScalarTag, type Tags } from "yaml";
import type { Json, JsonObject } from "./json.ts";

export interface Scenario {
  /** `<group>/<name>`. */
  readonly name: string;
  readonly description: string;
  readonly requires: readonly string[];
  readonly steps: readonly Step[];
  readonly recorded: ReadonlyMap<string, RecordedStep>;
}

/** The place of an object: a manifest, or its coordinates. */
export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly resource?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

export interface RequestStep {
  readonly as?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, string | readonly string[]>>;
  readonly operation: "CREATE" | "UPDATE" | "PATCH" | "DELETE" | "DELETECOLLECTION" | "CONNECT" | "GET";
  readonly dryRun?: boolean;
  readonly manifest?: JsonObject;
  readonly ref?: Ref;
  readonly patch?: Json;
  readonly patchType?: PatchType;
  readonly subresource?: string;
  readonly options?: JsonObject;
  readonly query?: Readonly<Record<string, Json>>;
  readonly labelSelector?: string;
  readonly keepResourceVersion?: boolean;
  readonly body?: string;
}

export type PatchType = "merge" | "strategic" | "json" | "apply";

export interface WebhookStep {
  readonly name: string;
  readonly response?: JsonObject;
  readonly record?: readonly string[];
}

/** The settings for recording and comparing a step's answer. */
export interface Recording {
  readonly fields?: readonly string[];
  readonly full?: boolean;
  readonly unordered?: boolean;
  readonly mask?: readonly string[];
}

export type Step = { readonly id: string; readonly recording: Recording } & (
  | { readonly kind: "apply"; readonly manifest: JsonObject }
  | { readonly kind: "request"; readonly request: RequestStep }
  | { readonly kind: "delete"; readonly ref: Ref }
  | { readonly kind: "read"; readonly ref: Ref }
  | { readonly kind: "webhook"; readonly webhook: WebhookStep }
);

export interface RecordedStep {
  readonly id: string;
  readonly step: string;
  readonly unordered?: boolean;
  readonly result: RecordedResult;
}

export interface RecordedResult {
  readonly code: number;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: JsonObject;
  readonly causes?: readonly Json[];
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly fields?: JsonObject;
  readonly object?: Json;
  readonly text?: string;
  readonly webhooks?: JsonObject;
  readonly webhookRequests?: readonly Json[];
}

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../scenarios");

/** All scenarios of a group, by name. */
export function loadScenarios(group: string): Scenario[] {
  const names = readdirSync(join(ROOT, group))
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length))
    .sort();
  return names.map((name) => loadScenario(`${group}/${name}`));
}

export function loadScenario(name: string): Scenario {
  const data = parse(join(ROOT, `${name}.yaml`)) as JsonObject;
  // The recordings are compared as plain JSON: there a whole number is a number, however it was written.
  const recorded = JSON.parse(readFileSync(join(ROOT, `${name}.json`), "utf8")) as { steps?: RecordedStep[] };
  return {
    name,
    description: String(data.description ?? ""),
    requires: (data.requires ?? []) as string[],
    steps: ((data.steps ?? []) as JsonObject[]).map(toStep),
    recorded: new Map((recorded.steps ?? []).map((step) => [step.id, step])),
  };
}

function parse(file: string): unknown {
  // Scenarios are YAML 1.2: they were not recorded with kubectl's own reading, where `n` is false. A number with an exponent has a point
  // there and a sign; `1e300` is a text.
  const customTags = (tags: Tags): Tags => tags.map((tag) => (isExponent(tag) ? { ...tag, test: EXPONENT } : tag));
  return numbered(parseYaml(readFileSync(file, "utf8"), { intAsBigInt: true, uniqueKeys: false, customTags }));
}

function isExponent(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === "object" && !Array.isArray(tag) && "format" in tag && tag.format === "EXP";
}

const EXPONENT = /^[-+]?[0-9]+\.[0-9]*[eE][-+][0-9]+$/;

// `1` is an integer and `1.0` a double, as in the JSON that was sent.
function numbered(value: unknown): unknown {
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? new Double(value) : value;
  if (Array.isArray(value)) return value.map(numbered);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, numbered(item)]));
}

const KINDS = ["apply", "request", "delete", "read", "webhook"] as const;

function toStep(step: JsonObject, number: number): Step {
  const kind = KINDS.find((key) => Object.hasOwn(step, key));
  if (kind === undefined) throw new Error(`step ${number} is of no known kind`);
  const body = step[kind] as JsonObject;
  const named = kind === "request" || kind === "read" || kind === "delete" ? body.id : undefined;
  const id = String(named ?? step.id ?? `${kind}-${number}`);
  const options = kind === "request" || kind === "read" ? { ...body, ...step } : step;
  const recording = pick(options, ["fields", "full", "unordered", "mask"]) as Recording;
  switch (kind) {
    case "apply":
      return { id, recording, kind, manifest: body };
    case "request":
      return { id, recording, kind, request: body as unknown as RequestStep };
    case "delete":
    case "read":
      return { id, recording, kind, ref: body as unknown as Ref };
    case "webhook":
      return { id, recording, kind, webhook: body as unknown as WebhookStep };
  }
}

function pick(from: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.filter((key) => from[key] !== undefined).map((key) => [key, from[key]!]));
}
