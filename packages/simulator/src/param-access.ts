// Who writes a policy with params, or a binding that refers to some, must be allowed to read them. Asked where the inputs say who may
// do what: without any RBAC among them nobody but the administrator would get a policy accepted.

import type { AdmissionRequest, Binding, Policy } from "@celadon/admission";
import { authorizeParamKind, authorizeParamRef, type ParamAccess } from "@celadon/admission/resources";
import { type FieldError, gvkOf, invalidObject, nameOf } from "@celadon/kube";
import type { FinishedStage } from "./object-stage.ts";
import { type Role, roleOf } from "./roles.ts";
import { problemsOf } from "./status-problems.ts";
import type { World } from "./world.ts";

export async function withParamAccess(
  world: World,
  request: AdmissionRequest,
  staged: FinishedStage,
): Promise<FinishedStage> {
  const { object } = staged;
  const { subresource = "", operation } = request;
  if (object === null || operation === "DELETE" || subresource !== "" || staged.status !== undefined) return staged;
  if (!ASKED.has(roleOf(object)) || !saysWhoMay(world)) return staged;
  const errors = await accessErrors(world, request, staged);
  if (errors.length === 0) return staged;
  const status = invalidObject(gvkOf(object), nameOf(object), errors);
  return { ...staged, status, problems: [...staged.problems, ...problemsOf(status, "schema", object)] };
}

const ASKED: ReadonlySet<Role> = new Set(["policy", "binding", "mutatingPolicy", "mutatingBinding"]);

function saysWhoMay(world: World): boolean {
  return world.options.authorizer !== undefined || world.manifests("rbac").length > 0;
}

async function accessErrors(
  world: World,
  { userInfo = {} }: AdmissionRequest,
  { object, oldObject }: FinishedStage,
): Promise<FieldError[]> {
  const { username = "", ...rest } = userInfo;
  const access: ParamAccess = {
    user: { name: username, ...rest },
    authorizer: world.hosts.authorizer,
    resourceOf: (kind) => world.resources.ofKind(kind)?.resource,
  };
  const role = roleOf(object!);
  if (role === "policy" || role === "mutatingPolicy") {
    const old = (oldObject as unknown as Policy | null) ?? undefined;
    return authorizeParamKind(object as unknown as Policy, old, access);
  }
  const policies = role === "binding" ? world.policies : world.mutatingPolicies;
  return authorizeParamRef(object as unknown as Binding, {
    ...access,
    policy: (name) => policies.policy(name)?.policy,
  });
}
