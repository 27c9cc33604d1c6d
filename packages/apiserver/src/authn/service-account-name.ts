// Service accounts as users: `system:serviceaccount:<namespace>:<name>` and their groups.

import { checkDns1123Label, checkDns1123Subdomain } from "@celadon/kube/names";

const PREFIX = "system:serviceaccount:";

export interface ServiceAccountName {
  readonly namespace: string;
  readonly name: string;
}

export function serviceAccountUsername({ namespace, name }: ServiceAccountName): string {
  return `${PREFIX}${namespace}:${name}`;
}

export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** Undefined for users that are no service accounts. */
export function splitServiceAccount(username: string): ServiceAccountName | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const parts = username.slice(PREFIX.length).split(":");
  const [namespace = "", name = ""] = parts;
  if (parts.length !== 2 || checkDns1123Label(namespace).length > 0) return undefined;
  return checkDns1123Subdomain(name).length > 0 ? undefined : { namespace, name };
}
