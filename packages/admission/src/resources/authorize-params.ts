// A user who writes a policy with params, or a binding that refers to some, must be allowed to read them; otherwise a policy would reveal
// objects that its author may not read. Checked only for resources that are otherwise valid; the result is one more field error. Upstream:
// kubernetes pkg/registry/admissionregistration/validatingadmissionpolicy{,binding}/authz.go.

import { deepEqual, formatGoValue, thrownText } from "@celadon/base";
import { parseGroupVersion } from "@celadon/kube";
import { type FieldError, fieldPath, forbiddenField, Invalid } from "@celadon/kube/errors";
import type { Attributes, AuthorizerDecision, User } from "@celadon/kube-cel";
import type { Authorizer, Maybe } from "../hosts.ts";
import type { Binding, ParamKind, Policy } from "../policy.ts";

/** The user who writes, and the authorizer that decides whether they may read params. */
export interface ParamAccess {
  /** Undefined when the user is unknown. */
  readonly user: User | undefined;
  readonly authorizer: Authorizer;
  /** The resource name of a kind; undefined when it is not served. */
  resourceOf(kind: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }): Maybe<string | undefined>;
}

/** Members may do everything, this included. */
const PRIVILEGED = "system:masters";

/** The author of a policy with params must be allowed to read all objects of their kind. */
export async function authorizeParamKind(
  policy: Policy,
  old: Policy | undefined,
  access: ParamAccess,
): Promise<FieldError[]> {
  const { paramKind } = policy.spec;
  const { user } = access;
  if (paramKind === undefined || deepEqual(paramKind, old?.spec.paramKind) || isPrivileged(user)) return [];
  const path = fieldPath("spec", "paramKind");
  if (user === undefined)
    return [forbiddenField(path, "cannot identify user to authorize read access to paramKind resources")];
  const { target } = await targetOf(paramKind, access);
  const { decision, error } = await ask(access, attributes(user, "get", target, "*", "*"));
  if (error !== undefined && error !== "") return [forbiddenField(path, error)];
  if (decision === "allow") return [];
  const { kind = "", apiVersion = "" } = paramKind;
  const which = `(kind=${kind}, apiVersion=${apiVersion})`;
  return [
    forbiddenField(
      path,
      `user ${shown(user)} must have "get" permission on all objects of the referenced paramKind ${which}`,
    ),
  ];
}

/** The policy of a binding, which authorizing it needs. */
export interface BindingParamAccess extends ParamAccess {
  policy(name: string): Maybe<Policy | undefined>;
}

/** Errors if the user may not read the params. Also checked on every update: upstream compares pointers, so every paramRef counts as changed. */
export async function authorizeParamRef(binding: Binding, access: BindingParamAccess): Promise<FieldError[]> {
  const { paramRef, policyName = "" } = binding.spec;
  const { user } = access;
  if (paramRef === undefined || isPrivileged(user)) return [];
  const path = fieldPath("spec", "paramRef");
  if (user === undefined)
    return [forbiddenField(path, "cannot identify user to authorize read access to paramRef object")];
  const policy = await access.policy(policyName);
  const paramKind = policy?.spec.paramKind;
  const { target, failed } =
    paramKind === undefined ? { target: EVERYTHING, failed: undefined } : await targetOf(paramKind, access);
  const { name = "", namespace = "" } = paramRef;
  const verb = name === "" ? "list" : "get";
  const { decision, error } = await ask(access, attributes(user, verb, target, namespace, name));
  const isMutating = binding.kind === "MutatingAdmissionPolicyBinding";
  if (error !== undefined && error !== "") {
    return [forbiddenField(path, isMutating ? error : `failed to authorize request: ${error}`)];
  }
  if (decision === "allow") return [];
  const everything = `to determine minimum required permissions and user ${shown(user)} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) return [forbiddenField(path, `unable to get policy ${policyName} ${everything}`)];
  if (failed !== undefined)
    return [forbiddenField(path, `unable to ${failed} paramKind ${shownKind(paramKind)} ${everything}`)];
  // Upstream's words for mutating bindings have user and verb in each other's place.
  const [who, what] = isMutating ? [verb, shown(user)] : [shown(user), verb];
  return [forbiddenField(path, `user ${who} does not have "${what}" permission on the object referenced by paramRef`)];
}

interface Target {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const EVERYTHING: Target = { group: "*", version: "*", resource: "*" };

/** The access that the user must have; an unknown part means everything. */
async function targetOf(
  { apiVersion = "", kind = "" }: ParamKind,
  access: ParamAccess,
): Promise<{ target: Target; failed: "parse" | "resolve" | undefined }> {
  const gv = parseGroupVersion(apiVersion);
  if (gv instanceof Invalid) return { target: EVERYTHING, failed: "parse" };
  const resource = await access.resourceOf({ ...gv, kind });
  return { target: { ...gv, resource: resource ?? "*" }, failed: resource === undefined ? "resolve" : undefined };
}

function attributes(
  user: User,
  verb: string,
  { group, version, resource }: Target,
  namespace: string,
  name: string,
): Attributes {
  return { user, verb, resourceRequest: true, apiGroup: group, apiVersion: version, resource, namespace, name };
}

/** An authorizer that throws has failed, as one that says so. */
async function ask({ authorizer }: ParamAccess, asked: Attributes): Promise<AuthorizerDecision> {
  try {
    return await authorizer.authorize(asked);
  } catch (thrown) {
    return { decision: "noOpinion", error: thrownText(thrown) };
  }
}

function isPrivileged(user: User | undefined): boolean {
  return user?.groups?.includes(PRIVILEGED) ?? false;
}

/** The user's struct, as fmt prints it. */
function shown({ name, uid = "", groups = [], extra = {} }: User): string {
  return `&{${name} ${uid} ${formatGoValue(groups)} ${formatGoValue(extra)}}`;
}

function shownKind(paramKind: ParamKind | undefined): string {
  return `&{${paramKind?.apiVersion ?? ""} ${paramKind?.kind ?? ""}}`;
}
