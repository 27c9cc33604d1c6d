// What every campaign has: where it starts, what it found, and how it ends. A campaign is right when it found no problem.

export interface CampaignOptions {
  readonly seed: number;
  /** Called with a line for people now and then. */
  readonly progress?: (line: string) => void;
  /** Ends the campaign after what it is doing: what was done so far is checked and reported. */
  readonly signal?: AbortSignal;
}

export interface CampaignReport {
  readonly problems: readonly string[];
}

/** What became of writes. */
export interface WriteReport extends CampaignReport {
  readonly acknowledged: number;
  /** Begun and not acknowledged: found whole, or not at all. Both are right. */
  readonly unacknowledgedFound: number;
  readonly unacknowledgedAbsent: number;
  /** Acknowledged and missing, or different. */
  readonly lost: number;
}

/** A problem found a thousand times is kept some times. */
const MOST_PROBLEMS = 20;

/** Counts what became of writes, and collects problems. */
export class Findings {
  readonly #problems: string[] = [];
  acknowledged = 0;
  unacknowledgedFound = 0;
  unacknowledgedAbsent = 0;
  lost = 0;

  problem(...problems: readonly string[]): void {
    this.#problems.push(...problems.slice(0, Math.max(0, MOST_PROBLEMS - this.#problems.length)));
  }

  /** An acknowledged write that is not there as acknowledged. */
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

/** Waits until something is so, for some seconds at the most. */
export async function until(isSo: () => boolean, seconds: number): Promise<boolean> {
  for (const end = Date.now() + seconds * 1000; !isSo(); await pause(50)) if (Date.now() > end) return false;
  return true;
}
