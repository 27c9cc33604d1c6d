// Service accounts in rules. Upstream: approver-policy pkg/internal/approver/validation/serviceaccount.go.

import {
  BOOL,
  type CelError,
  celError,
  fn,
  type Library,
  method,
  Opaque,
  STRING,
  type Type,
  type Value,
} from "@celadon/cel";
import { fixed } from "@celadon/cel/cost";
import { abstractStruct } from "@celadon/cel/types";
import { checkDns1123Label, checkDns1123Subdomain } from "@celadon/kube/names";

const SERVICE_ACCOUNT: Type<ServiceAccount> = abstractStruct(
  "cm.io.policy.pkg.internal.approver.validation.ServiceAccount",
);

/** A user that is a service account. */
export class ServiceAccount extends Opaque {
  override readonly type: Type = SERVICE_ACCOUNT;
  readonly namespace: string;
  readonly name: string;
  constructor(namespace: string, name: string) {
    super();
    this.namespace = namespace;
    this.name = name;
  }
  override equals(other: Value): boolean {
    return other instanceof ServiceAccount && other.name === this.name && other.namespace === this.namespace;
  }
}

const PREFIX = "system:serviceaccount:";

function parseUsername(username: string): ServiceAccount | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const [namespace, name, more] = username.slice(PREFIX.length).split(":");
  if (namespace === undefined || name === undefined || more !== undefined) return undefined;
  if (checkDns1123Label(namespace).length > 0 || checkDns1123Subdomain(name).length > 0) return undefined;
  return new ServiceAccount(namespace, name);
}

function toServiceAccount(username: string): ServiceAccount | CelError {
  const reason = "Username must be in the form system:serviceaccount:namespace:name";
  return (
    parseUsername(username) ??
    celError("conversion", `Unable to convert to serviceaccount: err: ${reason}, username: ${username}`)
  );
}

// biome-ignore format: one overload per line
export const serviceAccountLibrary: Library = {
  name: "cm.io.policy.serviceaccount",
  overloads: [
    //     name                overload id                     arguments          result           cost      implementation
    fn(    "serviceAccount",   "username_to_serviceaccount",   [STRING],          SERVICE_ACCOUNT, fixed(1), toServiceAccount),
    fn(    "isServiceAccount", "serviceaccount_is_sa",         [STRING],          BOOL,            fixed(1), (text) => parseUsername(text) !== undefined),
    method("getName",          "serviceaccount_get_name",      [SERVICE_ACCOUNT], STRING,          fixed(1), (account) => account.name),
    method("getNamespace",     "serviceaccount_get_namespace", [SERVICE_ACCOUNT], STRING,          fixed(1), (account) => account.namespace),
  ],
};
