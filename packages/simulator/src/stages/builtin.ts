// Built-in kinds, through their types and the rules of their kind, and unknown kinds.

import type { AdmissionRequest } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import { apiVersionOf, type GroupVersionKind, type KubeObject } from "@celadon/kube";
import { receive, withServerDefaults } from "@celadon/kube/defaults";
import { FieldPath, fieldPath } from "@celadon/kube/errors";
import { validateObjectMeta } from "@celadon/kube/metadata";
import { checkDns1123Subdomain } from "@celadon/kube/names";
import { badRequest, type Status } from "@celadon/kube/status";
import { type DecodeError, decode, decodeErrorText, stepsText } from "@celadon/kube/types";
import { deprecationOf, loadActionRules } from "@celadon/kube/validation";
import type { Minor } from "@celadon/kube/versions";
import { type DraftMeta, objectOf, type WrittenResource } from "@celadon/write";
import { AS_WRITTEN, type Strategy, withoutChecks } from "@celadon/write/strategy";
import type { Problem } from "../outcome/outcome.ts";
import { statusProblem, warningProblems } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { type Decoded, type ObjectStage, unknownFieldFindings, type Writing } from "./stage.ts";
import { storedBuiltin } from "./stored.ts";
import { writtenResource } from "./write-hosts.ts";

/** `kind` is the kind of the resource, the request has the kind of its body; `ofKind` are problems of the kind itself. */
export function builtinStage(
  cluster: ReviewHost,
  request: AdmissionRequest,
  kind: GroupVersionKind,
  ofKind: readonly Problem[],
): ObjectStage {
  const { object: given = null, oldObject = null } = request;
  const sent = given as KubeObject;
  const minor = cluster.options.kubeVersion;
  const resource = writtenResource(cluster, request);
  const isDescribed = receive(typeOf(kind), {}, minor) !== undefined;
  return {
    decode: () => withDeprecation(decoded(cluster, request, sent, ofKind), kind, minor),
    old: () => oldObject && storedBuiltin(cluster, resource, oldObject),
    writing: () => writing(cluster, request, resource, isDescribed),
  };
}

async function writing(
  cluster: ReviewHost,
  { kind: body, object, oldObject = null, subresource = "" }: AdmissionRequest,
  resource: WrittenResource,
  isDescribed: boolean,
): Promise<Writing> {
  const { serverDefaults, builtinValidation = true, kubeVersion } = cluster.options;
  if (serverDefaults === false) return { resource, strategy: untouched(object as KubeObject) };
  const isNew = oldObject === null;
  const isAction = isNew && builtinValidation && (await loadActionRules(body)) !== undefined;
  if (isAction) return { resource, strategy: AS_WRITTEN, action: body };
  if (!isDescribed) return { resource, strategy: UNDESCRIBED };
  // An object created below another, such as an Eviction, is not stored.
  if (isNew && subresource !== "") return { resource, strategy: AS_WRITTEN };
  const strategy = await cluster.strategies.of(resource, subresource);
  // An old object that no server would have stored says nothing about the change.
  const isChecked = builtinValidation && (isNew || withServerDefaults(oldObject, kubeVersion) !== oldObject);
  return { resource, strategy: isChecked ? strategy : withoutChecks(strategy) };
}

/** For hosts without defaults: objects come without the fields that a server sets, but for a name. */
function untouched(sent: KubeObject): Strategy {
  const own = (sent.metadata ?? {}) as DraftMeta;
  return {
    ...AS_WRITTEN,
    prepareCreate(draft) {
      const { uid: _, creationTimestamp: __, ...metadata } = draft.metadata;
      for (const field of ["uid", "creationTimestamp"] as const) {
        if (own[field] !== undefined) metadata[field] = own[field];
      }
      return { ...draft, metadata };
    },
  };
}

/** For kinds that nothing describes: new ones have to keep to the rules that every custom resource has for its metadata. */
const UNDESCRIBED: Strategy = {
  ...AS_WRITTEN,
  validateCreate(draft, { resource }) {
    const { metadata } = objectOf(draft);
    return { errors: validateObjectMeta(metadata ?? {}, resource.namespaced, checkDns1123Subdomain), isWhole: true };
  },
};

function decoded(
  cluster: ReviewHost,
  { kind }: AdmissionRequest,
  sent: KubeObject,
  ofKind: readonly Problem[],
): Decoded {
  const received = receive(typeOf(kind), sent, cluster.options.kubeVersion);
  if (received === undefined) {
    const refused = unreadableMetadata(kind, sent);
    return { object: withTexts(sent), warnings: [], ...refused, problems: [...ofKind, ...(refused?.problems ?? [])] };
  }
  const { error, errors, strict: found } = received;
  if (error !== undefined) {
    const status = unreadable(kind, error);
    const problems = errors.map((decodeError) => decodeProblem(decodeError, sent, decodeError === error));
    return { object: sent, status, problems, warnings: [], unreadable: true };
  }
  const object = cluster.options.serverDefaults === false ? sent : (received.object as KubeObject);
  if (found.length === 0) return { object, problems: ofKind, warnings: [] };
  const fields = found.map(({ path }) => FieldPath.of(path, stepsText(path)));
  const strict = unknownFieldFindings(cluster, sent, fields);
  return { ...strict, object, problems: [...ofKind, ...strict.problems] };
}

/** Labels and annotations of every kind are texts: null is read as an empty one. */
function withTexts(sent: KubeObject): KubeObject {
  const { labels, annotations } = sent.metadata ?? {};
  const isNull = (value: unknown): boolean => value === null;
  if (![labels, annotations].some((texts) => Object.values(texts ?? {}).some(isNull))) return sent;
  const texts = (of: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(of).map(([key, value]) => [key, value ?? ""]));
  const metadata = {
    ...sent.metadata,
    ...(labels && { labels: texts(labels) }),
    ...(annotations && { annotations: texts(annotations) }),
  };
  return { ...sent, metadata };
}

function unreadable({ kind, version }: GroupVersionKind, error: DecodeError): Status {
  return badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${decodeErrorText(error)}`);
}

/** An object whose metadata cannot be read. Every kind has the same. */
export function unreadableMetadata(kind: GroupVersionKind, object: KubeObject): Decoded | undefined {
  const { error } = decode({ apiVersion: "v1", kind: "ConfigMap" }, { metadata: object.metadata })!;
  if (error === undefined) return undefined;
  const status = unreadable(kind, error);
  return { object, status, problems: [statusProblem(status, "validation")], warnings: [], unreadable: true };
}

/** The answer has the warning even if the request is refused. */
function withDeprecation(found: Decoded, kind: GroupVersionKind, minor: Minor | undefined): Decoded {
  const deprecation = deprecationOf(apiVersionOf(kind), kind.kind, minor);
  if (deprecation === undefined) return found;
  const warning = { text: deprecation, path: fieldPath("apiVersion") };
  const problems = [...warningProblems([warning], found.object), ...found.problems];
  return { ...found, problems, warnings: [deprecation, ...found.warnings] };
}

function typeOf(kind: GroupVersionKind): { apiVersion: string; kind: string } {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind };
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
