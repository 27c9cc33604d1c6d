// Chooses the stage of an object: custom resources by their definition, resources of the set-up by their own rules, built-in kinds by their
// types and rules. A kind that is not served ends the request; an undescribed kind has the rules of metadata.

import type { AdmissionRequest } from "@celadon/admission";
import type { ResourceVersion } from "@celadon/crd";
import type { RuleObserver } from "@celadon/crd/rules";
import type { KubeObject } from "@celadon/kube";
import { roleOf } from "../manifest/roles.ts";
import { statusProblem } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { builtinStage } from "./builtin.ts";
import { fileStage, isConfigurationFile } from "./configuration-file.ts";
import { customStage } from "./custom.ts";
import { scaleStage } from "./scale.ts";
import { setUpStage } from "./set-up.ts";
import { type Decoded, type ObjectStage, passing, typeMetaStatus } from "./stage.ts";
import { storedBuiltin, storedCustom } from "./stored.ts";
import { unservedKind } from "./unserved-kind.ts";
import { writtenResource } from "./write-hosts.ts";

export type ObserverOf = (version: ResourceVersion) => RuleObserver;

export function stageOf(cluster: ReviewHost, request: AdmissionRequest, observerOf?: ObserverOf): ObjectStage {
  const { object = null, oldObject = null, operation, subresource = "" } = request;
  const kind = cluster.resources.kind(request.resource, "") ?? request.kind;
  const described = cluster.typeOf(kind.group, kind.kind)?.version(kind.version);
  const version = described?.isServed === true ? described : undefined;
  if (operation === "DELETE" || operation === "CONNECT" || object === null) {
    const resource = writtenResource(cluster, request, version !== undefined);
    const stored = (old: KubeObject) =>
      version === undefined ? storedBuiltin(cluster, resource, old) : storedCustom(version, resource, old);
    return passing(object, () => oldObject && stored(oldObject));
  }
  if (isConfigurationFile(object)) return fileStage(cluster, object);
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
  const isSetUp = subresource === "" || (subresource === "status" && roleOf(object) === "policy");
  const accepted = isSetUp ? cluster.accepted(object) : undefined;
  if (accepted !== undefined) return setUpStage(cluster, request, accepted);
  return builtinStage(cluster, request, kind, unserved === undefined ? [] : [unserved.problem]);
}
