// Every subject through the world, and what came of it. Failures of policies are looked into once more for the place in the object
// that decided; with very many, only the first are.

import { type AdmissionRequest, explain } from "@celadon/admission";
import type { DataPath } from "@celadon/cel/explain";
import {
  blameOf,
  type Outcome,
  type PolicyTally,
  type Problem,
  Tally,
  variableTrees,
  type World,
} from "@celadon/simulator";
import { type Reviewed, reviewedOf } from "../outcome/reviewed.ts";
import type { Asked } from "./subjects.ts";

export interface Checked {
  readonly reviewed: readonly Reviewed[];
  readonly policies: readonly PolicyTally[];
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  onProgress?(done: number, all: number): void;
}

/** Looking into a failure interprets its expressions: many times what deciding costs. */
const BLAMED = 500;
/** Requests that a policy without any match is asked about again. */
const SAMPLE = 200;
const PAUSE_EVERY = 256;

export async function checkAll(world: World, asked: readonly Asked[], options: CheckOptions): Promise<Checked> {
  const tally = new Tally();
  const reviewed: Reviewed[] = [];
  const sample: AdmissionRequest[] = [];
  const said = new Set<string>();
  let blamed = 0;
  for (const [i, one] of asked.entries()) {
    const outcome = saidOnce(await ask(world, one), said);
    tally.add(outcome);
    const looksInto = blamed < BLAMED && outcome.problems.some(isValidation);
    if (looksInto) blamed++;
    if (sample.length < SAMPLE) sample.push(outcome.request);
    reviewed.push(reviewedOf(one.manifest, outcome, looksInto ? await blameFor(world, outcome) : undefined));
    if (i % PAUSE_EVERY === PAUSE_EVERY - 1) {
      options.onProgress?.(i + 1, asked.length);
      // Lets a signal arrive.
      await new Promise((resolve) => setImmediate(resolve));
      options.signal.throwIfAborted();
    }
  }
  return { reviewed, policies: await tally.finish(world, sample) };
}

/** Without what was said of an object before, and is the same for this one. */
function saidOnce(outcome: Outcome, said: Set<string>): Outcome {
  if (!outcome.problems.some(({ once }) => once !== undefined)) return outcome;
  const problems = outcome.problems.filter(({ once }) => {
    if (once === undefined) return true;
    const isNew = !said.has(once);
    said.add(once);
    return isNew;
  });
  return { ...outcome, problems };
}

export function ask(world: World, one: Asked, options: Parameters<World["review"]>[1] = {}): Promise<Outcome> {
  return "ask" in one ? world.review(one.ask, options) : world.reviewRequest(one.request, options);
}

function isValidation({ system, by }: Problem): boolean {
  return system === "policy" && by?.path?.[1] === "validations";
}

/** Where each validation that failed was decided. */
export async function blameFor(world: World, { request, problems }: Outcome): Promise<ReadonlyMap<Problem, DataPath>> {
  const wanted = problems.filter(isValidation);
  const names = new Set(wanted.map(({ by }) => by?.name));
  const entries = world.policies.entries().filter(({ policy }) => names.has(policy.name));
  const { expressions } = await explain(request, entries, world.hosts);
  const blame = new Map<Problem, DataPath>();
  for (const problem of wanted) {
    const index = problem.by?.path?.[2];
    const ofPolicy = expressions.filter(({ policy }) => policy === problem.by?.name);
    const at = ofPolicy.findIndex((one) => one.kind === "validation" && one.index === index && one.value !== true);
    const failed = ofPolicy[at];
    const path = failed && blameOf(failed.tree, variableTrees(ofPolicy.slice(0, at + 1)));
    if (path !== undefined) blame.set(problem, path);
  }
  return blame;
}
