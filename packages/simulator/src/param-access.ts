// Who writes a policy with params, or a binding that refers to some, must be allowed to read them. Asked where the inputs say who may
// do what: without any RBAC among them nobody but the administrator would get a policy accepted.

import type { AdmissionRequest, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import { authorizeParamKind, authorizeParamRef, type ParamAccess } from "@celadon/admission/resources";
import { type FieldError, gvkOf, invalidObject, nameOf } from "@celadon/kube";
import type { Staged } from "./object-stage.ts";
import { roleOf } from "./roles.ts";
import { problemsOf } from "./status-problems.ts";
import type { World } from "./world.ts";

export async function withParamAccess(world: World, request: AdmissionRequest, staged: Staged): Promise<Staged> {
  const { object } = staged;
  const { subresource = "", operation } = request;
  if (object === null || operation === "DELETE" || subresource !== "" || staged.status !== undefined) return staged;
  const role = roleOf(object);
  if ((role !== "policy" && role !== "binding") || !saysWhoMay(world)) return staged;
  const errors = await accessErrors(world, request, staged);
  if (errors.length === 0) return staged;
  const status = invalidObject(gvkOf(object), nameOf(object), errors);
  return { ...staged, status, problems: [...staged.problems, ...problemsOf(status, "schema", object)] };
}

function saysWhoMay(world: World): boolean {
  return world.options.authorizer !== undefined || world.manifests("rbac").length > 0;
}

async function accessErrors(
  world: World,
  { userInfo = {} }: AdmissionRequest,
  { object, oldObject }: Staged,
): Promise<FieldError[]> {
  const { username = "", ...rest } = userInfo;
  const access: ParamAccess = {
    user: { name: username, ...rest },
    authorizer: world.hosts.authorizer,
    resourceOf: (kind) => world.resources.ofKind(kind)?.resource,
  };
  if (roleOf(object!) === "policy") {
    const old = (oldObject as unknown as ValidatingAdmissionPolicy | null) ?? undefined;
    return authorizeParamKind(object as unknown as ValidatingAdmissionPolicy, old, access);
  }
  return authorizeParamRef(object as unknown as ValidatingAdmissionPolicyBinding, {
    ...access,
    policy: (name) => world.policies.policy(name)?.policy,
  });
}
