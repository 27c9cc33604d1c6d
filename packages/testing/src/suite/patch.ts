// Changes of an object: a JSON merge patch (RFC 7386) written as an object, or a JSON patch (RFC 6902) written as a list. The
// object itself stays as it is.

import { applyPatch, readPatch } from "@celadon/admission/webhook";
import { isRecord } from "@celadon/base";
import { Invalid, isInvalid } from "@celadon/kube";
import type { Patch } from "./document.ts";

/** The changed object, or why the patch does not apply. */
export function patched(object: unknown, patch: Patch): unknown {
  if (!Array.isArray(patch)) return mergePatch(object, patch);
  const operations = readPatch(patch);
  if (isInvalid(operations)) return operations;
  return operations.length === 0 ? new Invalid("the patch has no operations") : applyPatch(object, operations);
}

/** Null removes a field; lists are replaced as a whole. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result = new Map(isRecord(target) ? Object.entries(target) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, mergePatch(result.get(key), value));
  }
  return Object.fromEntries(result);
}
