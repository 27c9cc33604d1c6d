// Custom resources, by their definition.

import type { AdmissionRequest } from "@celadon/admission";
import { decodeWrite, finishWrite, type JsonObject, type ResourceVersion, type RuleObserver } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import type { Cluster } from "../cluster.ts";
import { resourceProblems, statusProblem, warningProblems } from "../problems.ts";
import { withCreatedMetadata } from "../system-fields.ts";
import { type ObjectStage, storedAs, unknownFieldHalf } from "./stage.ts";

export function customStage(
  cluster: Cluster,
  version: ResourceVersion,
  { object: given = null, oldObject = null, subresource }: AdmissionRequest,
  observer: RuleObserver | undefined,
): ObjectStage {
  return {
    decode() {
      const { object, status, unknownFields, warnings } = decodeWrite({ version }, given);
      if (status !== undefined) {
        return { object: given, status, problems: [statusProblem(status, "schema")], warnings, unreadable: true };
      }
      const unknown = unknownFieldHalf(cluster, given!, unknownFields);
      return { ...unknown, object: object as KubeObject, warnings: [...warnings, ...unknown.warnings] };
    },
    finish(decoded) {
      const old = oldObject === null ? undefined : (storedAs(cluster, version, oldObject) as JsonObject);
      const named = old === undefined ? withCreatedMetadata(decoded as KubeObject) : decoded;
      const finished = finishWrite({ version, old, subresource }, named as JsonObject, observer && { observer });
      const { status, errors, warnings, ratcheted } = finished;
      const object = finished.object as KubeObject;
      const problems = [...resourceProblems(errors, object, version), ...warningProblems(ratcheted, "rules")];
      const oldSeen = (old as KubeObject | undefined) ?? null;
      return { object, oldObject: oldSeen, ...(status && { status }), problems, warnings };
    },
  };
}
