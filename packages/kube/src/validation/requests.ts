// A create or update of a built-in object on its way to storage: prepared by its kind's rules, validated, warned about. What
// comes in is decoded and has defaults; what comes out is what admission sees next, or the refusal.

import { pushAll, quoteGo } from "@celadon/base";
import type { ObjectMeta } from "../api/generated/meta-v1.ts";
import { emulationOf } from "../emulation.ts";
import { type FieldError, invalidValue } from "../field-error.ts";
import { fieldPath } from "../field-path.ts";
import { type KubeObject, metadataOf } from "../metadata.ts";
import { checkPathSegmentName } from "../names.ts";
import { badRequest, conflict, failure, invalidObject, type Status } from "../status.ts";
import { hasEmpty } from "../types/empty-fields.ts";
import { validateObjectMeta, validateObjectMetaUpdate } from "../validate-metadata.ts";
import { distinctWarnings, type Warning } from "../warning.ts";
import { isMetadataChecked } from "./checks/metadata.ts";
import { ValidatedField } from "./field.ts";
import { fieldAt, withField } from "./fields-of.ts";
import { withoutGatedFields } from "./gated-fields.ts";
import type { ActionTarget, AnyActionRules, AnyKindRules, EndpointRules, Request, RequestOptions } from "./rules.ts";
import { sameValue } from "./same-value.ts";

/** The result of a request: the object as it would be stored, or the answer that rejects it. */
export interface ObjectResult {
  /** The object as it would be stored; absent if it was refused. */
  readonly object?: KubeObject;
  readonly refusal?: Status;
  /** The errors in its fields, where they are the reason. */
  readonly errors?: readonly FieldError[];
  /** The object as it was validated, if it was refused. */
  readonly prepared?: KubeObject;
  readonly warnings: readonly Warning[];
}

const METADATA = "metadata";
const WRONG_NAMESPACE = "the namespace of the provided object does not match the namespace sent on the request";

/** An object that is ready to be validated, or why it does not get so far. */
type Prepared = { readonly object: KubeObject } | { readonly refusal: Status };

/** The request for the rules, its warnings in a list. */
export function requestTo({ minor, ...request }: RequestOptions, warnings: Warning[]): Request {
  return { ...request, by: emulationOf(minor), warn: (warning) => warnings.push(warning) };
}

/** A new object. Its name is generated already; uid and time are the request's. */
export function createObject(rules: AnyKindRules, given: KubeObject, request: RequestOptions): ObjectResult {
  const warnings: Warning[] = [];
  const full = requestTo(request, warnings);
  const prepared = preparedNew(rules, given, full);
  if ("refusal" in prepared) return { ...prepared, warnings };
  const { object } = prepared;
  const errors = ValidatedField.root(full.by);
  rules.validate?.(object, errors, full);
  if (errors.errors.length === 0 && !isMetadataChecked(errors)) {
    const meta = (object.metadata ?? {}) as ObjectMeta;
    pushAll(
      errors.errors,
      validateObjectMeta(meta as never, rules.namespaced, checkPathSegmentName, undefined, undefined, full.by),
    );
  }
  if (errors.found.length > 0) return { ...refused(rules, object, errors), warnings };
  pushAll(warnings, rules.warnOnCreate?.(object, full.by) ?? []);
  return { object: servedAs(rules, object, given), warnings: distinctWarnings(warnings) };
}

/** A new object as it is validated, whether it is valid or not; undefined if it does not get so far. */
export function newObject(rules: AnyKindRules, given: KubeObject, request: RequestOptions): KubeObject | undefined {
  const prepared = preparedNew(rules, given, requestTo(request, []));
  return "object" in prepared ? servedAs(rules, prepared.object, given) : undefined;
}

/** An object in the version that the rules are about. */
export function readAs({ versions }: AnyKindRules, object: KubeObject): KubeObject {
  return versions?.read(object) ?? object;
}

/** And back in the version of what was given. */
export function servedAs({ versions }: AnyKindRules, object: KubeObject, given: KubeObject): KubeObject {
  return versions?.served(object, given.apiVersion) ?? object;
}

function preparedNew(rules: AnyKindRules, given: KubeObject, request: Request): Prepared {
  const ready = withNamespace(rules, readAs(rules, given), request.namespace);
  if (ready === undefined) return { refusal: badRequest(WRONG_NAMESPACE) };
  const object = withOwnersOnce(withSystemMetadata(ready, request), request);
  const begun = rules.begin?.(object, undefined, request) ?? object;
  return isStatus(begun) ? { refusal: begun } : { object: prepareCreate(rules, begun, request) };
}

function isStatus(value: KubeObject | Status): value is Status {
  return value.kind === "Status" && "status" in value && typeof value.status === "string";
}

/** Adds the metadata that the server alone sets on a new object. */
function withSystemMetadata(object: KubeObject, { uid, now }: Request): KubeObject {
  const metadata = withoutSystemFields(object);
  if (uid !== undefined) metadata.uid = uid;
  if (now !== undefined) metadata.creationTimestamp = now;
  return { ...object, metadata };
}

/** Removes the fields that the server alone sets. */
function withoutSystemFields(object: KubeObject): Record<string, unknown> {
  const { deletionTimestamp, deletionGracePeriodSeconds, selfLink, uid, creationTimestamp, ...metadata } =
    metadataOf(object);
  return metadata;
}

/** Prepares a new object before validation. */
export function prepareCreate(rules: EndpointRules<KubeObject>, given: KubeObject, request: Request): KubeObject {
  let object = given;
  object = withoutGatedFields(object, request.by);
  for (const field of rules.drops ?? []) object = withField(object, field, undefined);
  if (rules.generation !== undefined) object = withField(object, [METADATA, "generation"], 1);
  return rules.prepareCreate?.(object, request) ?? object;
}

/** An object in the place of another, through the resource or one of its subresources. */
export function updateObject(
  rules: AnyKindRules,
  given: KubeObject,
  before: KubeObject,
  request: RequestOptions,
  subresource?: string,
): ObjectResult {
  const old = readAs(rules, before);
  const warnings: Warning[] = [];
  const endpoint = endpointOf(rules, subresource);
  const full = requestTo(request, warnings);
  const prepared = preparedUpdate(rules, endpoint, given, old, full);
  if ("refusal" in prepared) return { ...prepared, warnings };
  const { object } = prepared;
  const errors = ValidatedField.root(full.by);
  const [meta, oldMeta] = [object.metadata ?? {}, old.metadata ?? {}];
  pushAll(
    errors.errors,
    validateObjectMeta(meta, rules.namespaced, checkPathSegmentName, undefined, undefined, full.by),
  );
  pushAll(errors.errors, validateObjectMetaUpdate(meta, oldMeta, undefined, full.by));
  endpoint.validateUpdate?.(object, old, errors, full);
  if (errors.found.length > 0) return { ...refused(rules, object, errors), warnings };
  pushAll(warnings, endpoint.warnOnUpdate?.(object, old, full.by) ?? []);
  return { object: servedAs(rules, object, given), warnings: distinctWarnings(warnings) };
}

/** An object in the place of another as it is validated, whether it is valid or not; undefined if it does not get so far. */
export function updatedObject(
  rules: AnyKindRules,
  given: KubeObject,
  old: KubeObject,
  request: RequestOptions,
  subresource?: string,
): KubeObject | undefined {
  const full: Request = requestTo(request, []);
  const prepared = preparedUpdate(rules, endpointOf(rules, subresource), given, readAs(rules, old), full);
  return "object" in prepared ? servedAs(rules, prepared.object, given) : undefined;
}

function endpointOf(rules: AnyKindRules, subresource: string | undefined): EndpointRules<KubeObject> {
  const endpoint = subresource === undefined ? rules : rules.subresources?.[subresource];
  if (endpoint === undefined) throw new Error(`${rules.kind.kind} has no subresource ${subresource}`);
  return endpoint;
}

function preparedUpdate(
  rules: AnyKindRules,
  endpoint: EndpointRules<KubeObject>,
  given: KubeObject,
  old: KubeObject,
  request: Request,
): Prepared {
  const ready = withNamespace(rules, readAs(rules, given), request.namespace);
  if (ready === undefined) return { refusal: badRequest(WRONG_NAMESPACE) };
  const refusal =
    nameProblem(ready, old.metadata?.name ?? "") ?? versionProblem(rules, ready, old) ?? uidProblem(rules, ready, old);
  if (refusal !== undefined) return { refusal };
  let object = withOwnersOnce(ready, request);
  if (!object.metadata?.resourceVersion) {
    object = withField(object, [METADATA, "resourceVersion"], old.metadata?.resourceVersion);
  }
  const begun = endpoint.begin?.(object, old, request) ?? object;
  if (isStatus(begun)) return { refusal: begun };
  object = withField(begun, [METADATA, "generation"], old.metadata?.generation);
  return { object: withSystemFields(prepareUpdate(endpoint, object, old, request), old) };
}

/** Something that is answered and not stored. The object that comes out is the question, ready to be answered. */
export function askFor(rules: AnyActionRules, given: KubeObject, target: ActionTarget): ObjectResult {
  // Below another object it may say which one it means, by its uid.
  const sent = target.name === undefined ? { ...given, metadata: withoutSystemFields(given) } : given;
  const object = withNamespace({ namespaced: target.namespace !== "" }, sent, target.namespace);
  if (object === undefined) return { refusal: badRequest(WRONG_NAMESPACE), warnings: [] };
  const refusal = rules.refuse(object, target);
  return refusal === undefined ? { object, warnings: [] } : { refusal, warnings: [] };
}

/** An update of how many an object wants, by a Scale. */
export function updateScale(
  rules: AnyKindRules,
  scales: AnyActionRules,
  given: KubeObject,
  old: KubeObject,
  request: RequestOptions,
): ObjectResult {
  const name = old.metadata?.name ?? "";
  const misnamed = nameProblem(given, name);
  if (misnamed !== undefined) return { refusal: misnamed, warnings: [] };
  const asked = askFor(scales, given, { namespace: request.namespace, name, minor: request.minor });
  if (asked.object === undefined) return asked;
  const { uid, resourceVersion } = asked.object.metadata ?? {};
  if (uid && uid !== old.metadata?.uid) {
    const resource = { group: rules.kind.group, resource: `${rules.resource}/scale` };
    return { refusal: conflict(resource, name, uidMismatch(uid, old.metadata?.uid)), warnings: [] };
  }
  const { replicas = 0 } = (asked.object.spec ?? {}) as { replicas?: number };
  const scaled = withField(old, ["spec", "replicas"], replicas);
  return updateObject(rules, withField(scaled, [METADATA, "resourceVersion"], resourceVersion), old, request);
}

/** The name in the URL is that of the existing object. */
function nameProblem(object: KubeObject, wanted: string): Status | undefined {
  const name = object.metadata?.name ?? "";
  if (name === wanted) return undefined;
  if (name !== "") return badRequest(`the name of the object (${name}) does not match the name on the URL (${wanted})`);
  return badRequest(`the name of the object (${wanted} based on URL) was undeterminable: name must be provided`);
}

const CHANGED = "the object has been modified; please apply your changes to the latest version and try again";

/** An update has to know the version it replaces, unless the kind does not ask. */
function versionProblem(rules: AnyKindRules, object: KubeObject, old: KubeObject): Status | undefined {
  const version = object.metadata?.resourceVersion ?? "";
  const resource = { group: rules.kind.group, resource: rules.resource };
  const name = object.metadata?.name ?? "";
  if (!/^[0-9]*$/.test(version)) {
    return failure(undefined, `strconv.ParseUint: parsing ${quoteGo(version)}: invalid syntax`);
  }
  if (version === "" || Number(version) === 0) {
    if (rules.unconditionalUpdate) return undefined;
    const error = invalidValue(fieldPath(METADATA, "resourceVersion"), 0, "must be specified for an update");
    return invalidObject({ group: resource.group, kind: resource.resource }, name, [error]);
  }
  return version === old.metadata?.resourceVersion ? undefined : conflict(resource, name, CHANGED);
}

/** An update that names a uid is meant for that object alone. */
function uidProblem(rules: AnyKindRules, object: KubeObject, old: KubeObject): Status | undefined {
  const [uid, found] = [object.metadata?.uid, old.metadata?.uid ?? ""];
  if (!uid || uid === found) return undefined;
  const { name = "", namespace } = old.metadata ?? {};
  const key = `/${[rules.resource, ...(namespace ? [namespace] : []), name].join("/")}`;
  const cause = uidMismatch(uid, found);
  const text = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${cause}`;
  return conflict({ group: rules.kind.group, resource: rules.resource }, name, text);
}

function uidMismatch(wanted: string, found = ""): string {
  return `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
}

/** Prepares an update before validation. */
export function prepareUpdate(
  rules: EndpointRules<KubeObject>,
  given: KubeObject,
  old: KubeObject,
  request: Request,
): KubeObject {
  let object = given;
  object = withoutGatedFields(object, request.by);
  for (const field of rules.keeps ?? []) object = withField(object, field, fieldAt(old, field));
  const kept = object;
  object = rules.prepareUpdate?.(object, old, request) ?? object;
  const compared = rules.generationCounts === "given" ? kept : object;
  const changed = (rules.generation ?? []).some((field) => {
    const now = fieldAt(compared, field);
    return !sameValue(now, fieldAt(old, field)) || (rules.generationCounts === "empty" && hasEmpty(now));
  });
  if (!changed) return object;
  return withField(object, [METADATA, "generation"], (old.metadata?.generation ?? 0) + 1);
}

/** The namespace is the URL's; another one in the object is a bad request. */
function withNamespace(
  rules: Pick<AnyKindRules, "namespaced">,
  object: KubeObject,
  namespace: string,
): KubeObject | undefined {
  const own = object.metadata?.namespace ?? "";
  const wanted = rules.namespaced ? namespace : "";
  if (own !== "" && wanted !== "" && own !== wanted) return undefined;
  return withField(object, [METADATA, "namespace"], wanted === "" ? undefined : wanted);
}

function withSystemFields(given: KubeObject, old: KubeObject): KubeObject {
  const before = old.metadata ?? {};
  const set = (object: KubeObject, field: string, value: unknown): KubeObject =>
    value == null ? object : withField(object, [METADATA, field], value);
  let object = given;
  if (!object.metadata?.uid) object = set(object, "uid", before.uid);
  object = set(object, "creationTimestamp", before.creationTimestamp);
  object = set(object, "deletionTimestamp", before.deletionTimestamp);
  if (object.metadata?.deletionGracePeriodSeconds == null) {
    object = set(object, "deletionGracePeriodSeconds", before.deletionGracePeriodSeconds);
  }
  return object;
}

/** Owners that are listed twice are listed once, with a warning. */
function withOwnersOnce(object: KubeObject, request: Request): KubeObject {
  const owners = object.metadata?.ownerReferences ?? [];
  if (owners.length < 2) return object;
  const twice = owners.filter((owner, i) => owners.slice(0, i).some((other) => sameValue(owner, other)));
  if (twice.length === 0) return object;
  const uids = twice.map((owner) => owner.uid ?? "").join(", ");
  const text = `.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`;
  request.warn({ text, path: fieldPath(METADATA, "ownerReferences") });
  return withField(
    object,
    [METADATA, "ownerReferences"],
    owners.filter((owner) => !twice.includes(owner)),
  );
}

function refused(rules: AnyKindRules, object: KubeObject, at: ValidatedField): Omit<ObjectResult, "warnings"> {
  const errors = at.found;
  return { refusal: invalidObject(rules.kind, object.metadata?.name ?? "", errors), errors, prepared: object };
}
