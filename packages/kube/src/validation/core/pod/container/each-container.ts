// All containers of a pod: init containers, containers, ephemeral containers.

import type { Container, PodSpec } from "../../../../api/generated/core-v1.ts";
import type { ValidatedField } from "../../../field.ts";

export const CONTAINER_LISTS = ["initContainers", "containers", "ephemeralContainers"] as const;

export function eachContainer(
  spec: PodSpec,
  at: ValidatedField,
  visit: (container: Container, at: ValidatedField) => void,
): void {
  for (const list of CONTAINER_LISTS) at.child(list).each<Container>(spec[list], visit);
}

export function allContainers(spec: PodSpec): Container[] {
  return CONTAINER_LISTS.flatMap((list): readonly Container[] => spec[list] ?? []);
}
