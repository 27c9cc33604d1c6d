// The hosts of mutation in a cluster: how kinds merge, and objects after a patch as the server would hold them.

import type { ChainHosts } from "@celadon/admission/chain";
import { builtinMergeTypeOf, completeBuiltin } from "@celadon/admission/memory";
import type { JsonObject } from "@celadon/base";
import type { ResourceVersion } from "@celadon/crd";
import type { GroupVersionKind, KubeObject } from "@celadon/kube";
import { Invalid } from "@celadon/kube/errors";
import { readSchema } from "@celadon/kube/schemas";
import { customMergeType, type MergeType } from "@celadon/merge";
import type { ReviewHost } from "../review-host.ts";

const types = new WeakMap<ResourceVersion, MergeType>();

export function mutationHosts(
  cluster: Pick<ReviewHost, "typeOf" | "options">,
): Pick<ChainHosts, "mergeType" | "complete"> {
  const versionOf = ({ group, version, kind }: GroupVersionKind): ResourceVersion | undefined =>
    cluster.typeOf(group, kind)?.version(version);
  return {
    mergeType(kind) {
      const version = versionOf(kind);
      return version === undefined ? builtinMergeTypeOf(kind) : mergeTypeOf(version);
    },
    complete(object, kind, reading) {
      const version = versionOf(kind);
      if (version !== undefined) return decoded(version, object);
      const withDefaults = cluster.options.serverDefaults !== false;
      const completed = completeBuiltin(object, kind, reading, withDefaults);
      // Fields added by reading (`resources: {}`, `status: {}`) are no policy's change, and without defaults nothing else has added them before.
      return completed === undefined || (!withDefaults && !(completed instanceof Invalid)) ? object : completed;
    },
  };
}

function mergeTypeOf(version: ResourceVersion): MergeType {
  let type = types.get(version);
  if (type === undefined) {
    const preserveUnknownFields = version.type.definition.spec.preserveUnknownFields === true;
    type = customMergeType(version.schema && readSchema(version.schema), { preserveUnknownFields });
    types.set(version, type);
  }
  return type;
}

function decoded(version: ResourceVersion, object: KubeObject): KubeObject | Invalid {
  const read = version.decode(object as JsonObject);
  return "unknown" in read ? (read.object as KubeObject) : new Invalid(read.message ?? "");
}
