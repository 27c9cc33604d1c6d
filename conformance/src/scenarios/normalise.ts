// Answers in their recorded form: without values that differ each time.

import type { Answer } from "./call.ts";
import { isStatus } from "./call.ts";
import { fieldAt, isObject } from "./json.ts";
import type { RecordedResult, Recording } from "./scenario.ts";

const DROPPED_METADATA = new Set(["uid", "resourceVersion", "creationTimestamp", "managedFields", "selfLink"]);
const DROPPED = new Set(["lastTransitionTime", "lastUpdateTime", "heartbeatTime"]);
const SELF_TYPE = /\bselfType\d+\b/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
/** Their status is written by controllers meanwhile. */
const WITHOUT_STATUS = new Set(["CustomResourceDefinition", "ValidatingAdmissionPolicy"]);

export function recordedForm(answer: Answer, recording: Recording, whole: boolean): RecordedResult {
  const masks = (recording.mask ?? []).map((mask) => new RegExp(mask, "g"));
  const shown = (value: unknown, key?: string): unknown => normalise(value, masks, key);
  const result: Record<string, unknown> = { code: answer.code };
  const { body } = answer;
  if (isStatus(body)) {
    for (const key of ["status", "reason", "message"] as const) if (body[key]) result[key] = shown(body[key]);
    const { causes, uid: _, ...details } = body.details ?? {};
    if (Object.keys(details).length > 0) result.details = shown(details);
    if (causes && causes.length > 0) result.causes = shown(causes);
  } else if (isObject(body)) {
    if (recording.fields) {
      result.fields = Object.fromEntries(
        recording.fields.map((path) => [path, shown(fieldAt(body, path), lastPart(path))]),
      );
    } else if (whole || recording.full) {
      const { status, ...rest } = body;
      result.object = shown(WITHOUT_STATUS.has(String(body.kind)) || status === undefined ? rest : body);
    }
  } else if (answer.text !== undefined) result.text = shown(answer.text.trim());
  if (answer.warnings.length > 0) result.warnings = shown(answer.warnings);
  if (Object.keys(answer.auditAnnotations).length > 0) result.auditAnnotations = shown(answer.auditAnnotations);
  return result as unknown as RecordedResult;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

export function normalise(value: unknown, masks: readonly RegExp[], key?: string): unknown {
  if (typeof value === "string") return text(value, masks);
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map((item) => normalise(item, masks));
  if (!isObject(value)) return value;
  if ("value" in value && typeof value.valueOf() === "number") return value.valueOf();
  const found: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value)) {
    if (DROPPED.has(name) || (key === "metadata" && DROPPED_METADATA.has(name))) continue;
    if (name === "caBundle") found[name] = "<caBundle>";
    else if (key === "metadata" && name === "deletionTimestamp") found[name] = "<timestamp>";
    else found[name] = normalise(item, masks, name);
  }
  return found;
}

function text(value: string, masks: readonly RegExp[]): string {
  const plain = value.replace(UUID, "<uuid>").replace(SELF_TYPE, "selfType<n>");
  return masks.reduce((shown, mask) => shown.replace(mask, "<masked>"), plain);
}
