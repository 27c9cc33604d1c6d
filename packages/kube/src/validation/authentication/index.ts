// The authentication.k8s.io group: who a token is, and new tokens.

import type { TokenRequest, TokenReview } from "../../api/generated/authentication-v1.ts";
import { gvkOf, gvkText } from "../../gvk.ts";
import { badRequest, invalidObject, type Status } from "../../status.ts";
import { ValidatedField } from "../field.ts";
import { type ActionTarget, type AnyActionRules, actionRules } from "../rules.ts";

const REQUEST = { group: "authentication.k8s.io", kind: "TokenRequest" };
const MIN_SECONDS = 600;
const MAX_SECONDS = 2 ** 32;
const BOUND_TO: readonly string[] = ["Pod", "Node", "Secret"];

const tokenReview: AnyActionRules = actionRules<TokenReview>({
  kind: { group: "authentication.k8s.io", kind: "TokenReview" },
  refuse(object, { namespace }) {
    if (namespace !== "") return badRequest(`namespace is not allowed on this type: ${namespace}`);
    return object.spec?.token ? undefined : badRequest("token is required for TokenReview in authentication");
  },
});

/** A review of one's own identity has no errors. */
const selfSubjectReview: AnyActionRules = actionRules({
  kind: { group: "authentication.k8s.io", kind: "SelfSubjectReview" },
  refuse: () => undefined,
});

/** A token for a service account. Whether the object it is bound to exists, and the account's uid, are checked later. */
const tokenRequest: AnyActionRules = actionRules<TokenRequest>({
  kind: REQUEST,
  refuse: (object, target) => wrongAccount(object, target) ?? wrongTimes(object) ?? wrongReference(object),
});

function wrongAccount(object: TokenRequest, { name = "" }: ActionTarget): Status | undefined {
  const given = object.metadata?.name;
  if (!given || given === name) return undefined;
  const at = ValidatedField.root().child("metadata", "name");
  at.invalid(given, "must match the service account name if specified");
  return invalidObject(REQUEST, name, at.errors);
}

function wrongTimes(object: TokenRequest): Status | undefined {
  const seconds = object.spec?.expirationSeconds ?? 0;
  const at = ValidatedField.root().child("spec", "expirationSeconds");
  if (seconds < MIN_SECONDS) at.invalid(seconds, "may not specify a duration less than 10 minutes");
  if (seconds > MAX_SECONDS) at.invalid(seconds, "may not specify a duration larger than 2^32 seconds");
  return at.errors.length === 0 ? undefined : invalidObject(REQUEST, "", at.errors);
}

function wrongReference(object: TokenRequest): Status | undefined {
  const to = object.spec?.boundObjectRef;
  if (to == null) return undefined;
  const kind = gvkOf(to);
  if (kind.group === "" && BOUND_TO.includes(kind.kind)) return undefined;
  return badRequest(`cannot bind token to object of type ${gvkText(kind)}`);
}

export const ACTIONS: readonly AnyActionRules[] = [tokenReview, selfSubjectReview, tokenRequest];
