// A change of a resource, as data: a value to set at a path, or its removal. The resource itself is not modified.

import { isRecord, type JsonPath, setOwn } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import { withMember } from "../generate/plain.ts";

/** A value at a path of a resource. */
export interface Edit {
  /** Empty: the resource as a whole. */
  readonly path: JsonPath;
  /** Absent: the value is removed. */
  readonly value?: unknown;
}

/** Undefined when nothing is left. */
export function applyEdit(object: KubeObject, { path, value }: Edit): KubeObject | undefined {
  return edited(object, path, value) as KubeObject | undefined;
}

function edited(at: unknown, path: JsonPath, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(at)) {
    const i = Number(step);
    const now = edited(at[i], rest, value);
    return now === undefined ? at.toSpliced(i, 1) : at.with(i, now);
  }
  const object = isRecord(at) ? at : {};
  const name = String(step);
  const now = edited(Object.hasOwn(object, name) ? object[name] : undefined, rest, value);
  if (now === undefined || Object.hasOwn(object, name)) return withMember(object, name, now);
  const copy = { ...object };
  setOwn(copy, name, now);
  return copy;
}
