// Acting as somebody else: what the Impersonate headers ask for, each part allowed by the authorizer.
// Upstream: apiserver pkg/endpoints/filters/impersonation.

import type { UserInfo } from "@celadon/admission";
import { badRequest } from "@celadon/kube";
import type { Attributes, User } from "@celadon/kube-cel";
import type { Call } from "../wire/call.ts";
import { StatusError } from "../wire/status-error.ts";
import { AUTHENTICATED, UNAUTHENTICATED } from "./authenticator.ts";
import { serviceAccountGroups, splitServiceAccount } from "./service-account-name.ts";

const EXTRA = "impersonate-extra-";

/** Throws a StatusError when it is not allowed. */
export type Require = (attributes: Attributes) => Promise<void>;

/** Undefined when nobody is to be impersonated. */
export async function impersonated(call: Call, user: User, require: Require): Promise<UserInfo | undefined> {
  const username = call.header("impersonate-user") ?? "";
  const groups = call.headerValues("impersonate-group");
  const uid = call.header("impersonate-uid") ?? "";
  const extra = extraOf(call);
  const hasExtra = Object.keys(extra).length > 0;
  if (username === "") {
    if (groups.length === 0 && uid === "" && !hasExtra) return undefined;
    const asked = `${[...groups]}${uid}`;
    throw new StatusError(badRequest(`requested ${JSON.stringify(asked)} without impersonating a user`));
  }
  const account = splitServiceAccount(username);
  const ask = (what: Partial<Attributes>): Promise<void> =>
    require({ user, verb: "impersonate", resourceRequest: true, apiGroup: "", ...what });
  if (account !== undefined) await ask({ resource: "serviceaccounts", ...account });
  else await ask({ resource: "users", name: username });
  for (const group of groups) await ask({ resource: "groups", name: group });
  for (const [key, values] of Object.entries(extra)) {
    for (const name of values) {
      await ask({
        apiGroup: "authentication.k8s.io",
        apiVersion: "v1",
        resource: "userextras",
        subresource: key,
        name,
      });
    }
  }
  if (uid !== "") await ask({ apiGroup: "authentication.k8s.io", apiVersion: "v1", resource: "uids", name: uid });
  const own = groups.length > 0 || account === undefined ? groups : serviceAccountGroups(account.namespace);
  return {
    username,
    groups: withStanding(username, own),
    ...(uid !== "" && { uid }),
    ...(hasExtra && { extra }),
  };
}

function withStanding(username: string, groups: readonly string[]): readonly string[] {
  if (username === "system:anonymous") {
    return groups.includes(UNAUTHENTICATED) ? groups : [...groups, UNAUTHENTICATED];
  }
  return groups.includes(AUTHENTICATED) || groups.includes(UNAUTHENTICATED) ? groups : [...groups, AUTHENTICATED];
}

function extraOf(call: Call): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {};
  for (const name of call.headerNames()) {
    if (!name.startsWith(EXTRA)) continue;
    const key = decoded(name.slice(EXTRA.length));
    extra[key] = [...(extra[key] ?? []), ...call.headerValues(name)];
  }
  return extra;
}

function decoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
