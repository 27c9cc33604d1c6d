// Divides seats among levels in proportion to their targets, each within its bounds. Upstream: apiserver
// pkg/util/flowcontrol/conc_alloc.go.

export interface SeatClaim {
  readonly lowest: number;
  readonly highest: number;
  /** At least `lowest`. */
  readonly target: number;
}

export interface Allocation {
  readonly seats: readonly number[];
  /** The share of its target that every level gets which no bound holds back. */
  readonly fairShare: number;
}

/** So that nothing is divided by zero. */
const LEAST_TARGET = 0.001;

/** The bounds win where the seats are too few for all the lowest ones, or more than all the highest. */
export function allocateSeats(all: number, claims: readonly SeatClaim[]): Allocation {
  const given = (share: number): number[] =>
    claims.map(({ lowest, highest, target }) =>
      Math.min(highest, Math.max(lowest, share * Math.max(target, LEAST_TARGET))),
    );
  const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
  // The seats grow with the share, in a straight line between two shares at which a bound begins or ends to hold.
  const bends = claims
    .flatMap(({ lowest, highest, target }) => [lowest, highest].map((bound) => bound / Math.max(target, LEAST_TARGET)))
    .sort((a, b) => a - b);
  let below = 0;
  for (const share of bends) {
    const after = sum(given(share));
    if (after < all) {
      below = share;
      continue;
    }
    const before = sum(given(below));
    const fairShare = after === before ? share : below + ((all - before) / (after - before)) * (share - below);
    return { seats: given(fairShare), fairShare };
  }
  const last = bends.at(-1) ?? 0;
  return { seats: given(last), fairShare: last };
}
