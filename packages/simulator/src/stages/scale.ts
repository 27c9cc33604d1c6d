// The scale endpoint: the scaled object is validated, and admission sees its Scales.

import type { AdmissionRequest } from "@celadon/admission";
import type { ResourceVersion } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import type { Status } from "@celadon/kube/status";
import { decode } from "@celadon/kube/types";
import { loadActionRules } from "@celadon/kube/validation";
import { statusProblem } from "../outcome/problems.ts";
import type { ReviewHost } from "../review-host.ts";
import { askedBy } from "./builtin-object.ts";
import { asScale, isScale, scaledBy } from "./scale-objects.ts";
import { type ObjectStage, passing } from "./stage.ts";

/** `stageOf` finds the stage of the scaled object. */
export function scaleStage(
  cluster: ReviewHost,
  version: ResourceVersion | undefined,
  request: AdmissionRequest,
  stageOf: (main: AdmissionRequest) => ObjectStage,
): ObjectStage {
  const { object: given = null, oldObject = null } = request;
  if (oldObject === null || isScale(oldObject)) return passing(given, () => oldObject);
  const { subresource: _, ...main } = request;
  const asScaled = (object: KubeObject | null): KubeObject | null =>
    isScale(object) ? scaledBy(object!, oldObject, version) : object;
  const kind = cluster.resources.kind(request.resource, "") ?? request.kind;
  const stage = stageOf({ ...main, kind, object: asScaled(given) });
  const seen = (object: KubeObject | null): KubeObject | null => object && asScale(object, version);
  // The decoded object, so that an unchanged one is not built again from its Scale.
  let decoded: { readonly scale: KubeObject | null; readonly object: KubeObject | null } | undefined;
  return {
    decode() {
      const half = stage.decode();
      decoded = { scale: seen(half.object), object: half.object };
      return { ...half, object: decoded.scale };
    },
    old: async () => seen(await stage.old()),
    async finish(scale) {
      // Custom resources are scaled without validation of the Scale.
      const isValidated = scale !== null && version === undefined;
      const refusal = isValidated ? await scaleRefusal(cluster, scale, request) : undefined;
      if (refusal !== undefined) {
        return { object: scale, status: refusal, problems: [statusProblem(refusal, "validation")], warnings: [] };
      }
      const scaled = scale === decoded?.scale ? (decoded?.object ?? null) : asScaled(scale);
      const finished = await stage.finish(scaled, await stage.old());
      return { ...finished, object: seen(finished.object) };
    },
  };
}

/** The problems of the Scale itself, before anything is scaled. */
async function scaleRefusal(
  { options }: ReviewHost,
  scale: KubeObject,
  request: AdmissionRequest,
): Promise<Status | undefined> {
  if (options.builtinValidation === false) return undefined;
  const rules = await loadActionRules({ group: "autoscaling", kind: "Scale" });
  const decoded = decode({ apiVersion: "autoscaling/v1", kind: "Scale" }, scale)?.object;
  return decoded && rules && askedBy(rules, decoded as KubeObject, request).refusal;
}
