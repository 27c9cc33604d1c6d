// Policies of our own group when they are written: the API server knows only their schema, so the webhook reports the errors that its own
// validation would find in built-in kinds. While the webhook does not answer they are stored all the same, and their status has the
// problems.

import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import type { Gates } from "@celadon/admission/proposals";
import { type TypeSource, validateTypes } from "@celadon/admission/resources";
import { type AdmissionReview, answerReview, readReview } from "@celadon/admission/webhook";
import { type KubeObject, nameOf } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { badRequest, invalidObject, type Status } from "@celadon/kube/status";
import { OWN_GROUP, POLICY_KINDS, readPolicyObject } from "./policy-objects.ts";

/** Invalid for a body that is no review. */
export async function reviewPolicy(body: unknown, gates: Gates, types: TypeSource): Promise<AdmissionReview | Invalid> {
  const read = readReview(body);
  if (read instanceof Invalid) return read;
  const { object, operation, resource } = read.request;
  const source = POLICY_KINDS.find((policyKind) => policyKind.resource === resource.resource);
  const isWritten = (operation === "CREATE" || operation === "UPDATE") && resource.group === OWN_GROUP;
  const status =
    object && source && isWritten ? await problemOf(object, source.as, source.kind, gates, types) : undefined;
  return answerReview(read, {
    allowed: status === undefined,
    ...(status && { status }),
    warnings: [],
    auditAnnotations: {},
  });
}

async function problemOf(
  object: KubeObject,
  as: Parameters<typeof readPolicyObject>[1],
  kind: string,
  gates: Gates,
  types: TypeSource,
): Promise<Status | undefined> {
  const read = readPolicyObject(object, as, gates);
  const groupKind = { group: OWN_GROUP, kind };
  if (read.rejected !== undefined)
    return read.errors.length === 0 ? badRequest(read.rejected) : invalidObject(groupKind, nameOf(object), read.errors);
  if (read.resource?.kind !== "ValidatingAdmissionPolicy") return undefined;
  const errors = await validateTypes(read.resource as ValidatingAdmissionPolicy, types, gates);
  return errors.length === 0 ? undefined : invalidObject(groupKind, nameOf(object), errors);
}
