// An object of a built-in kind as a server would store it: decoded through its type, prepared and validated by the rules of its kind. A
// kind without rules of its own has those of every object's metadata.

import type { AdmissionRequest } from "@celadon/admission";
import { isRecord } from "@celadon/base";
import { type GroupVersionKind, type KubeObject, metadataOf, type ObjectMeta } from "@celadon/kube";
import type { FieldError, Warning } from "@celadon/kube/errors";
import { validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1123Subdomain } from "@celadon/kube/names";
import { badRequest, invalidObject, type Status } from "@celadon/kube/status";
import { decode, decodeErrorText, isBuiltinGroup, servedKind } from "@celadon/kube/types";
import {
  type AnyActionRules,
  type AnyKindRules,
  askFor,
  createObject,
  loadKindRules,
  newObject,
  type ObjectResult,
  updatedObject,
  updateObject,
} from "@celadon/kube/validation";
import type { Minor } from "@celadon/kube/versions";
import { deviceSelectorProblem } from "@celadon/kube-cel";
import {
  builtinCreated,
  builtinStored,
  builtinUpdated,
  CREATED,
  UID,
  withCreatedMetadata,
  withStoredMetadata,
} from "./system-fields.ts";

/** The rules of a built-in kind; undefined for kinds of other groups. */
export async function rulesOf(kind: GroupVersionKind, minor?: Minor): Promise<AnyKindRules | undefined> {
  if (!isBuiltinGroup(kind.group)) return undefined;
  return (await loadKindRules(kind)) ?? metadataRules(kind, minor);
}

/** For a kind that is served and not covered: nothing but the rules of metadata. */
function metadataRules({ group, version, kind }: GroupVersionKind, minor: Minor | undefined): AnyKindRules | undefined {
  const served = servedKind(group === "" ? version : `${group}/${version}`, kind, minor);
  if (served === undefined) return undefined;
  const { plural, namespaced } = served;
  return { kind: { group, kind }, resource: plural, namespaced, unconditionalUpdate: true };
}

/** The result of a write, as validating admission sees it. An object that is refused is filled in as far as that goes. */
export interface Written {
  readonly object: KubeObject;
  readonly refusal?: Status;
  /** The errors of its fields, if they are the reason. */
  readonly errors?: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

/** A new object of a kind with rules; it is decoded. */
export function createdBy(rules: AnyKindRules, decoded: KubeObject, request: AdmissionRequest, minor?: Minor): Written {
  // Names are generated before they are validated.
  const outcome = createObject(rules, withCreatedMetadata(decoded), requestFor(request, minor));
  const { object, prepared = object, warnings } = outcome;
  return { object: asCreated(prepared, decoded, minor), ...whyNot(outcome), warnings };
}

/** The object of `createdBy` alone, without validation. */
export function newBy(rules: AnyKindRules, decoded: KubeObject, request: AdmissionRequest, minor?: Minor): KubeObject {
  return asCreated(newObject(rules, withCreatedMetadata(decoded), requestFor(request, minor)), decoded, minor);
}

function asCreated(prepared: KubeObject | undefined, decoded: KubeObject, minor: Minor | undefined): KubeObject {
  if (prepared === undefined) return builtinCreated(decoded);
  const { generation } = metadataOf(prepared);
  return withCreatedMetadata(encoded(prepared, decoded, minor), generation === undefined ? {} : { generation });
}

/** A question or an order, such as a SubjectAccessReview or a Binding: it is answered and not stored. */
export function askedBy(rules: AnyActionRules, decoded: KubeObject, request: AdmissionRequest, minor?: Minor): Written {
  const { namespace = "", subresource = "", name = "" } = request;
  const below = subresource === "" ? {} : { name };
  const { object = decoded, refusal, warnings } = askFor(rules, decoded, { namespace, minor, ...below });
  return { object, ...(refusal && { refusal }), warnings };
}

/** The same for an update of `old`, which is as it is stored. */
export function updatedBy(
  rules: AnyKindRules,
  decoded: KubeObject,
  old: KubeObject,
  request: AdmissionRequest,
  minor?: Minor,
): Written {
  const { subresource = "" } = request;
  const endpoint = subresource === "" ? undefined : subresource;
  if (!hasEndpoint(rules, endpoint)) return { object: builtinUpdated(decoded, old, subresource), warnings: [] };
  const current = inPlaceOf(old, decoded);
  const outcome = updateObject(rules, current, old, requestFor(request, minor), endpoint);
  const { object, prepared = object, warnings } = outcome;
  const made = prepared === undefined ? builtinUpdated(decoded, old, subresource) : encoded(prepared, current, minor);
  return { object: made, ...whyNot(outcome), warnings };
}

/** The object of `updatedBy` alone, without validation. */
export function changedBy(
  rules: AnyKindRules,
  decoded: KubeObject,
  old: KubeObject,
  request: AdmissionRequest,
  minor?: Minor,
): KubeObject {
  const { subresource = "" } = request;
  const endpoint = subresource === "" ? undefined : subresource;
  const current = inPlaceOf(old, decoded);
  const prepared = hasEndpoint(rules, endpoint)
    ? updatedObject(rules, current, old, requestFor(request, minor), endpoint)
    : undefined;
  return prepared === undefined ? builtinUpdated(decoded, old, subresource) : encoded(prepared, current, minor);
}

function hasEndpoint(rules: AnyKindRules, subresource: string | undefined): boolean {
  return subresource === undefined || rules.subresources?.[subresource] !== undefined;
}

/** The review is about whether the change is allowed, not whether it comes too late. */
function inPlaceOf(old: KubeObject, decoded: KubeObject): KubeObject {
  const { resourceVersion } = metadataOf(old);
  return { ...decoded, metadata: { ...decoded.metadata, resourceVersion } } as KubeObject;
}

function whyNot({ refusal, errors }: Pick<ObjectResult, "refusal" | "errors">): Pick<Written, "refusal" | "errors"> {
  return { ...(refusal && { refusal }), ...(errors && { errors }) };
}

/** An existing object: as it was created, with the status that was written since. */
export function storedBy(
  rules: AnyKindRules,
  decoded: KubeObject,
  request: AdmissionRequest,
  minor?: Minor,
): KubeObject {
  const { status, metadata } = decoded;
  const made = createObject(rules, withCreatedMetadata(decoded), requestFor(request, minor)).object;
  if (made === undefined) return builtinStored(decoded);
  const { generation = made.metadata?.generation } = metadataOf(decoded);
  const hasStatus = typeof status === "object" && status !== null && Object.keys(status).length > 0;
  const kept = { ...made.metadata, ...metadata, ...(generation !== undefined && { generation }) };
  return withStoredMetadata(
    encoded({ ...made, metadata: kept as ObjectMeta, ...(hasStatus && { status }) }, decoded, minor),
  );
}

/**
 * The object as the server shows it, including fields that its type always writes, even if preparing it removed them. Parts that are
 * identical to the decoded object need no change.
 */
function encoded(object: KubeObject, decoded: KubeObject, minor: Minor | undefined): KubeObject {
  const { apiVersion = "", kind = "" } = object;
  const kept: Record<string, unknown> = {};
  const changed: Record<string, unknown> = {};
  for (const field of Object.keys(object)) {
    const value = object[field];
    const isKept = value === decoded[field] || (field === "metadata" && isSystemChange(value, decoded.metadata));
    (isKept ? kept : changed)[field] = value;
  }
  const written = decode({ apiVersion, kind }, changed, { unordered: true, without: kept, minor })?.object;
  return written === undefined ? object : ({ ...object, ...written, ...kept } as KubeObject);
}

/** Whether metadata differs only in fields that the server sets in every object, which need no change. */
function isSystemChange(now: unknown, before: unknown): boolean {
  if (!isRecord(now) || !isRecord(before) || !now.uid || !now.creationTimestamp) return false;
  for (const field of Object.keys(now)) {
    if (now[field] !== before[field] && !SYSTEM_METADATA.has(field)) return false;
  }
  return true;
}

const SYSTEM_METADATA: ReadonlySet<string> = new Set([
  "uid",
  "creationTimestamp",
  "generation",
  "name",
  "resourceVersion",
]);

function requestFor(
  { namespace = "", userInfo = {} }: AdmissionRequest,
  minor: Minor | undefined,
): Parameters<typeof createObject>[2] {
  const { username = "", groups, uid } = userInfo;
  const user = { name: username, ...(groups && { groups }), ...(uid !== undefined && { uid }) };
  return { minor, uid: UID, now: CREATED, compileSelector: deviceSelectorProblem, namespace, user };
}

/** Metadata of an object of an undescribed kind: the rules of every custom resource. */
export function metadataErrors(
  kind: GroupVersionKind,
  object: KubeObject,
  namespaced: boolean,
): Pick<Written, "refusal" | "errors"> {
  // Every kind has the same metadata.
  const of = { apiVersion: "v1", kind: "ConfigMap" };
  const { object: decoded, error } = decode(of, { metadata: withCreatedMetadata(object).metadata })!;
  if (error !== undefined) {
    const problem = decodeErrorText(error);
    const text = `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${problem}`;
    return { refusal: badRequest(text) };
  }
  const meta = metadataOf(decoded) as ObjectMeta;
  const errors = validateObjectMeta(meta, namespaced, checkDns1123Subdomain);
  return errors.length === 0 ? {} : { refusal: invalidObject(kind, meta.name ?? "", errors), errors };
}
