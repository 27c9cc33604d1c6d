// The options, results and problems of all campaigns. A campaign passes when it found no problem.

export interface CampaignOptions {
  readonly seed: number;
  /** Called with a progress line now and then. */
  readonly progress?: (line: string) => void;
  /** Stops the campaign after its current step; the work so far is checked and reported. */
  readonly signal?: AbortSignal;
}

export interface CampaignReport {
  readonly problems: readonly string[];
}

/** The fate of writes. */
export interface WriteReport extends CampaignReport {
  readonly acknowledged: number;
  /** Started but not acknowledged: found complete or not at all. Both are correct. */
  readonly unacknowledgedFound: number;
  readonly unacknowledgedAbsent: number;
  /** Acknowledged and missing, or different. */
  readonly lost: number;
}

/** The number of instances of the same problem that are kept. */
const MOST_PROBLEMS = 20;

/** Counts the fate of writes, and collects problems. */
export class Findings {
  readonly #problems: string[] = [];
  acknowledged = 0;
  unacknowledgedFound = 0;
  unacknowledgedAbsent = 0;
  lost = 0;

  problem(...problems: readonly string[]): void {
    this.#problems.push(...problems.slice(0, Math.max(0, MOST_PROBLEMS - this.#problems.length)));
  }

  /** An acknowledged write that is missing or different. */
  lose(problem: string): void {
    this.lost += 1;
    this.problem(problem);
  }

  get isSound(): boolean {
    return this.#problems.length < MOST_PROBLEMS / 2;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get writes(): Omit<WriteReport, "problems"> {
    const { acknowledged, unacknowledgedFound, unacknowledgedAbsent, lost } = this;
    return { acknowledged, unacknowledgedFound, unacknowledgedAbsent, lost };
  }
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Waits until a condition holds, for a few seconds at most. */
export async function until(isSo: () => boolean, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; !isSo(); await pause(50)) if (Date.now() > end) return false;
  return true;
}
