// Chooses the stage of an object: custom resources by their definition, resources of the set-up by their own rules, built-in kinds by their
// types and rules. A kind that is not served ends the request; an undescribed kind has the rules of metadata.

import type { AdmissionRequest } from "@celadon/admission";
import type { ResourceVersion } from "@celadon/crd";
import type { RuleObserver } from "@celadon/crd/rules";
import { roleOf } from "../manifest/roles.ts";
import { statusProblem } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { builtinStage } from "./builtin.ts";
import { customStage } from "./custom.ts";
import { policyStatusStage } from "./policy-status.ts";
import { scaleStage } from "./scale.ts";
import { setUpStage } from "./set-up.ts";
import { type Decoded, type ObjectStage, passing, storedAs, typeMetaStatus } from "./stage.ts";
import { unservedKind } from "./unserved-kind.ts";

export type ObserverOf = (version: ResourceVersion) => RuleObserver;

export function stageOf(cluster: ReviewHost, request: AdmissionRequest, observerOf?: ObserverOf): ObjectStage {
  const { object = null, oldObject = null, operation, subresource = "" } = request;
  const kind = cluster.resources.kind(request.resource, "") ?? request.kind;
  const described = cluster.typeOf(kind.group, kind.kind)?.version(kind.version);
  const version = described?.isServed === true ? described : undefined;
  if (operation === "DELETE" || operation === "CONNECT" || object === null) {
    return passing(object, () => oldObject && storedAs(cluster, version, oldObject));
  }
  const status = typeMetaStatus(object);
  if (status !== undefined) {
    const problems = [statusProblem(status, "validation")];
    const decoded: Decoded = { object, status, problems, warnings: [], unreadable: true };
    return { ...passing(object, () => oldObject), decode: () => decoded };
  }
  const unserved = version === undefined ? unservedKind(cluster, request.kind) : undefined;
  if (unserved?.status !== undefined) {
    const { status, problem } = unserved;
    const decoded: Decoded = { object, status, problems: [problem], warnings: [], unreadable: true };
    return { ...passing(object, () => oldObject), decode: () => decoded };
  }
  if (subresource === "scale") {
    return scaleStage(cluster, version, request, (main) => stageOf(cluster, main, observerOf));
  }
  if (version !== undefined) return customStage(cluster, version, request, observerOf?.(version));
  if (subresource === "status" && roleOf(object) === "policy") return policyStatusStage(cluster, request);
  const accepted = subresource === "" ? cluster.accepted(object, oldObject ?? undefined) : undefined;
  if (accepted !== undefined) return setUpStage(cluster, request, accepted);
  return builtinStage(cluster, request, kind, unserved === undefined ? [] : [unserved.problem]);
}
