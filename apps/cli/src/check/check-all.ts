// Reviews every object. Failures of policies are evaluated again to find the field that decided; with very many, only the first are.

import type { AdmissionRequest } from "@celadon/admission";
import { mutationFindings, type Outcome, type PolicyTally, Tally } from "@celadon/simulator";
import { blameFor, isBlamable } from "@celadon/simulator/explain";
import type { Manifest } from "@celadon/simulator/manifests";
import { resultsOf } from "../outcome/outcome-results.ts";
import { type ReviewedObject, reviewedOf } from "../outcome/reviewed.ts";
import { reviewSubject } from "../review/ask.ts";
import type { IsChanged } from "../review/changed-only.ts";
import { expressionPlaces } from "../review/expression-places.ts";
import { type Ineffective, ineffectiveIn } from "../review/ineffective.ts";
import type { LoadedReview } from "../review/load-review.ts";
import { withSetUpHelp } from "../review/set-up-help.ts";
import { type RejectedSetUp, writeSetUp } from "../review/written.ts";
import type { Sift } from "../suppressions/sift.ts";
import { ReviewedList } from "./reviewed-list.ts";
import { type UnboundBinding, unboundBindings } from "./unbound-bindings.ts";
import type { UnknownKindsOf } from "./unknown-kinds.ts";

type CheckedReview = Pick<LoadedReview, "simulated" | "asked" | "setUp">;

export interface Checked {
  readonly reviewed: ReviewedList;
  readonly policies: readonly PolicyTally[];
  /** Some objects were not reviewed: nothing is known of policies that matched none. */
  readonly isPartial: boolean;
  /** Parts of the set-up that the cluster rejected, which are not in force. */
  readonly rejected: ReadonlyMap<Manifest, RejectedSetUp>;
  /** Policies that matched nothing because of a mistake. */
  readonly ineffective: readonly Ineffective[];
  /** Set-up that is being written, and not there already. */
  readonly written: ReadonlySet<Manifest>;
  readonly unboundBindings: readonly UnboundBinding[];
}

export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Settings of celadon.yaml for some files. */
  readonly unknownKinds?: UnknownKindsOf | undefined;
  readonly sift?: Sift | undefined;
  /** Objects for which it is false are not reviewed. */
  readonly isChanged?: IsChanged | undefined;
}

/** The greatest number of failures that are evaluated again: interpreting expressions is much slower than deciding. */
const BLAMED = 500;
/** Requests that a policy without a match is evaluated on again, for the reason. */
const SAMPLE = 200;
const PAUSE_EVERY = 256;

/** Requests are read once, one after the other, and not kept. */
export async function checkAll(review: CheckedReview, options: CheckOptions): Promise<Checked> {
  const { simulated: given, asked, setUp } = review;
  const tally = new Tally();
  const reviewed = new ReviewedList();
  const sample: AdmissionRequest[] = [];
  const said = new Set<string>();
  const { simulated: accepting, outcomes, rejected } = await writeSetUp(given, setUp);
  let blamed = 0;
  for (const subject of asked) {
    if (options.isChanged?.(subject.manifest) === false) continue;
    const answered = outcomes.get(subject.manifest);
    const simulated = answered === undefined ? accepting : given;
    const shown = answered && (await withSetUpHelp(given, subject.manifest, answered));
    const answer = shown ?? (await reviewSubject(simulated, subject));
    const outcome = saidOnce(options.unknownKinds?.(answer, subject.manifest.origin?.file) ?? answer, said);
    tally.add(outcome);
    const looksInto = blamed < BLAMED && outcome.problems.some(isBlamable);
    if (looksInto) blamed++;
    if (sample.length < SAMPLE) sample.push(outcome.request);
    const blame = looksInto ? await blameFor(simulated, outcome) : undefined;
    const found = await mutationFindings(simulated, outcome, blame);
    const whole = found.length === 0 ? outcome : { ...outcome, problems: [...outcome.problems, ...found] };
    // An expression that fails is more often wrong than the object.
    const failed = blamed < BLAMED ? outcome.problems.filter(({ by }) => by?.error === true) : [];
    const result = reviewedOf(subject.manifest, whole, blame, expressionPlaces(simulated, [...found, ...failed]));
    reviewed.push(options.sift === undefined ? result : sifted(result, options.sift));
    if (reviewed.length % PAUSE_EVERY === 0) {
      // Lets a signal arrive.
      await new Promise((resolve) => setImmediate(resolve));
      options.signal.throwIfAborted();
    }
  }
  const policies = await tally.finish(accepting, sample);
  const unmatched = new Set(
    policies.flatMap(({ kind, policy, matched }) => (matched === 0 ? [`${kind}/${policy}`] : [])),
  );
  const ineffective = unmatched.size === 0 ? [] : await ineffectiveIn(accepting);
  const written = new Set(setUp.map(({ manifest }) => manifest));
  const reported = new Set([
    ...ineffective.map(({ manifest }) => manifest),
    ...rejected.map(({ manifest }) => manifest),
  ]);
  return {
    reviewed,
    policies,
    isPartial: options.isChanged !== undefined,
    ineffective: ineffective.filter(({ kind, policy }) => unmatched.has(`${kind}/${policy}`)),
    written,
    unboundBindings: unboundBindings(given, written, reported),
    rejected: new Map(rejected.map((part) => [part.manifest, part])),
  };
}

/** Without the problems that are suppressed. */
function sifted(reviewed: ReviewedObject, sift: Sift): ReviewedObject {
  const rows = resultsOf(reviewed);
  const problems = reviewed.problems.filter((_, i) => !sift.takes(rows[i]!));
  if (problems.length === reviewed.problems.length) return reviewed;
  const isExcused = !reviewed.allowed && problems.every(({ level }) => level !== "deny");
  return { ...reviewed, problems, ...(isExcused && { isExcused }) };
}

/** Without problems that were already reported for an earlier object. */
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
