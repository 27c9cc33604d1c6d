// Built-in kinds, through their types and the rules of their kind, and unknown kinds.

import type { AdmissionRequest } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import { apiVersionOf, type GroupVersionKind, type KubeObject, nameOf } from "@celadon/kube";
import { receive, withServerDefaults } from "@celadon/kube/defaults";
import { FieldPath, fieldPath } from "@celadon/kube/errors";
import { badRequest } from "@celadon/kube/status";
import { type DecodeError, decodeErrorText, stepsText } from "@celadon/kube/types";
import { type AnyActionRules, type AnyKindRules, deprecationOf, loadActionRules } from "@celadon/kube/validation";
import type { Minor } from "@celadon/kube/versions";
import type { Problem } from "../outcome/outcome.ts";
import { errorProblems, statusProblem, warningProblems } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import {
  askedBy,
  changedBy,
  createdBy,
  metadataErrors,
  newBy,
  rulesOf,
  storedBy,
  updatedBy,
  type Written,
} from "./builtin-object.ts";
import { type Decoded, type ObjectStage, storedAs, unknownFieldHalf } from "./stage.ts";
import { builtinCreated, builtinUpdated, withCreatedMetadata } from "./system-fields.ts";

/** `kind` is that of the resource, the request's that of its body; `ofKind` are problems of the kind itself. */
export function builtinStage(
  cluster: ReviewHost,
  request: AdmissionRequest,
  kind: GroupVersionKind,
  ofKind: readonly Problem[],
): ObjectStage {
  const { object: given = null, oldObject = null } = request;
  const sent = given as KubeObject;
  const minor = cluster.options.kubeVersion;
  return {
    decode: () => withDeprecation(decode(cluster, request, sent, ofKind), kind, minor),
    async old() {
      if (oldObject === null || cluster.options.serverDefaults === false) return oldObject;
      return stored(cluster, oldObject, await kindRules(cluster, kind), request);
    },
    async finish(decoded, old) {
      const object = decoded ?? sent;
      if (cluster.options.serverDefaults === false) return { object: named(object), problems: [], warnings: [] };
      const { rules, action } = await rulesFor(cluster, request, kind, old);
      const outcome =
        action === undefined ? written(request, object, old, rules, minor) : askedBy(action, object, request, minor);
      const { object: made, errors = [], refusal, warnings } = outcome;
      const problems =
        errors.length > 0 || refusal === undefined
          ? errorProblems(errors, made)
          : [statusProblem(refusal, "validation")];
      return {
        object: made,
        ...(refusal && { status: refusal }),
        problems: [...problems, ...warningProblems(warnings, made)],
        warnings: warnings.map(({ text }) => text),
      };
    },
    async prepare(decoded, old) {
      const object = decoded ?? sent;
      if (cluster.options.serverDefaults === false) return named(object);
      const { rules, action } = await rulesFor(cluster, request, kind, old);
      if (action !== undefined) return askedBy(action, object, request, minor).object;
      if (rules === undefined) return written(request, object, old, rules, minor).object;
      if (old !== null) return changedBy(rules, object, old, request, minor);
      return isBelow(request) ? object : newBy(rules, object, request, minor);
    },
  };
}

/** The rules of a write: those of its kind, or of a kind that is answered and not stored. */
async function rulesFor(
  cluster: ReviewHost,
  { kind: body, oldObject = null }: AdmissionRequest,
  kind: GroupVersionKind,
  old: KubeObject | null,
): Promise<{ rules: AnyKindRules | undefined; action: AnyActionRules | undefined }> {
  const rules = await kindRules(cluster, kind);
  const action = old === null ? await actionRules(cluster, body) : undefined;
  // An old object that no server would have stored says nothing about the change.
  return {
    rules: oldObject === null || isReadable(oldObject, cluster.options.kubeVersion) ? rules : undefined,
    action,
  };
}

/** An object created below another, such as an Eviction, is not stored. */
const isBelow = ({ subresource = "" }: AdmissionRequest): boolean => subresource !== "";

function decode(
  cluster: ReviewHost,
  { kind }: AdmissionRequest,
  sent: KubeObject,
  ofKind: readonly Problem[],
): Decoded {
  const received = receive(typeOf(kind), sent, cluster.options.kubeVersion);
  if (received === undefined) return { object: sent, problems: ofKind, warnings: [] };
  const { error, errors, strict: found } = received;
  if (error !== undefined) {
    const status = badRequest(
      `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${decodeErrorText(error)}`,
    );
    const problems = errors.map((decodeError) => decodeProblem(decodeError, sent, decodeError === error));
    return { object: sent, status, problems, warnings: [], unreadable: true };
  }
  const object = cluster.options.serverDefaults === false ? sent : (received.object as KubeObject);
  if (found.length === 0) return { object, problems: ofKind, warnings: [] };
  const fields = found.map(({ path }) => FieldPath.of(path, stepsText(path)));
  const strict = unknownFieldHalf(cluster, sent, fields);
  return { ...strict, object, problems: [...ofKind, ...strict.problems] };
}

/** The answer has the warning even if the request is refused. */
function withDeprecation(decoded: Decoded, kind: GroupVersionKind, minor: Minor | undefined): Decoded {
  const deprecation = deprecationOf(apiVersionOf(kind), kind.kind, minor);
  if (deprecation === undefined) return decoded;
  const warning = { text: deprecation, path: fieldPath("apiVersion") };
  const problems = [...warningProblems([warning], decoded.object), ...decoded.problems];
  return { ...decoded, problems, warnings: [deprecation, ...decoded.warnings] };
}

async function kindRules({ options }: ReviewHost, kind: GroupVersionKind): Promise<AnyKindRules | undefined> {
  return options.builtinValidation === false ? undefined : rulesOf(kind, options.kubeVersion);
}

/** The rules of a kind that is answered and not stored. */
async function actionRules({ options }: ReviewHost, kind: GroupVersionKind): Promise<AnyActionRules | undefined> {
  return options.builtinValidation === false ? undefined : loadActionRules(kind);
}

/** Writes an object as a server does. */
function written(
  request: AdmissionRequest,
  object: KubeObject,
  old: KubeObject | null,
  rules: AnyKindRules | undefined,
  minor: Minor | undefined,
): Written {
  const { subresource = "", kind, namespace = "" } = request;
  if (old !== null) {
    if (rules !== undefined) return updatedBy(rules, object, old, request, minor);
    return { object: builtinUpdated(object, old, subresource), warnings: [] };
  }
  if (isBelow(request)) return { object, warnings: [] };
  if (rules !== undefined) return createdBy(rules, object, request, minor);
  const isDescribed = receive(typeOf(kind), object, minor) !== undefined;
  if (isDescribed) return { object: builtinCreated(object), warnings: [] };
  return { object: named(object), ...metadataErrors(kind, object, namespace !== ""), warnings: [] };
}

function stored(
  cluster: ReviewHost,
  object: KubeObject,
  rules: AnyKindRules | undefined,
  request: AdmissionRequest,
): KubeObject {
  const minor = cluster.options.kubeVersion;
  const isAsked = rules !== undefined && isReadable(object, minor);
  return isAsked
    ? storedBy(rules, withServerDefaults(object, minor), request, minor)
    : storedAs(cluster, undefined, object);
}

/** An object that cannot be decoded stays the same. */
function isReadable(object: KubeObject, minor: Minor | undefined): boolean {
  return withServerDefaults(object, minor) !== object;
}

function typeOf({ group, version, kind }: GroupVersionKind): { apiVersion: string; kind: string } {
  return { apiVersion: group === "" ? version : `${group}/${version}`, kind };
}

/** Policies never meet an object without a name. */
function named(object: KubeObject): KubeObject {
  if (nameOf(object) !== "") return object;
  const name = nameOf(withCreatedMetadata(object));
  return name === "" ? object : { ...object, metadata: { ...object.metadata, name } };
}

function decodeProblem(error: DecodeError, object: KubeObject, returned: boolean): Problem {
  const { path } = error;
  const value = valueAt(object, path);
  const message = decodeErrorText(error);
  const wanted = error.code === "wrong_type" && { wanted: error.wanted };
  return {
    system: "validation",
    level: "deny",
    message,
    path,
    ...(value !== undefined && { value }),
    ...wanted,
    returned,
  };
}
