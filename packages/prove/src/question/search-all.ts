// One question over all kinds and operations it concerns: the first confirmed counterexample ends it, and it is proved only if every
// path was followed to its end.

import { apiVersionOf } from "@celadon/kube";
import type { Outcome, SimulatedCluster } from "@celadon/simulator";
import type { Path } from "../path/path.ts";
import type { Situation, SymbolicRequest } from "../request/symbolic-request.ts";
import type { Counterexample, ProofAnswer } from "./answer.ts";
import { type Abortable, DEFAULT_LIMITS, explore, OUT_OF_TIME, type SearchLimits } from "./explore.ts";
import type { Scope } from "./policies.ts";
import { Assumption } from "./statement.ts";

/** Options for answering questions. */
export interface ProveOptions {
  readonly limits?: SearchLimits;
  /** An expression that holds for all requests in question; `statementError` tells whether it is one. */
  readonly assuming?: string;
  /** Milliseconds, for the limit of time. */
  readonly clock?: () => number;
  /** Aborting it ends a search with the signal's reason. */
  readonly signal?: Abortable;
  /** Called every few milliseconds of a long search: a page or an editor lets other work run. */
  readonly pause?: () => Promise<void>;
  /** Told of objects that did not behave as a path says: they are never shown, and each is worth a look. */
  readonly onUnconfirmed?: (example: Counterexample, outcome: Outcome) => void;
}

/** The result of every path. */
export interface Reached {
  readonly request: SymbolicRequest;
}

export interface WholeSearch<R extends Reached> {
  readonly simulated: SimulatedCluster;
  readonly scope: Scope;
  /** The ways to evaluate a situation: one for each binding. `reached` is to be called once the question arises. */
  readonly runs: (
    situation: Situation,
    reached: () => void,
  ) => readonly ((path: Path, assumption: Assumption | undefined) => R)[];
  readonly wanted: (reached: R) => boolean;
  readonly confirm: (path: Path, reached: R) => Promise<Counterexample | undefined>;
  /** The first path that is wanted ends the search, whether it is confirmed or not: only a proof is of use. */
  readonly onlyProofs?: boolean;
  readonly assumptions: readonly string[];
  readonly options: ProveOptions;
}

/** Models that may fail to behave before a question is given up. */
const MOST_MODELS = 40;

export async function searchAll<R extends Reached>(search: WholeSearch<R>): Promise<ProofAnswer> {
  const { scope, runs, wanted, confirm, options } = search;
  const { limits = DEFAULT_LIMITS, clock = Date.now } = options;
  const { situations, unknown } = scope;
  if (situations.length === 0)
    return {
      is: "unknown",
      because:
        unknown.length > 0 ? unknown.map((name) => `no schema for ${name}`) : ["it matches no kind that is known"],
    };
  const assumption = options.assuming === undefined ? undefined : new Assumption(options.assuming);
  const because = new Set<string>();
  const end = clock() + limits.time;
  let models = 0;
  let reachedAny = false;
  const reached = (): void => {
    reachedAny = true;
  };
  for (const situation of situations) {
    for (const evaluate of runs(situation, reached)) {
      const run = (path: Path): R => evaluate(path, assumption);
      const time = end - clock();
      if (time <= 0) {
        because.add(OUT_OF_TIME);
        break;
      }
      let found: Counterexample | undefined;
      const visit = async (path: Path, at: R): Promise<boolean> => {
        if (models++ > MOST_MODELS) {
          because.add("too many objects that do not behave as expected");
          return true;
        }
        found = await confirm(path, at);
        if (found !== undefined && assumption && !(await assumption.isMet(search.simulated, found))) found = undefined;
        if (found === undefined)
          for (const why of path.unfollowed.size > 0 ? path.unfollowed : [UNCONFIRMED]) because.add(why);
        return found !== undefined || search.onlyProofs === true;
      };
      const exploring = await explore({ run, wanted, visit }, { ...limits, time }, { ...options, clock });
      if (found !== undefined)
        return { is: "counterexample", counterexample: found, assumptions: assumptionsOf(search) };
      for (const why of exploring.unknown) because.add(why);
      if (search.onlyProofs === true && because.size > 0) return { is: "unknown", because: [...because] };
    }
  }
  if (because.size > 0) return { is: "unknown", because: [...because] };
  return {
    is: "proved",
    assumptions: [kindsText(situations), ...assumptionsOf(search)],
    ...(!reachedAny && { reachesNothing: true }),
  };
}

function assumptionsOf({
  scope: { leftOut, unknown },
  assumptions,
  options: { assuming },
}: Pick<WholeSearch<never>, "scope" | "assumptions" | "options">): string[] {
  return [
    ...(assuming === undefined ? [] : [assuming]),
    ...(leftOut > 0 ? [`${leftOut} more kinds match and were not looked at`] : []),
    ...unknown.map((name) => `no schema for ${name}: not looked at`),
    ...assumptions,
  ];
}

function kindsText(situations: readonly Situation[]): string {
  const kinds = situations.map(
    ({ target: { kind, subresource } }) => `${apiVersionOf(kind)} ${kind.kind}${subresource && `/${subresource}`}`,
  );
  return `for ${[...new Set(kinds)].join(", ")}`;
}

const UNCONFIRMED = "an object was expected to show it and did not";
