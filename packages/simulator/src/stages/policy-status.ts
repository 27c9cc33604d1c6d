// The status of a policy, written through its endpoint: nothing else of the policy is validated.

import type { AdmissionRequest } from "@celadon/admission";
import type { ValidatingAdmissionPolicy } from "@celadon/admission/policy";
import { readWithDefaults, validatePolicyStatus } from "@celadon/admission/resources";
import { gvkOf, type KubeObject, nameOf } from "@celadon/kube";
import { badRequest, invalidObject } from "@celadon/kube/status";
import { errorProblems, statusProblem } from "../outcome/problems.ts";
import { typeMetaOf } from "../request/intended-request.ts";
import type { ReviewHost } from "../review-host.ts";
import { type ObjectStage, storedAs, unknownFieldHalf } from "./stage.ts";
import { builtinUpdated } from "./system-fields.ts";

export function policyStatusStage(
  cluster: ReviewHost,
  { object: given = null, oldObject = null }: AdmissionRequest,
): ObjectStage {
  const sent = given as KubeObject;
  return {
    decode() {
      const { resource, error = "", errorAt, unknownFields } = readWithDefaults("ValidatingAdmissionPolicy", sent);
      if (resource === undefined) {
        const status = badRequest(error);
        const problems = [statusProblem(status, "validation", undefined, errorAt)];
        return { object: sent, status, problems, warnings: [], unreadable: true };
      }
      const object = { ...(resource as unknown as KubeObject), ...typeMetaOf(sent) };
      return { ...unknownFieldHalf(cluster, sent, unknownFields), object };
    },
    old: () => storedAs(cluster, undefined, oldObject ?? sent),
    finish(decoded, old) {
      const object = builtinUpdated(decoded ?? sent, old ?? sent, "status");
      const { status = {} } = object as unknown as ValidatingAdmissionPolicy;
      const errors = validatePolicyStatus(status);
      const refused = errors.length > 0 && { status: invalidObject(gvkOf(sent), nameOf(sent), errors) };
      return { object, ...refused, problems: errorProblems(errors, object), warnings: [] };
    },
  };
}
