// The group that was probably meant by one without the kind: another that has it, with a similar name.

import type { KnownResource } from "@celadon/admission/memory";
import { nearestName } from "@celadon/base";
import { apiVersionOf, type GroupVersionKind } from "@celadon/kube";

/** `rules.example.com/v1` for a Limit of `rules.exmaple.com/v1`; undefined where no group is near. */
export function meantVersion(served: readonly KnownResource[], kind: GroupVersionKind): string | undefined {
  const others = served.filter((resource) => resource.kind === kind.kind && resource.group !== kind.group);
  const group = nearestName(kind.group, new Set(others.map((resource) => resource.group)));
  const inGroup = others.filter((resource) => resource.group === group);
  const meant = inGroup.find(({ version }) => version === kind.version) ?? inGroup[0];
  return meant && apiVersionOf(meant);
}
