// The truth strip of a clause: its result for each of some objects that its resource is about.

import type { JsonPath } from "@celadon/base";
import { type KubeObject, nameOf } from "@celadon/kube";
import type { PlacedResource } from "../document/file.ts";
import { expressionsOfResource, type FileExpression } from "../expression/expressions-of.ts";
import type { TruthTable } from "./clause-truths.ts";
import { clauseKey, isDeciding } from "./clauses.ts";
import type { ObjectVerdict } from "./review-all.ts";
import { isSampleOf } from "./sample-value.ts";
import type { Truth } from "./truths.ts";

/** The result of a clause for an object. */
export interface ObjectTruth {
  readonly verdict: ObjectVerdict;
  readonly truth: Truth;
}

/** A clause with its results. */
export interface Strip {
  readonly placed: PlacedResource;
  readonly path: JsonPath;
  readonly results: readonly ObjectTruth[];
}

/** Verdicts, and the results of clauses that verdicts do not keep. */
export interface StripData {
  readonly verdicts: readonly ObjectVerdict[];
  /** By resource and object. */
  readonly truths: ReadonlyMap<KubeObject, TruthTable>;
}

/** The strips of all clauses of a resource that were evaluated for an object. */
export function stripsOf(placed: PlacedResource, data: StripData): Strip[] {
  return expressionsOfResource(placed).flatMap(({ path, kind }): Strip[] => {
    const results = resultsAt(placed.resource.object, path, kind, data);
    return results.some(({ truth }) => truth !== "not reached") ? [{ placed, path, results }] : [];
  });
}

/** One for every object that the clause's resource is about; none for expressions that decide nothing, such as messages. */
export function resultsAt(
  resource: KubeObject,
  path: JsonPath,
  kind: FileExpression["kind"],
  { verdicts, truths }: StripData,
): readonly ObjectTruth[] {
  if (kind === "validation" && resource.kind === "ValidatingAdmissionPolicy") {
    const name = nameOf(resource);
    return verdicts.flatMap((verdict) => {
      const said = verdict.truths.get(name);
      return said === undefined ? [] : [{ verdict, truth: said[Number(path[2])] ?? "not reached" }];
    });
  }
  if (!isDeciding(path)) return [];
  const table: TruthTable = truths.get(resource) ?? new Map();
  const key = clauseKey(path);
  if (resource.kind === "CustomResourceDefinition") {
    const about = verdicts.filter((verdict) => isSampleOf(resource, verdict));
    return about.map((verdict) => ({ verdict, truth: table.get(verdict)?.get(key) ?? "not reached" }));
  }
  // A webhook, or an attribute of a request, is about those objects for which it was evaluated.
  return [...table].flatMap(([verdict, said]) => {
    const truth = said.get(key);
    return truth === undefined ? [] : [{ verdict, truth }];
  });
}
