// The user of a request, as impersonation makes it: a name and groups, with the groups that every user of that name has.
// Upstream: apiserver pkg/endpoints/filters/impersonation.

import type { UserInfo } from "@celadon/admission";

const AUTHENTICATED = "system:authenticated";
const UNAUTHENTICATED = "system:unauthenticated";
const ACCOUNT = /^system:serviceaccount:([^:]+):[^:]+$/;

/** A user as `--as` makes one, with the groups that the server adds. */
export function impersonated(username: string, groups: readonly string[]): UserInfo {
  const account = groups.length === 0 ? ACCOUNT.exec(username) : null;
  const own = account ? ["system:serviceaccounts", `system:serviceaccounts:${account[1]}`] : [...groups];
  return { username, groups: [...new Set([...own, ...everybody(username, own)])] };
}

function everybody(username: string, groups: readonly string[]): readonly string[] {
  if (username === "system:anonymous") return [UNAUTHENTICATED];
  return groups.includes(UNAUTHENTICATED) ? [] : [AUTHENTICATED];
}
