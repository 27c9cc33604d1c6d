// Who writes a policy with params, or a binding that refers to some, must be allowed to read them. Asked where the inputs say who may
// do what: without any RBAC among them nobody but the administrator would get a policy accepted.

import type { AdmissionRequest, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "@celadon/admission";
import { authorizeParamKind, authorizeParamRef, type ParamAccess } from "@celadon/admission/resources";
import { type FieldError, gvkOf, invalidObject, nameOf } from "@celadon/kube";
import type { Cluster } from "./cluster.ts";
import { errorProblems } from "./problems.ts";
import { roleOf } from "./roles.ts";
import type { Finished } from "./stages/stage.ts";

export async function withParamAccess(
  cluster: Cluster,
  request: AdmissionRequest,
  finished: Finished,
): Promise<Finished> {
  const { object } = finished;
  const { subresource = "", operation } = request;
  if (object === null || operation === "DELETE" || subresource !== "" || finished.status !== undefined) return finished;
  const role = roleOf(object);
  if ((role !== "policy" && role !== "binding") || !cluster.saysWhoMay) return finished;
  const errors = await accessErrors(cluster, request, finished);
  if (errors.length === 0) return finished;
  const status = invalidObject(gvkOf(object), nameOf(object), errors);
  return { ...finished, status, problems: [...finished.problems, ...errorProblems(errors, object)] };
}

async function accessErrors(
  cluster: Cluster,
  { userInfo = {} }: AdmissionRequest,
  { object, oldObject }: Finished,
): Promise<FieldError[]> {
  const { username = "", ...rest } = userInfo;
  const access: ParamAccess = {
    user: { name: username, ...rest },
    authorizer: cluster.hosts.authorizer,
    resourceOf: (kind) => cluster.resources.ofKind(kind)?.resource,
  };
  if (roleOf(object!) === "policy") {
    const old = (oldObject as unknown as ValidatingAdmissionPolicy | null) ?? undefined;
    return authorizeParamKind(object as unknown as ValidatingAdmissionPolicy, old, access);
  }
  return authorizeParamRef(object as unknown as ValidatingAdmissionPolicyBinding, {
    ...access,
    policy: (name) => cluster.policies.policy(name)?.policy,
  });
}
