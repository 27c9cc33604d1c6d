// Reviews: questions about access and identity that are answered and not stored.

import type { UserInfo } from "@celadon/admission";
import type { KubeObject } from "@celadon/kube";
import type { Attributes } from "@celadon/kube-cel";
import { type Draft, objectOf, refuseAction, timestamp } from "@celadon/write";
import { bearerToken } from "../../authn/authenticator.ts";
import { builtinCodec } from "../../codec/builtin-codec.ts";
import { encodeObject } from "../../codec/encode.ts";
import { negotiate } from "../../codec/forms.ts";
import { managerName, optionsObject, writeOptions } from "../../codec/write-options.ts";
import type { Answer } from "../../wire/call.ts";
import type { Exchange } from "../exchange.ts";
import { readSent } from "../read-sent.ts";
import { contentOf } from "../respond.ts";
import type { Services } from "../services.ts";
import { accepted, writePath } from "../write.ts";
import { type GivenSelectors, selectorProblems, selectorsOf } from "./review-selectors.ts";

/** Fills in the answer. */
type Answering = (services: Services, exchange: Exchange, review: Draft) => Promise<KubeObject> | KubeObject;

function reviewing(answer: Answering) {
  return async (services: Services, exchange: Exchange): Promise<Answer> => {
    const { call, query, resource } = exchange;
    const output = negotiate(call, query, false, true);
    const options = writeOptions(query, "CreateOptions");
    const manager = { name: managerName(options.fieldManager, call.header("user-agent")), resource, subresource: "" };
    const path = writePath(services, exchange, optionsObject("CreateOptions", query), options.dryRun);
    const acted = await path.act(
      {
        sent: "new",
        decode: () => readSent(exchange, builtinCodec(resource), options),
        own: (draft) => services.ownership.update(undefined, draft, manager),
      },
      async (review) => {
        await refuseAction(resource, review, { namespace: exchange.namespace });
        return review;
      },
    );
    const review = accepted(acted);
    return contentOf(201, encodeObject(await answer(services, exchange, review)), output.type);
  };
}

interface AccessSpec {
  readonly resourceAttributes?: Record<string, string> & GivenSelectors;
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

const specOf = (review: Draft): AccessSpec => (review.spec ?? {}) as AccessSpec;

async function answerAccess(services: Services, review: Draft, user: UserInfo): Promise<KubeObject> {
  const attributes = attributesOf(specOf(review), user);
  const { decision, reason = "", error = "" } = await services.decide(attributes);
  const problems = [...(error === "" ? [] : [error]), ...selectorProblems(attributes)];
  const status = {
    allowed: decision === "allow",
    ...(decision === "deny" && { denied: true }),
    ...(reason !== "" && { reason }),
    ...(problems.length > 0 && { evaluationError: problems.join("; ") }),
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
    ...selectorsOf(resourceAttributes),
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
  const status = await services.rulesFor(user, namespace);
  return { ...objectOf(review), metadata: {}, spec: {}, status };
}

async function answerToken(services: Services, _exchange: Exchange, review: Draft): Promise<KubeObject> {
  const { token = "", audiences } = (review.spec ?? {}) as { token?: string; audiences?: string[] };
  return { ...objectOf(review), status: await tokenStatus(services, token, audiences) };
}

/** Reviews a token as if a request came with it: a blank one authenticates no user, and is not an error. */
async function tokenStatus(services: Services, token: string, wanted: string[] | undefined): Promise<unknown> {
  const sent = bearerToken(`Bearer ${token}`);
  if (sent === undefined) return { user: {} };
  const found = await services.reviewToken(sent, wanted);
  if (found === undefined) return { user: {}, error: "invalid bearer token" };
  const { user, audiences } = found;
  return { authenticated: true, user, ...(audiences.length > 0 && { audiences }) };
}

function answerSelf(services: Services, { user }: Exchange, review: Draft): KubeObject {
  const metadata = { creationTimestamp: timestamp(services.now()) };
  return { ...objectOf(review), metadata, status: { userInfo: user } };
}

const ofSubject = reviewing((services, _, review) => answerAccess(services, review, subjectOf(specOf(review))));

export const REVIEWS: Readonly<Record<string, ReturnType<typeof reviewing>>> = {
  subjectaccessreviews: ofSubject,
  selfsubjectaccessreviews: reviewing((services, { user }, review) => answerAccess(services, review, user)),
  localsubjectaccessreviews: ofSubject,
  selfsubjectrulesreviews: reviewing(answerRules),
  tokenreviews: reviewing(answerToken),
  selfsubjectreviews: reviewing(answerSelf),
};
