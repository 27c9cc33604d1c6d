// Custom resources, by their definition.

import type { AdmissionRequest } from "@celadon/admission";
import type { ResourceVersion } from "@celadon/crd";
import type { RuleObserver } from "@celadon/crd/rules";
import { decodeWrite } from "@celadon/crd/write";
import type { KubeObject } from "@celadon/kube";
import { readSchema } from "@celadon/kube/schemas";
import { customStrategy } from "@celadon/write/strategy";
import { statusProblem, warningProblems } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { type ObjectStage, unknownFieldFindings } from "./stage.ts";
import { storedCustom } from "./stored.ts";
import { writtenResource } from "./write-hosts.ts";

export function customStage(
  cluster: ReviewHost,
  version: ResourceVersion,
  request: AdmissionRequest,
  observer: RuleObserver | undefined,
): ObjectStage {
  const { object: given = null, oldObject = null, subresource = "" } = request;
  const resource = writtenResource(cluster, request, true);
  return {
    decode() {
      const { object, status, unknownFields, warnings } = decodeWrite({ version }, given);
      const warned = warningProblems(warnings, given);
      const texts = warnings.map(({ text }) => text);
      if (status !== undefined) {
        const problems = [...warned, statusProblem(status, "validation")];
        return { object: given, status, problems, warnings: texts, unreadable: true };
      }
      const unknown = unknownFieldFindings(cluster, given!, unknownFields, () => readSchema(version.schema));
      return {
        ...unknown,
        object: object as KubeObject,
        problems: [...warned, ...unknown.problems],
        warnings: [...texts, ...unknown.warnings],
      };
    },
    old: () => oldObject && storedCustom(version, resource, oldObject),
    writing: () => ({
      resource,
      version,
      strategy: customStrategy(version, subresource, () => ({ ...(observer && { observer }) })),
    }),
  };
}
