// A user who writes a policy with params, or a binding that refers to some, must be allowed to read them. Checked only if the
// inputs contain RBAC: without it, only the administrator's policies would be accepted.

import type { AdmissionRequest } from "@celadon/admission";
import type { Binding, Policy } from "@celadon/admission/policy";
import { authorizeParamKind, authorizeParamRef, type ParamAccess } from "@celadon/admission/resources";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import type { FieldError } from "@celadon/kube/errors";
import { invalidObject } from "@celadon/kube/status";
import { type Role, roleOf } from "../manifest/roles.ts";
import { errorProblems } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import type { Finished } from "../stages/stage.ts";

export async function withParamAccess(
  cluster: ReviewHost,
  request: AdmissionRequest,
  finished: Finished,
): Promise<Finished> {
  const { object } = finished;
  const { subresource = "", operation } = request;
  if (object === null || operation === "DELETE" || subresource !== "" || finished.status !== undefined) return finished;
  if (!ASKED.has(roleOf(object)) || !cluster.saysWhoMay) return finished;
  const errors = await accessErrors(cluster, request, object);
  if (errors.length === 0) return finished;
  const status = invalidObject(gvkOf(object), nameOf(object), errors);
  return { ...finished, status, problems: [...finished.problems, ...errorProblems(errors, object)] };
}

const ASKED: ReadonlySet<Role> = new Set(["policy", "binding", "mutatingPolicy", "mutatingBinding"]);

async function accessErrors(
  cluster: ReviewHost,
  { userInfo = {}, oldObject = null }: AdmissionRequest,
  object: KubeObject,
): Promise<FieldError[]> {
  const { username = "", ...rest } = userInfo;
  const access: ParamAccess = {
    user: { name: username, ...rest },
    authorizer: cluster.hosts.authorizer,
    resourceOf: (kind) => cluster.resources.ofKind(kind)?.resource,
  };
  const role = roleOf(object);
  if (role === "policy" || role === "mutatingPolicy") {
    const old = (oldObject as unknown as Policy | null) ?? undefined;
    return authorizeParamKind(object as unknown as Policy, old, access);
  }
  const policies = role === "binding" ? cluster.policies : cluster.mutatingPolicies;
  return authorizeParamRef(object as unknown as Binding, {
    ...access,
    policy: (name) => policies.policy(name)?.policy,
  });
}
