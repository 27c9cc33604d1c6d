// Where the expressions that problems come from are written.

import { gvkOf, nameOf } from "@celadon/kube";
import type { Problem, World } from "@celadon/simulator";
import { placeOf } from "@celadon/simulator/manifests";
import type { Place } from "../output/answer.ts";

/** Of policies and webhooks, which may be in other files than their objects. */
export function expressionPlaces(world: World, problems: readonly Problem[]): ReadonlyMap<Problem, Place> {
  const places = new Map<Problem, Place>();
  for (const problem of problems) {
    const { kind, name, path } = problem.by ?? {};
    const manifest = world
      .manifests("policy", "mutatingPolicy", "webhooks")
      .find(({ object }) => gvkOf(object).kind === kind && nameOf(object) === name);
    const place = manifest && placeOf(manifest, path ?? ["metadata", "name"]);
    if (place !== undefined) places.set(problem, place);
  }
  return places;
}
