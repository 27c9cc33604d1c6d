// The body of a request → its kind, and the object passed through the type of that kind, as the API server's serializer does it.

import { readJsonBody } from "../read/json/json-body.ts";
import { RepeatedMembers } from "../read/json/raw-json.ts";
import { decode } from "./decode.ts";
import type { Decoded, DecodeKind, DecodeOptions } from "./decode-options.ts";
import { isMembers } from "./json-type.ts";
import type { DecodeError, StrictFinding } from "./problem.ts";

/** A decoded body with the kind it names. */
export interface DecodedBody extends Decoded {
  /** The kind that the body states, completed from the expected one. */
  readonly kind: DecodeKind;
}

/** Passes a JSON body through the type of its kind. If it does not name its kind, `expected` counts. */
export function decodeBody(text: string, expected: Partial<DecodeKind> = {}, options: DecodeOptions = {}): DecodedBody {
  const read = readJsonBody(text);
  if (read.error !== undefined) return refused(NO_KIND, { code: "not_json", path: [], message: read.error });
  const body = { value: read.value ?? {} };
  const found = { apiVersion: textOf(body.value, "apiVersion"), kind: textOf(body.value, "kind") };
  const apiVersion = found.apiVersion || expected.apiVersion || "";
  const kind = found.kind || expected.kind || "";
  const of = { apiVersion, kind };
  if (kind === "") return refused(of, { code: "missing_kind", path: ["kind"], body: text });
  if (apiVersion === "") return refused(of, { code: "missing_version", path: ["apiVersion"], body: text });
  const decoded = decode(of, body.value, options);
  return decoded === undefined
    ? refused(of, { code: "unknown_kind", path: ["kind"], apiVersion, kind, minor: options.minor })
    : { ...decoded, kind: of };
}

const NO_KIND: DecodeKind = { apiVersion: "", kind: "" };
const NONE: readonly StrictFinding[] = [];

function refused(kind: DecodeKind, error: DecodeError): DecodedBody {
  return { kind, object: undefined, strict: NONE, error, errors: [error] };
}

// Version and kind are found in any case of their names, and the last one counts.
function textOf(body: unknown, name: string): string {
  if (!isMembers(body)) return "";
  const entries = body instanceof RepeatedMembers ? body.entries : Object.entries(body);
  let found = "";
  for (const [key, value] of entries) {
    if (key.toLowerCase() === name.toLowerCase() && typeof value === "string") found = value;
  }
  return found;
}
