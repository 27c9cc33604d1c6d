// Set-up resources: policies, bindings, webhook configurations, CRDs, certificate policies. Reading and validating them is one step, whose
// result the cluster keeps for the time when the resource is in force.

import type { AdmissionRequest } from "@celadon/admission";
import { valueAt } from "@celadon/base";
import type { AcceptedResource, KubeObject } from "@celadon/kube";
import { roleOf } from "../manifest/roles.ts";
import { errorProblems, statusProblem, warningProblems } from "../outcome/problems.ts";
import { typeMetaOf } from "../request/intended-request.ts";
import type { ReviewHost } from "../review-host.ts";
import { type ObjectStage, storedAs, unknownFieldHalf } from "./stage.ts";
import { builtinCreated, builtinUpdated, withCreatedMetadata } from "./system-fields.ts";

export function setUpStage(
  cluster: ReviewHost,
  { object: given = null, oldObject = null }: AdmissionRequest,
  accepted: AcceptedResource<unknown>,
): ObjectStage {
  const sent = given as KubeObject;
  // Read as the current version, and shown in the one that was sent.
  const shown = ({ resource, status }: AcceptedResource<unknown>): KubeObject =>
    resource === undefined || status !== undefined ? sent : { ...(resource as KubeObject), ...typeMetaOf(sent) };
  const decoded = shown(accepted);
  return {
    decode() {
      const { resource, status, unreadable, unknownFields } = accepted;
      if (resource === undefined && status !== undefined) {
        const value = unreadable && valueAt(sent, unreadable.steps);
        const problem = statusProblem(status, "validation", undefined, unreadable);
        const problems = [value === undefined ? problem : { ...problem, value }];
        return { object: sent, status, problems, warnings: [], unreadable: true };
      }
      return { ...unknownFieldHalf(cluster, sent, unknownFields), object: decoded };
    },
    old: () => oldObject && storedAs(cluster, undefined, oldObject),
    finish(object, old) {
      const changed = object === null || object === decoded ? undefined : object;
      const found = (changed && cluster.accepted(changed, oldObject ?? undefined)) ?? accepted;
      const { status, errors, warnings } = found;
      const made = changed === undefined ? decoded : shown(found);
      return {
        object: old === null ? created(made) : updated(made, old),
        ...(status && { status }),
        problems: [...errorProblems(errors, changed ?? sent), ...warningProblems(warnings, changed ?? sent)],
        warnings: warnings.map(({ text }) => text),
      };
    },
  };
}

// Definitions count their generation and keep their status when they are read.
const created = (object: KubeObject): KubeObject =>
  roleOf(object) === "definition" ? withCreatedMetadata(object) : builtinCreated(object);

const updated = (object: KubeObject, old: KubeObject): KubeObject =>
  roleOf(object) === "definition" ? object : builtinUpdated(object, old, "");
