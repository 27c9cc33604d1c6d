// The body of a create or update → the object for the kind's rules: decoded through its Go type, with defaults. Findings of strict decoding
// are warned about, refused or ignored, as the request says.

import { encodeUtf8, quoteGo } from "@celadon/base";
import { receiveBody } from "../defaults/index.ts";
import { notSupported } from "../field-error.ts";
import { parseGroupVersion } from "../gvk.ts";
import { isInvalid } from "../invalid.ts";
import type { KubeObject } from "../metadata.ts";
import { badRequest, invalidObject, type Status } from "../status.ts";
import { type DecodedBody, decodeErrorText, strictText } from "../types/index.ts";
import { isRegistered } from "../types/registered.ts";
import type { Minor } from "../versions.ts";

/** The expected body, by the URL of a request. */
export interface BodyTarget {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The object of a request's body, or the answer that rejects it. */
export interface Body {
  /** Absent if the body was refused. */
  readonly object?: KubeObject;
  readonly refusal?: Status;
  readonly warnings: readonly string[];
}

const DIRECTIVES: readonly string[] = ["", "Ignore", "Strict", "Warn"];
const MAX_SUMMARY = 30;

/** Reads the body of a request as the API server does, with defaults. */
export function readBody(
  text: string,
  target: BodyTarget,
  fieldValidation = "Warn",
  options = "CreateOptions",
  minor?: Minor,
): Body {
  if (!DIRECTIVES.includes(fieldValidation)) {
    const error = notSupported("fieldValidation", fieldValidation, DIRECTIVES);
    return { refusal: invalidObject({ group: "meta.k8s.io", kind: options }, "", [error]), warnings: [] };
  }
  const body = receiveBody(text, target, minor);
  const { refusal, warnings } = bodyRefusal(text, target, body, fieldValidation);
  return refusal === undefined ? { object: body.object as KubeObject, warnings } : { refusal, warnings };
}

/** The message of strict decoding about repeated keys in a YAML document. */
export function repeatedKeysText(lines: readonly string[]): string {
  return `yaml: unmarshal errors:${lines.map((line) => `\n  ${line}`).join("")}`;
}

/**
 * The answer to a body that is no object of the target's kind, and what strict decoding found in it. `repeated` says which keys a YAML
 * document has twice.
 */
export function bodyRefusal(
  text: string,
  target: BodyTarget,
  body: DecodedBody,
  fieldValidation: string,
  repeated: readonly string[] = [],
): { readonly refusal?: Status; readonly warnings: readonly string[] } {
  const refused = (problem: string) => ({
    refusal: badRequest(unusable(text, target, body.kind, problem)),
    warnings: [],
  });
  const unread = kindProblem(body);
  if (unread !== undefined) return { refusal: badRequest(unrecognized(text, target, unread)), warnings: [] };
  const unexpected = `the API version in the data (${body.kind.apiVersion}) does not match the expected API version (${target.apiVersion})`;
  if (body.error !== undefined) {
    return isOtherVersion(body, target)
      ? { refusal: badRequest(unexpected), warnings: [] }
      : refused(decodeErrorText(body.error));
  }
  if (body.kind.kind !== target.kind || groupOf(body.kind.apiVersion) !== groupOf(target.apiVersion)) {
    return refused(`converting (${goType(body.kind)}) to (${internalType(target)}): unknown conversion`);
  }
  const number = annotatedNumberProblem(body);
  if (number !== undefined) return refused(number);
  const findings = fieldValidation === "Ignore" ? [] : [...repeated, ...body.strict.map(strictText)];
  if (fieldValidation === "Strict" && findings.length > 0) {
    const keys = repeated.length === 0 ? [] : [repeatedKeysText(repeated)];
    return refused(`strict decoding error: ${[...keys, ...body.strict.map(strictText)].join(", ")}`);
  }
  const isExpected = body.kind.apiVersion === target.apiVersion || isOldEviction(body.kind);
  return isExpected ? { warnings: findings } : { refusal: badRequest(unexpected), warnings: findings };
}

/** Evictions are accepted in the version that they had before. */
const isOldEviction = ({ apiVersion, kind }: BodyTarget): boolean =>
  apiVersion === "policy/v1beta1" && kind === "Eviction";

/** Groups that kinds came from. */
const FORMER_GROUP: Readonly<Record<string, string>> = { apps: "extensions", "networking.k8s.io": "extensions" };

/** Whether a body has the expected kind in a version that the scheme knows and the server does not serve. */
function isOtherVersion({ error, kind: { apiVersion, kind } }: DecodedBody, target: BodyTarget): boolean {
  if (error?.code !== "unknown_kind" || kind !== target.kind) return false;
  const [group, own] = [groupOf(apiVersion), groupOf(target.apiVersion)];
  return (group === own || group === FORMER_GROUP[own]) && isRegistered(apiVersion, kind, error.minor);
}

/** Annotations that hold a field of an older version, a number. */
const ANNOTATED_NUMBERS: Readonly<Record<string, string>> = {
  "apps/v1/DaemonSet": "deprecated.daemonset.template.generation",
  "apps/v1/Deployment": "deprecated.deployment.rollback.to",
};

/** Why the number that an annotation holds cannot be read. */
function annotatedNumberProblem({ kind, object }: DecodedBody): string | undefined {
  const { annotations } = (object?.metadata ?? {}) as { annotations?: Readonly<Record<string, string>> };
  const name = ANNOTATED_NUMBERS[`${kind.apiVersion}/${kind.kind}`];
  if (annotations === undefined || name === undefined || !Object.hasOwn(annotations, name)) return undefined;
  const text = annotations[name]!;
  if (/^[+-]?[0-9]+$/.test(text)) {
    const number = BigInt(text.replace("+", ""));
    if (BigInt.asIntN(64, number) === number) return undefined;
    return `strconv.ParseInt: parsing ${quoteGo(text)}: value out of range`;
  }
  // A Deployment to be rolled back to no revision is not rolled back.
  if (text === "" && kind.kind === "Deployment") return undefined;
  return `strconv.ParseInt: parsing ${quoteGo(text)}: invalid syntax`;
}

/** The refusal of a body that is not JSON: bytes that could not be read, up to version and kind or beyond them. */
export function unreadableBody(
  bytes: Uint8Array,
  target: BodyTarget,
  found: BodyTarget | undefined,
  problem: string,
): Status {
  if (found !== undefined) return badRequest(handledAs(found, target, problem));
  return badRequest(unrecognizedAs(target, problem, bytes.length === 0 ? EMPTY : hexSummary(bytes)));
}

function unusable(text: string, target: BodyTarget, { kind, apiVersion }: BodyTarget, problem: string): string {
  if (kind === "") return unrecognized(text, target, problem);
  return handledAs({ kind, apiVersion }, target, problem);
}

function handledAs({ kind, apiVersion }: BodyTarget, target: BodyTarget, problem: string): string {
  const version = quoteGo(apiVersion.split("/").at(-1) ?? "");
  return `${kind} in version ${version} cannot be handled as a ${target.kind}: ${problem}`;
}

/** The kind as which the API server reads a body first. */
export const KIND_AND_VERSION: string =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** Version and kind are read first, before the type they name. */
function kindProblem({ error, kind }: DecodedBody): string | undefined {
  const wrong = "couldn't get version/kind; json parse error: json: cannot unmarshal";
  if (error?.code === "wrong_type") {
    if (error.struct === undefined) return `${wrong} ${error.found} into Go value of type ${KIND_AND_VERSION}`;
    const field = error.path.length === 1 ? error.path[0] : undefined;
    if (field === "kind" || field === "apiVersion") {
      return `${wrong} ${error.found} into Go struct field .${field} of type string`;
    }
  }
  if (kind.apiVersion.split("/").length > 2) return `unexpected GroupVersion string: ${kind.apiVersion}`;
  return undefined;
}

function unrecognized(text: string, target: BodyTarget, problem: string): string {
  return unrecognizedAs(target, problem, summary(text));
}

function unrecognizedAs({ kind }: BodyTarget, problem: string, body: string): string {
  return `the object provided is unrecognized (must be of type ${kind}): ${problem} (${body})`;
}

const EMPTY = "<empty>";

/** The start of the body: as it is if it looks like an object, in hexadecimal otherwise. */
function summary(text: string): string {
  if (text === "") return EMPTY;
  const bytes = encodeUtf8(text);
  if (!text.startsWith("{")) return hexSummary(bytes);
  return bytes.length > MAX_SUMMARY ? `${text.slice(0, MAX_SUMMARY)} ...` : text;
}

function hexSummary(bytes: Uint8Array): string {
  const hex = [...bytes.slice(0, MAX_SUMMARY)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return bytes.length > MAX_SUMMARY ? `${hex} ...` : hex;
}

function groupOf(apiVersion: string): string {
  const parsed = parseGroupVersion(apiVersion);
  return isInvalid(parsed) ? apiVersion : parsed.group;
}

function goType(of: BodyTarget): string {
  return `${of.apiVersion.split("/").at(-1)}.${of.kind}`;
}

/** The package of internal types is the first part of the group's name. */
function internalType(of: BodyTarget): string {
  const group = groupOf(of.apiVersion).split(".")[0];
  return `${group === "" ? "core" : group}.${of.kind}`;
}
