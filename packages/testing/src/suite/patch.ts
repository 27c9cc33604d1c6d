// Changes of an object: a JSON merge patch (RFC 7386) written as an object, or a JSON patch (RFC 6902) written as a list. The
// object itself stays as it is.

import { isRecord } from "@celadon/base";
import { Invalid, isInvalid } from "@celadon/kube/errors";
import { applyJsonPatch, applyMergePatch, readJsonPatch } from "@celadon/merge";
import type { Patch } from "./read/document.ts";

/** The changed object, or why the patch does not apply. */
export function patched(object: unknown, patch: Patch): unknown {
  if (!Array.isArray(patch)) return applyMergePatch(isRecord(object) ? object : {}, patch);
  const operations = readJsonPatch(patch);
  if (isInvalid(operations)) return operations;
  return operations.length === 0 ? new Invalid("the patch has no operations") : applyJsonPatch(object, operations);
}
