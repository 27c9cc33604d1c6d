// The changes that make a denied object allowed: for each clause that denies it, the smallest change that turns the clause, until nothing
// denies it any more. Every step is the answer of the engine to the changed object.

import { deepEqual, type JsonPath } from "@celadon/base";
import type { KubeObject } from "@celadon/kube";
import type { Problem, SimulatedCluster } from "@celadon/simulator";
import { type FieldChange, type Flip, smallestApproval, smallestFlip } from "./flip.ts";
import type { ObjectVerdict, Pause } from "./review-all.ts";

/** Clauses that are turned one after the other. */
const STEPS = 5;

/** Changes of an object, and the object with them. */
export interface Cure {
  readonly changes: readonly FieldChange[];
  readonly object: KubeObject;
}

/** The resource that reports a problem. */
export type SpeakerOf = (problem: Problem) => KubeObject | undefined;

/** Undefined where no changes were found with which the object is allowed. */
export async function cureOf(
  simulated: SimulatedCluster,
  verdict: ObjectVerdict,
  speakerOf: SpeakerOf,
  pause?: Pause,
): Promise<Cure | undefined> {
  const changes: FieldChange[] = [];
  let current = verdict;
  for (let step = 0; step < STEPS; step++) {
    const problem = current.problems.find(({ level }) => level === "deny");
    if (problem === undefined) break;
    const flip = await turned(simulated, current, problem, speakerOf, pause);
    if (flip === undefined) return undefined;
    for (const { path, before, after } of [flip, ...(flip.also ?? [])]) {
      const at = changes.findIndex((change) => deepEqual(change.path, path));
      if (at === -1) changes.push({ path, before, after });
      else changes[at] = { ...changes[at]!, after };
    }
    current = flip.verdict;
  }
  const isDenied = current.problems.some(({ level }) => level === "deny");
  return isDenied || changes.length === 0 ? undefined : { changes, object: current.manifest.object };
}

async function turned(
  simulated: SimulatedCluster,
  verdict: ObjectVerdict,
  problem: Problem,
  speakerOf: SpeakerOf,
  pause: Pause | undefined,
): Promise<Flip | undefined> {
  const resource = speakerOf(problem);
  if (resource === undefined) return undefined;
  if (problem.system === "certificate") return smallestApproval(simulated, verdict, resource);
  const path = clausePath(problem);
  return path && smallestFlip(simulated, verdict, resource, path, undefined, pause);
}

/** The path of the clause that a problem comes from; undefined for problems that come from none. */
export function clausePath({ system, by }: Problem): JsonPath | undefined {
  if (system === "certificate") return by && ["spec", "allowed"];
  const isClause = by?.kind === "ValidatingAdmissionPolicy" && by.path?.[1] === "validations";
  return isClause || system === "rules" ? by?.path : undefined;
}
