// Finds the places of the expressions that problems come from.

import { gvkOf, nameOf } from "@celadon/kube";
import type { Problem, ProblemSource, SimulatedCluster } from "@celadon/simulator";
import { type Manifest, placeOf, type Role } from "@celadon/simulator/manifests";
import type { ShownPlace } from "../output/answer.ts";

/** The places of expressions of policies and webhooks, which may be in other files than their objects. */
export function expressionPlaces(
  simulated: SimulatedCluster,
  problems: readonly Problem[],
): ReadonlyMap<Problem, ShownPlace> {
  const places = new Map<Problem, ShownPlace>();
  for (const problem of problems) {
    const place = problem.by && speakerPlace(simulated, problem.by);
    if (place !== undefined) places.set(problem, place);
  }
  return places;
}

/** In the resource, or in the binding if that has the error. */
export function speakerPlace(simulated: SimulatedCluster, by: ProblemSource): ShownPlace | undefined {
  const { kind, name, path = NAME, binding = "", bindingPath } = by;
  const find = (roles: readonly Role[], kind: string, name: string): Manifest | undefined =>
    simulated.manifests(...roles).find(({ object }) => gvkOf(object).kind === kind && nameOf(object) === name);
  const found = bindingPath && find(BINDINGS, `${kind}Binding`, binding);
  if (found) return placeOf(found, bindingPath, "key");
  const manifest = find(SPEAKERS, kind, name);
  return manifest && placeOf(manifest, path);
}

const NAME = ["metadata", "name"];
const SPEAKERS = ["policy", "mutatingPolicy", "webhooks"] as const;
const BINDINGS = ["binding", "mutatingBinding"] as const;
