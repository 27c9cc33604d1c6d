// Whether a user may make a request, and the message if not.

import type { Authorizer, UserInfo } from "@celadon/admission";
import { quoteGo } from "@celadon/base";
import { Invalid } from "@celadon/kube/errors";
import { forbidden } from "@celadon/kube/status";
import type { Attributes, AuthorizerDecision, ReadSelector, User } from "@celadon/kube-cel";
import type { RequestInfo, Selectors } from "../wire/request-info.ts";
import { StatusError } from "../wire/status-error.ts";

/** Members may do everything; nothing is looked up for them. */
export const MASTERS = "system:masters";

export const ALWAYS_ALLOW: Authorizer = { authorize: () => ({ decision: "allow" }) };

/** The first authorizer that allows counts; the others give their reasons. */
export async function firstToAllow(
  authorizers: readonly Authorizer[],
  attributes: Attributes,
): Promise<AuthorizerDecision> {
  const reasons: string[] = [];
  for (const authorizer of authorizers) {
    const decision = await authorizer.authorize(attributes);
    if (decision.decision !== "noOpinion") return decision;
    if (decision.reason) reasons.push(decision.reason);
  }
  return { decision: "noOpinion", reason: reasons.join("\n") };
}

export class Access {
  readonly #authorizer: Authorizer;

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** Throws a StatusError when the user may not do it. Undefined when that is known at once. */
  check(user: UserInfo, info: RequestInfo, verb: string = info.verb): Promise<void> | undefined {
    if (isMaster(user)) return undefined;
    return this.require(attributesOf(user, info, verb));
  }

  async require(attributes: Attributes): Promise<void> {
    const { decision, reason } = await this.authorize(attributes);
    if (decision !== "allow") throw new StatusError(forbiddenAccess(attributes, reason ?? ""));
  }

  authorize(attributes: Attributes): AuthorizerDecision | Promise<AuthorizerDecision> {
    if (attributes.user.groups?.includes(MASTERS)) return { decision: "allow", reason: "" };
    return this.#authorizer.authorize(attributes);
  }
}

export const isMaster = (user: UserInfo): boolean => user.groups?.includes(MASTERS) ?? false;

export function userOf({ username = "", ...rest }: UserInfo): User {
  return { name: username, ...rest } as User;
}

/** The attributes of a request, for the authorizer. */
export function attributesOf(user: UserInfo, info: RequestInfo, verb: string = info.verb): Attributes {
  const { isResource, path, group, version, resource, subresource, namespace, name, selectors, isOldPath } = info;
  if (!isResource) return { user: userOf(user), verb, resourceRequest: false, path };
  return {
    user: userOf(user),
    verb,
    resourceRequest: true,
    path,
    apiGroup: group,
    apiVersion: version,
    resource,
    subresource,
    namespace,
    name,
    ...(!isOldPath && selections(selectors)),
  };
}

function selections({ fields, labels }: Selectors): Pick<Attributes, "fieldSelector" | "labelSelector"> {
  return {
    ...(fields !== undefined && { fieldSelector: selectionOf(fields) }),
    ...(labels !== undefined && { labelSelector: selectionOf(labels) }),
  };
}

function selectionOf<R>(selector: { readonly requirements: readonly R[] } | Invalid): ReadSelector<R> {
  return selector instanceof Invalid
    ? { requirements: [], error: selector.message }
    : { requirements: selector.requirements };
}

/** Escaped, because browsers would render HTML. */
const sanitized = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export function forbiddenAccess(attributes: Attributes, reason: string): ReturnType<typeof forbidden> {
  const { apiGroup: group = "", resource = "", name = "" } = attributes;
  const text = sanitized(refusalText(attributes));
  return forbidden({ group, resource }, name, reason === "" ? text : `${text}: ${reason}`);
}

function refusalText({ user, verb, resourceRequest, path = "", apiGroup = "", ...asked }: Attributes): string {
  const who = quoteGo(user.name ?? "");
  if (!resourceRequest) return `User ${who} cannot ${verb} path ${quoteGo(path)}`;
  const { resource = "", subresource = "", namespace = "" } = asked;
  const what = quoteGo(subresource === "" ? resource : `${resource}/${subresource}`);
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${quoteGo(namespace)}`;
  return `User ${who} cannot ${verb} resource ${what} in API group ${quoteGo(apiGroup)} ${where}`;
}
