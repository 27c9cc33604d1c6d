// One name for a resource, however often its file is read: suites that share a policy count together.

import { gvkOf, nameOf } from "@celadon/kube";
import type { Manifest } from "@celadon/simulator/manifests";

export function resourceKey({ object, origin }: Manifest): string {
  const name = `${gvkOf(object).kind}/${nameOf(object)}`;
  const start = origin?.positionOf([]);
  return start === undefined ? name : `${name}@${start.file}:${start.line}:${start.column}`;
}

export const pathKey = (path: readonly (string | number)[]): string => path.join("/");
