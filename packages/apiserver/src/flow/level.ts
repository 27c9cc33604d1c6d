// A priority level: its requests, its limits, and the seats that it borrows and lends. Upstream: apiserver
// pkg/util/flowcontrol/apf_controller.go.

import type { PriorityLevelConfigurationSpec } from "@celadon/kube/api/flowcontrol-v1";
import { allocateSeats } from "./allocate-seats.ts";
import { type LevelKind, QueueSet } from "./queue-set.ts";
import { RetryAfter } from "./retry-after.ts";
import { type DemandStats, NO_DEMAND } from "./seat-demand.ts";
import type { Turn } from "./turn.ts";

const DEFAULT_SHARES = 30;
/** A request takes at most this part of the nominal limit, ten seats of the default ones. */
const WIDEST_PART = 0.15;

/** Numbers of seats. */
export interface SeatLimits {
  readonly nominal: number;
  /** Without seats for lending. */
  readonly lowest: number;
  /** With borrowed seats. */
  readonly highest: number;
}

export class Level {
  readonly name: string;
  readonly requests: QueueSet;
  readonly retryAfter: RetryAfter = new RetryAfter();
  #uid = "";
  #kind: LevelKind = "reject";
  #limits: SeatLimits = { nominal: 0, lowest: 0, highest: 0 };
  /** Seats it has at present. */
  current = 0;
  /** Seats it aimed for when seats were last allocated. */
  target = 0;
  demand: DemandStats = NO_DEMAND;

  constructor(name: string, clock: () => number, noRoom: (turn: Turn) => void) {
    this.name = name;
    this.requests = new QueueSet(clock, noRoom);
  }

  get uid(): string {
    return this.#uid;
  }

  get kind(): LevelKind {
    return this.#kind;
  }

  get limits(): SeatLimits {
    return this.#limits;
  }

  get isExempt(): boolean {
    return this.#kind === "exempt";
  }

  /** In force when seats are allocated next. */
  configure(uid: string, kind: LevelKind, limits: SeatLimits): void {
    this.#uid = uid;
    this.#kind = kind;
    this.#limits = limits;
  }

  /** The seats that one request may take at most. */
  get widest(): number {
    if (typeof this.kind === "string") return Number.POSITIVE_INFINITY;
    const { nominal } = this.limits;
    return Math.max(1, Math.min(Math.ceil(nominal * WIDEST_PART), Math.floor(nominal / this.kind.handSize)));
  }
}

export function kindOf({ type, limited }: PriorityLevelConfigurationSpec): LevelKind {
  if (type === "Exempt") return "exempt";
  const { queues = 64, handSize = 8, queueLengthLimit = 50 } = limited?.limitResponse?.queuing ?? {};
  return limited?.limitResponse?.type === "Queue" ? { queues, handSize, queueLength: queueLengthLimit } : "reject";
}

export function sharesOf({ type, exempt, limited }: PriorityLevelConfigurationSpec): number {
  return type === "Exempt"
    ? (exempt?.nominalConcurrencyShares ?? 0)
    : (limited?.nominalConcurrencyShares ?? DEFAULT_SHARES);
}

/** The limits of a level. */
export function limitsOf(spec: PriorityLevelConfigurationSpec, seats: number, allShares: number): SeatLimits {
  const nominal = allShares === 0 ? 0 : Math.ceil((seats * sharesOf(spec)) / allShares);
  const { lendablePercent = 0 } = spec.limited ?? spec.exempt ?? {};
  const borrowed = spec.limited?.borrowingLimitPercent;
  return {
    nominal,
    lowest: nominal - Math.round((nominal * lendablePercent) / 100),
    highest: nominal + (borrowed === undefined ? seats : Math.round((nominal * borrowed) / 100)),
  };
}

/** Gives each level its present seats by its recent demand. The result is the fair share, as the metric has it. */
export function lendAndBorrow(levels: readonly Level[], now: number): number {
  const limited = levels.filter(({ isExempt }) => !isExempt);
  const least = new Map<Level, number>();
  const nominalSum = levels.reduce((sum, { limits }) => sum + limits.nominal, 0);
  let left = nominalSum;
  for (const level of levels) {
    level.demand = level.requests.demand.take(level.demand, now);
    const { nominal, lowest } = level.limits;
    const { highWatermark } = level.demand;
    least.set(level, Math.max(lowest, level.isExempt ? highWatermark : Math.min(nominal, highWatermark)));
    level.target = Math.max(least.get(level)!, level.demand.smoothed);
    if (level.isExempt) left -= least.get(level)!;
  }
  const lowestSum = limited.reduce((sum, { limits }) => sum + limits.lowest, 0);
  const leastSum = limited.reduce((sum, level) => sum + least.get(level)!, 0);
  let fairShare = 0;
  let seatsOf: (level: Level) => number;
  if (left <= lowestSum) seatsOf = ({ limits }) => limits.lowest;
  else if (left <= leastSum) {
    const part = (left - lowestSum) / (leastSum - lowestSum);
    seatsOf = (level) => level.limits.lowest + (least.get(level)! - level.limits.lowest) * part;
  } else {
    const claims = limited.map((level) => ({
      lowest: least.get(level)!,
      highest: level.limits.highest,
      target: level.target,
    }));
    const { seats, fairShare: share } = allocateSeats(nominalSum, claims);
    fairShare = share;
    seatsOf = (level) => seats[limited.indexOf(level)]!;
  }
  for (const level of levels) {
    level.current = Math.round(level.isExempt ? least.get(level)! : seatsOf(level));
    level.requests.configure(level.kind, level.current);
  }
  return fairShare;
}
