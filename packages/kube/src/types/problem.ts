// The errors of decoding, as data; the words are the API server's and are made here alone.

import { quoteGo } from "@celadon/base";
import { emulationOf } from "../emulation.ts";
import type { Minor } from "../versions.ts";
/** A name of a member, or an index. */
export type PathStep = string | number;

/** A field that the type does not have, or that is given twice: rejected if decoding is strict, otherwise a warning. */
export interface StrictFinding {
  readonly code: "unknown_field" | "duplicate_field";
  readonly path: readonly PathStep[];
  /** For an unknown field, the names that stand there. */
  readonly known?: readonly string[];
}

/** An error that ends decoding. A server reports the first one alone. */
export type DecodeError = WrongType | BadValue | UnknownKind | MissingKind;

/** A field of the wrong type. */
export interface WrongType {
  readonly code: "wrong_type";
  readonly path: readonly PathStep[];
  /** The kind of value that was found: `string`, `number`, `number 1.5`, `bool`, `array`, `object`. */
  readonly found: string;
  /** The Go type that was wanted. */
  readonly wanted: string;
  /** The struct with the field, and the names of fields that lead to it; absent for the whole object. */
  readonly struct?: string;
  readonly fields?: readonly string[];
  /** The Go kinds of a conversion, for a merged object. Absent for a type that reads itself. */
  readonly conversion?: { readonly from: string; readonly into: string };
}

/** A string that its type cannot parse: a quantity, a time, base64. The message contains no path. */
export interface BadValue {
  readonly code:
    | "invalid_quantity"
    | "invalid_time"
    | "invalid_base64"
    | "invalid_schema"
    | "not_json"
    | "not_convertible";
  readonly path: readonly PathStep[];
  readonly message: string;
}

/** A body of a kind that is not known. */
export interface UnknownKind {
  readonly code: "unknown_kind";
  readonly path: readonly PathStep[];
  readonly apiVersion: string;
  readonly kind: string;
  /** The server that does not know it. */
  readonly minor?: Minor | undefined;
}

export interface MissingKind {
  readonly code: "missing_kind" | "missing_version";
  readonly path: readonly PathStep[];
  readonly body: string;
}

/** A finding of strict decoding in the API server's words. */
export function strictText(finding: StrictFinding): string {
  const what = finding.code === "unknown_field" ? "unknown" : "duplicate";
  return `${what} field ${quoteGo(stepsText(finding.path))}`;
}

/** The line of the reference that reports a kind it does not know, which its message names. */
function schemeLine(minor: Minor | undefined): number {
  const by = emulationOf(minor);
  if (by.since(35)) return 111;
  return by.since(33) ? 110 : 100;
}

/** A decoding error in the API server's words. */
export function decodeErrorText(error: DecodeError): string {
  switch (error.code) {
    case "wrong_type": {
      const where =
        error.struct === undefined ? "value" : `struct field ${error.struct}.${(error.fields ?? []).join(".")}`;
      return `json: cannot unmarshal ${error.found} into Go ${where} of type ${error.wanted}`;
    }
    case "unknown_kind":
      if (error.apiVersion.split("/").length > 2) return `unexpected GroupVersion string: ${error.apiVersion}`;
      return `no kind ${quoteGo(error.kind)} is registered for version ${quoteGo(error.apiVersion.replace(/^\//, ""))} in scheme "pkg/runtime/scheme.go:${schemeLine(error.minor)}"`;
    case "missing_kind":
      return `Object 'Kind' is missing in '${error.body}'`;
    case "missing_version":
      return `Object 'apiVersion' is missing in '${error.body}'`;
    case "not_json":
      return `couldn't get version/kind; json parse error: ${error.message}`;
    default:
      return error.message;
  }
}

/** The same for an object that was merged and not read: its values are converted one by one, and none knows its place. */
export function conversionErrorText(error: DecodeError): string {
  switch (error.code) {
    case "wrong_type":
      return error.conversion === undefined
        ? `json: cannot unmarshal ${error.found} into Go value of type ${error.wanted}`
        : notConvertible(error.conversion, error.wanted);
    case "invalid_base64":
      return `error decoding from json: ${error.message}`;
    default:
      return decodeErrorText(error);
  }
}

function notConvertible({ from, into }: NonNullable<WrongType["conversion"]>, wanted: string): string {
  switch (into) {
    case "struct":
      return `cannot restore struct from: ${from}`;
    case "map":
    case "slice":
      return `cannot restore ${into} from ${from}`;
    default:
      // Go would convert an integer to the string of that code point; other pairs it does not know.
      return from === "int64" && into === "string" ? `cannot convert int64 to ${wanted}` : `unrecognized type: ${into}`;
  }
}

/** `spec.containers[0].image`. */
export function stepsText(path: readonly PathStep[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}
