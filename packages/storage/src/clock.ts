// Time as an argument, so that tests decide when a key expires.

/** Time, as a store sees it; tests give their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls once after some milliseconds; the answer cancels it. Does not keep a process alive. */
  after(milliseconds: number, call: () => void): () => void;
}

/** Timers of JavaScript end at 2^31 - 1 ms and would fire at once beyond. */
const LONGEST = 2_147_483_647;

/** The time of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, call) {
    const timer: unknown = setTimeout(call, Math.min(Math.max(0, milliseconds), LONGEST));
    (timer as { unref?: () => void }).unref?.();
    return () => clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
  },
};
