// The scale endpoint: what is scaled is validated, and admission sees the Scales of it.

import type { AdmissionRequest } from "@celadon/admission";
import type { ResourceVersion } from "@celadon/crd";
import type { KubeObject } from "@celadon/kube";
import type { Cluster } from "../cluster.ts";
import { asScale, isScale, scaledBy } from "../scale.ts";
import { type ObjectStage, passing } from "./stage.ts";

/** `stageOf` finds the way of what is scaled. */
export function scaleStage(
  cluster: Cluster,
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
  // What was decoded, so that an object nothing has changed is not made anew from its Scale.
  let decoded: { readonly scale: KubeObject | null; readonly object: KubeObject | null } | undefined;
  return {
    decode() {
      const half = stage.decode();
      decoded = { scale: seen(half.object), object: half.object };
      return { ...half, object: decoded.scale };
    },
    async finish(scale) {
      const finished = await stage.finish(scale === decoded?.scale ? (decoded?.object ?? null) : asScaled(scale));
      return { ...finished, object: seen(finished.object), oldObject: seen(finished.oldObject) };
    },
  };
}
