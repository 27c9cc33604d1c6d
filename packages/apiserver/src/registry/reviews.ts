// Reviews: questions about access and identity that are answered and not stored.

import type { UserInfo } from "@celadon/admission";
import {
  badRequest,
  type FieldError,
  fieldPath,
  forbiddenField,
  invalidObject,
  invalidValue,
  type KubeObject,
  requiredValue,
} from "@celadon/kube";
import type { Attributes } from "@celadon/kube-cel";
import { builtinCodec } from "../codec/builtin-codec.ts";
import { encodeObject } from "../codec/encode.ts";
import { negotiate } from "../codec/forms.ts";
import { readObject } from "../codec/read-object.ts";
import { optionsObject, writeOptions } from "../codec/write-options.ts";
import { type Draft, draftOf, objectOf } from "../kinds/draft.ts";
import type { Answer } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { admissionRequest } from "./admission-request.ts";
import type { Exchange } from "./exchange.ts";
import { matchNamespace } from "./metadata-rules.ts";
import { contentOf } from "./respond.ts";
import type { Services } from "./services.ts";
import { timestamp } from "./timestamps.ts";

/** Fills in the answer; throws a StatusError when the question makes no sense. */
type Answering = (services: Services, exchange: Exchange, review: Draft) => Promise<KubeObject> | KubeObject;

function reviewing(answer: Answering, validate: (review: Draft, exchange: Exchange) => void = () => {}) {
  return async (services: Services, exchange: Exchange): Promise<Answer> => {
    const { call, query, notes, resource } = exchange;
    const output = negotiate(call, query);
    const options = writeOptions(query, "CreateOptions");
    const sent = await readObject(call, builtinCodec(resource), { ...options, warn: (text) => notes.warn(text) });
    matchNamespace(sent, resource, exchange.namespace);
    const request = admissionRequest(exchange, {
      operation: "CREATE",
      name: sent.metadata.name ?? "",
      object: objectOf(sent),
      oldObject: null,
      options: optionsObject("CreateOptions", query),
      dryRun: options.dryRun,
    });
    const mutated = await services.admission.mutate(request, exchange);
    const review = mutated === null ? sent : draftOf(mutated);
    validate(review, exchange);
    await services.admission.validate({ ...request, object: objectOf(review) }, exchange);
    return contentOf(201, encodeObject(await answer(services, exchange, review)), output.type);
  };
}

interface AccessSpec {
  readonly resourceAttributes?: Record<string, string>;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

const specOf = (review: Draft): AccessSpec => (review.spec ?? {}) as AccessSpec;

function accessErrors({ resourceAttributes, nonResourceAttributes }: AccessSpec): FieldError[] {
  const path = fieldPath("spec");
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const text = "cannot be specified in combination with resourceAttributes";
    return [invalidValue(path.child("nonResourceAttributes"), nonResourceAttributes, text)];
  }
  if (resourceAttributes === undefined && nonResourceAttributes === undefined) {
    const text = "exactly one of nonResourceAttributes or resourceAttributes must be specified";
    return [invalidValue(path.child("resourceAttributes"), null, text)];
  }
  return [];
}

function validateSubject(review: Draft): void {
  const spec = specOf(review);
  const errors = accessErrors(spec);
  if (!spec.user && (spec.groups ?? []).length === 0) {
    errors.push(invalidValue(fieldPath("spec", "user"), "", "at least one of user or group must be specified"));
  }
  refuse(review, errors);
}

function validateSelf(review: Draft): void {
  refuse(review, accessErrors(specOf(review)));
}

function validateLocal(review: Draft, { namespace }: Exchange): void {
  const spec = specOf(review);
  const errors: FieldError[] = [];
  if (spec.nonResourceAttributes !== undefined) {
    errors.push(forbiddenField(fieldPath("spec", "nonResourceAttributes"), "disallowed on this kind of request"));
  }
  if (spec.resourceAttributes === undefined) {
    errors.push(requiredValue(fieldPath("spec", "resourceAttributes"), ""));
  } else if (spec.resourceAttributes.namespace !== namespace) {
    const text = "must match metadata.namespace";
    errors.push(
      invalidValue(fieldPath("spec", "resourceAttributes", "namespace"), spec.resourceAttributes.namespace ?? "", text),
    );
  }
  if (!spec.user && (spec.groups ?? []).length === 0) {
    errors.push(invalidValue(fieldPath("spec", "user"), "", "at least one of user or group must be specified"));
  }
  refuse(review, errors);
}

/** The kind is missing from the text, as it is upstream. */
function refuse(_review: Draft, errors: readonly FieldError[]): void {
  if (errors.length === 0) return;
  throw new StatusError(invalidObject({ group: "authorization.k8s.io", kind: "" }, "", errors));
}

async function answerAccess(services: Services, review: Draft, user: UserInfo): Promise<KubeObject> {
  const { decision, reason = "", error = "" } = await services.decide(attributesOf(specOf(review), user));
  const status = {
    allowed: decision === "allow",
    ...(decision === "deny" && { denied: true }),
    ...(reason !== "" && { reason }),
    ...(error !== "" && { evaluationError: error }),
  };
  return { ...objectOf(review), status };
}

function attributesOf({ resourceAttributes, nonResourceAttributes }: AccessSpec, info: UserInfo): Attributes {
  const { username = "", ...rest } = info;
  const user = { name: username, ...rest } as Attributes["user"];
  if (resourceAttributes === undefined) {
    const { path = "", verb = "" } = nonResourceAttributes ?? {};
    return { user, verb, resourceRequest: false, path };
  }
  const {
    verb = "",
    group = "",
    version = "",
    resource = "",
    subresource = "",
    namespace = "",
    name = "",
  } = resourceAttributes;
  return {
    user,
    verb,
    resourceRequest: true,
    apiGroup: group,
    apiVersion: version,
    resource,
    subresource,
    namespace,
    name,
  };
}

function subjectOf({ user, groups, uid, extra }: AccessSpec): UserInfo {
  return {
    username: user ?? "",
    ...(groups && { groups }),
    ...(uid !== undefined && { uid }),
    ...(extra && { extra }),
  };
}

async function answerRules(services: Services, { user }: Exchange, review: Draft): Promise<KubeObject> {
  const { namespace = "" } = (review.spec ?? {}) as { namespace?: string };
  if (namespace === "") throw new StatusError(badRequest("no namespace on request"));
  const status = await services.rulesFor(user, namespace);
  return { ...objectOf(review), spec: {}, status };
}

async function answerToken(services: Services, _exchange: Exchange, review: Draft): Promise<KubeObject> {
  const { token = "", audiences } = (review.spec ?? {}) as { token?: string; audiences?: string[] };
  if (token === "") throw new StatusError(badRequest("token is required for TokenReview in authentication"));
  const found = await services.reviewToken(token, audiences);
  const status =
    found === undefined
      ? { user: {}, error: "invalid bearer token" }
      : { authenticated: true, user: found.user, ...(found.audiences.length > 0 && { audiences: found.audiences }) };
  return { ...objectOf(review), status };
}

function answerSelf(services: Services, { user }: Exchange, review: Draft): KubeObject {
  const metadata = { ...review.metadata, creationTimestamp: timestamp(services.now()) };
  return { ...objectOf(review), metadata, status: { userInfo: user } };
}

export const REVIEWS: Readonly<Record<string, ReturnType<typeof reviewing>>> = {
  subjectaccessreviews: reviewing(
    (services, _, review) => answerAccess(services, review, subjectOf(specOf(review))),
    validateSubject,
  ),
  selfsubjectaccessreviews: reviewing(
    (services, { user }, review) => answerAccess(services, review, user),
    validateSelf,
  ),
  localsubjectaccessreviews: reviewing(
    (services, _, review) => answerAccess(services, review, subjectOf(specOf(review))),
    validateLocal,
  ),
  selfsubjectrulesreviews: reviewing(answerRules),
  tokenreviews: reviewing(answerToken),
  selfsubjectreviews: reviewing(answerSelf),
};
