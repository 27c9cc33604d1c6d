// The scale endpoint: the scaled object is written, and admission sees its Scales.

import type { AdmissionRequest } from "@celadon/admission";
import type { ResourceVersion } from "@celadon/crd";
import { gvkOf, type KubeObject } from "@celadon/kube";
import { draftOf, objectOf, refuseScale, StatusError, scaledBy, scaleOf } from "@celadon/write";
import { AS_WRITTEN } from "@celadon/write/strategy";
import type { ReviewHost } from "../review-host.ts";
import { type ObjectStage, passing } from "./stage.ts";
import { writtenResource } from "./write-hosts.ts";

/** A request sends a Scale, or the object with its new number of replicas. `stageOf` finds the stage of the scaled object. */
export function scaleStage(
  cluster: ReviewHost,
  version: ResourceVersion | undefined,
  request: AdmissionRequest,
  stageOf: (main: AdmissionRequest) => ObjectStage,
): ObjectStage {
  const { object: given = null, oldObject = null } = request;
  if (oldObject === null || isScale(oldObject)) {
    const resource = writtenResource(cluster, request, version !== undefined);
    return { ...passing(given, () => oldObject), writing: () => ({ resource, strategy: AS_WRITTEN }) };
  }
  const paths = version?.scale;
  const { subresource: _, ...main } = request;
  const kind = cluster.resources.kind(request.resource, "") ?? request.kind;
  const scaled = isScale(given) ? objectOf(scaledBy(draftOf(given!), oldObject, paths)) : given;
  const stage = stageOf({ ...main, kind, object: scaled });
  const present = (object: KubeObject): KubeObject => {
    try {
      return scaleOf(object, paths);
    } catch (thrown) {
      // Without a number of replicas there is no Scale.
      if (thrown instanceof StatusError) return object;
      throw thrown;
    }
  };
  return {
    decode() {
      const decoded = stage.decode();
      if (decoded.object === null || decoded.unreadable) return decoded;
      return { ...decoded, object: present(decoded.object) };
    },
    old: stage.old,
    async writing() {
      const writing = await stage.writing!();
      return {
        ...writing,
        form: {
          present,
          async merge(old, scale) {
            // Custom resources are scaled without validation of the Scale.
            if (version === undefined && cluster.options.builtinValidation !== false) {
              await refuseScale(scale, writing.resource, old);
            }
            return scaledBy(scale, old, paths);
          },
        },
      };
    },
  };
}

function isScale(object: KubeObject | null): boolean {
  if (object === null) return false;
  const { group, kind } = gvkOf(object);
  return group === "autoscaling" && kind === "Scale";
}
