// Advice for a policy whose params have a kind that the cluster does not serve: most often its definition is not in the inputs.

import { nearestName } from "@celadon/base";
import { parseGroupVersion } from "@celadon/kube";
import { isInvalid } from "@celadon/kube/errors";
import { isBuiltinGroup } from "@celadon/kube/types";
import { meantVersion } from "../request/meant-version.ts";
import type { ReviewHost } from "../review-host.ts";

/** The kinds that a cluster knows. */
export type KindsKnown = Pick<ReviewHost, "resources" | "rejectedDefinition">;

interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Undefined where the kind is served, so that something else is wrong. */
export function paramKindHelp(cluster: KindsKnown, paramKind: Partial<ParamKind> | undefined): string | undefined {
  if (paramKind?.apiVersion === undefined || paramKind.kind === undefined) return undefined;
  const version = parseGroupVersion(paramKind.apiVersion);
  if (isInvalid(version)) return undefined;
  const kind = { ...version, kind: paramKind.kind };
  if (cluster.resources.ofKind(kind) !== undefined) return undefined;
  const inGroup = cluster.resources.served().filter(({ group }) => group === kind.group);
  const versions = inGroup.filter((served) => served.kind === kind.kind).map((served) => served.version);
  if (versions.length > 0) return `${kind.kind} is served in version ${versions.join(" and ")}`;
  const rejected = cluster.rejectedDefinition(kind);
  if (rejected !== undefined) return `CustomResourceDefinition "${rejected}" was rejected; correct it first`;
  const nearest = nearestName(
    kind.kind,
    inGroup.map((served) => served.kind),
  );
  if (nearest !== undefined) return `did you mean ${nearest}?`;
  const meant = meantVersion(cluster.resources.served(), kind);
  if (meant !== undefined) return `did you mean ${meant}?`;
  if (isBuiltinGroup(kind.group)) return undefined;
  return `add the CustomResourceDefinition of ${kind.kind} (${paramKind.apiVersion}) to the inputs`;
}
