// The end of an evaluation that must not go on: its cost limit is passed, its time is over, it has made too much.

import { CelError } from "../error.ts";

/** Thrown through the evaluation when it must stop at once; caught where it began. Never seen by callers. */
export class Stop {
  readonly error: CelError;
  constructor(error: CelError) {
    this.error = error;
  }
}

export const COST_LIMIT_MESSAGE = "operation cancelled: actual cost limit exceeded";
export const INTERRUPTED_MESSAGE = "operation interrupted";
export const MEMORY_LIMIT_MESSAGE = "operation cancelled: memory limit exceeded";

export const costLimitExceeded = (): CelError => new CelError("cost_limit", COST_LIMIT_MESSAGE);
export const interruption = (): CelError => new CelError("interrupted", INTERRUPTED_MESSAGE);
export const memoryLimitExceeded = (): CelError => new CelError("memory_limit", MEMORY_LIMIT_MESSAGE);

/** Hosts may throw anything, including a proxy that throws when it is inspected. */
export function isStop(thrown: unknown): thrown is Stop {
  try {
    return thrown instanceof Stop;
  } catch {
    return false;
  }
}
