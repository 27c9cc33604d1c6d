// Custom resources, by their definition.

import type { AdmissionRequest } from "@celadon/admission";
import type { JsonObject } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import type { RuleObserver } from "@celadon/crd/rules";
import { decodeWrite, finishWrite, prepareWrite } from "@celadon/crd/write";
import { type KubeObject, namespaceOf } from "@celadon/kube";
import { fieldErrorText } from "@celadon/kube/errors";
import { readSchema } from "@celadon/kube/schemas";
import { badRequest } from "@celadon/kube/status";
import { ratchetedProblems, resourceProblems, statusProblem, warningProblems } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { type ObjectStage, storedAs, unknownFieldHalf } from "./stage.ts";
import { withCreatedMetadata } from "./system-fields.ts";

export function customStage(
  cluster: ReviewHost,
  version: ResourceVersion,
  { object: given = null, oldObject = null, subresource, namespace = "" }: AdmissionRequest,
  observer: RuleObserver | undefined,
): ObjectStage {
  const placedIn = (decoded: KubeObject | null, old: JsonObject | undefined): KubeObject | null | undefined => {
    const placed = old === undefined ? inNamespace(decoded as KubeObject, namespace) : decoded;
    return placed === undefined || old !== undefined ? placed : withCreatedMetadata(placed as KubeObject);
  };
  return {
    decode() {
      const { object, status, unknownFields, warnings } = decodeWrite({ version }, given);
      const warned = warningProblems(warnings, given);
      const texts = warnings.map(({ text }) => text);
      if (status !== undefined) {
        const problems = [...warned, statusProblem(status, "validation")];
        return { object: given, status, problems, warnings: texts, unreadable: true };
      }
      const unknown = unknownFieldHalf(cluster, given!, unknownFields, () => readSchema(version.schema));
      return {
        ...unknown,
        object: object as KubeObject,
        problems: [...warned, ...unknown.problems],
        warnings: [...texts, ...unknown.warnings],
      };
    },
    old: () => oldObject && storedAs(cluster, version, oldObject),
    finish(decoded, stored) {
      const old = (stored ?? undefined) as JsonObject | undefined;
      const placed = placedIn(decoded, old);
      if (placed === undefined) {
        const status = badRequest(WRONG_NAMESPACE);
        return { object: decoded, status, problems: [statusProblem(status, "validation")], warnings: [] };
      }
      const finished = finishWrite({ version, old, subresource }, placed as JsonObject, observer && { observer });
      const { status, errors, warnings, ratcheted } = finished;
      const object = finished.object as KubeObject;
      const problems = [
        ...resourceProblems(errors, object, version),
        ...ratchetedProblems(ratcheted, object, version),
        ...warningProblems(warnings, object),
      ];
      const texts = [...ratcheted.map(fieldErrorText), ...warnings.map(({ text }) => text)];
      return { object, ...(status && { status }), problems, warnings: texts };
    },
    prepare(decoded, stored) {
      const old = (stored ?? undefined) as JsonObject | undefined;
      const placed = placedIn(decoded, old);
      if (placed === undefined) return decoded;
      return prepareWrite({ version, old, subresource }, placed as JsonObject) as KubeObject;
    },
  };
}

const WRONG_NAMESPACE = "the namespace of the provided object does not match the namespace sent on the request";

/** A mutation may have taken the namespace away, which is filled in, or changed it, which is refused. */
function inNamespace(object: KubeObject, namespace: string): KubeObject | undefined {
  const given = namespaceOf(object);
  if (given === namespace || namespace === "") return object;
  return given === "" ? { ...object, metadata: { ...object.metadata, namespace } } : undefined;
}
