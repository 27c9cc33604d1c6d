// The body of a JSON, merge or strategic patch as a value; errors are those of the API server's decoders. JSON and merge patches are read
// twice there: by its own decoder, unless fields are not validated, and by the library that applies them.

import { quoteGo } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { goJsonError } from "@celadon/kube/read";
import { badRequest, requestEntityTooLarge } from "@celadon/kube/status";
import { jsonType } from "@celadon/kube/types";
import { JSON_PATCH_LIMIT, type PatchOperation, readJsonPatch } from "@celadon/merge";
import { parseText } from "../codec/body.ts";
import { repeatedFields } from "../codec/repeated-fields.ts";
import type { FieldValidation } from "../codec/write-options.ts";
import { JSON_TYPE } from "../wire/accept.ts";
import { StatusError } from "../wire/status-error.ts";

export interface PatchBody<T> {
  readonly value: T;
  /** The findings of strict decoding in the patch itself. */
  readonly strict: readonly string[];
}

export function readOperations(text: string, validation: FieldValidation): PatchBody<readonly PatchOperation[]> {
  const isRead = validation !== "Ignore";
  const value = parse(text, isRead ? DECODING : "");
  if (isRead) refuseOperations(value);
  const operations = readJsonPatch(value, text);
  if (operations instanceof Invalid) throw new StatusError(badRequest(operations.message));
  if (operations.length > JSON_PATCH_LIMIT) {
    const problem = `The allowed maximum operations in a JSON patch is ${JSON_PATCH_LIMIT}, got ${operations.length}`;
    throw new StatusError(requestEntityTooLarge(problem));
  }
  const strict = isRead
    ? [...duplicates(text), ...unknownMembers(operations)].map((found) => `json patch ${found}`)
    : [];
  return { value: operations, strict };
}

/** Anything but a map is a patch only for the library, which has its own opinion of it. */
export function readMergePatch(text: string, validation: FieldValidation): PatchBody<unknown> {
  if (validation !== "Ignore") {
    const value = parse(text, DECODING);
    if (!isMap(value)) throw undecodable(value, "map[string]interface {}", DECODING);
    return { value, strict: duplicates(text) };
  }
  if (goJsonError(text) !== undefined) throw new StatusError(badRequest("Invalid JSON Patch"));
  return { value: parse(text, ""), strict: [] };
}

export function readStrategicPatch(text: string, validation: FieldValidation): PatchBody<Record<string, unknown>> {
  const value = parse(text, "");
  if (!isMap(value)) throw undecodable(value, "map[string]interface {}", "");
  return { value: value ?? {}, strict: validation === "Ignore" ? [] : duplicates(text) };
}

const DECODING = "error decoding patch: ";

function parse(text: string, prefix: string): unknown {
  try {
    return parseText(text, JSON_TYPE);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new StatusError(badRequest(`${prefix}${goJsonError(text) ?? error.status.message}`));
  }
}

/** Or null, which is an empty one. */
function isMap(value: unknown): value is Record<string, unknown> | null {
  return value === null || jsonType(value) === "object";
}

const MEMBERS: readonly string[] = ["op", "path", "from", "value"];

function refuseOperations(value: unknown): void {
  if (value === null) return;
  if (!Array.isArray(value)) throw undecodable(value, "[]handlers.jsonPatchOp", DECODING);
  for (const operation of value) {
    if (!isMap(operation)) throw undecodable(operation, "handlers.jsonPatchOp", DECODING);
    for (const [member, given] of Object.entries(operation ?? {})) {
      if (member === "value" || !MEMBERS.includes(member) || given === null || typeof given === "string") continue;
      const problem = `json: cannot unmarshal ${jsonType(given)} into Go struct field jsonPatchOp.${member} of type string`;
      throw new StatusError(badRequest(`${DECODING}${problem}`));
    }
  }
}

function unknownMembers(operations: readonly PatchOperation[]): readonly string[] {
  return operations.flatMap((operation, i) =>
    Object.keys(operation)
      .filter((member) => !MEMBERS.includes(member))
      .map((member) => `unknown field ${quoteGo(`[${i}].${member}`)}`),
  );
}

/** The last of several fields with the same name counts, unless that is too loose for the client. */
function duplicates(text: string): readonly string[] {
  return repeatedFields(text).map((path) => `duplicate field ${quoteGo(path)}`);
}

function undecodable(value: unknown, type: string, prefix: string): StatusError {
  return new StatusError(
    badRequest(`${prefix}json: cannot unmarshal ${jsonType(value)} into Go value of type ${type}`),
  );
}
